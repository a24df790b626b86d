"""The tree of a saved function's arguments as JSON, and how a call of the loaded one is matched against it.

A node is {"tensor": {shape, dtype, name, stop_gradient}}, {"list" | "tuple": [nodes]}, {"namedtuple": name, "fields": {...}},
{"dict": [[key, node], ...]}, {"constant": value} or {"object": text} for a Python value that JSON can't hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtype import DTYPES
from ...errors import DTypeError, ShapeError
from ...runtime.tensors.spec import InputSpec
from ...runtime.tensors.tensor import Tensor

SCALARS = (bool, int, str, type(None))


def encode(tree: Any) -> dict:
    """The JSON node of a tree of InputSpecs and Python values."""
    if isinstance(tree, InputSpec):
        shape = [None if d == -1 else d for d in tree.shape]
        return {"tensor": {"shape": shape, "dtype": tree.dtype, "name": tree.name, "stop_gradient": tree.stop_gradient}}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return {"namedtuple": type(tree).__name__, "fields": [[f, encode(x)] for f, x in zip(tree._fields, tree)]}
    if isinstance(tree, list | tuple):
        return {"list" if isinstance(tree, list) else "tuple": [encode(x) for x in tree]}
    if isinstance(tree, dict) and all(isinstance(k, str) for k in tree):
        return {"dict": [[k, encode(v)] for k, v in tree.items()]}
    if type(tree) in SCALARS or (type(tree) is float and np.isfinite(tree)):
        return {"constant": tree}
    return {"object": f"{type(tree).__name__}"}


def specs(node: dict) -> list[InputSpec]:
    """The InputSpecs of a node, in order."""
    if "tensor" in node:
        return [InputSpec(**node["tensor"])]
    return [spec for child in _children(node) for spec in specs(child)]


def _children(node: dict) -> list[dict]:
    for kind in ("list", "tuple"):
        if kind in node:
            return node[kind]
    return [child for _, child in node.get("dict", node.get("fields", ()))]


def collect(node: dict, value: Any, where: str, found: list[Any]) -> None:
    """Append the tensors and arrays of `value` to `found`, in the order of the inputs; an error says where it doesn't fit."""
    if "tensor" in node:
        found.append(_checked(node["tensor"], value, where))
    elif "constant" in node or "object" in node:
        if "constant" in node and not (type(value) is type(node["constant"]) and value == node["constant"]):
            raise ValueError(
                f"argument {where} is {value!r}; the model was saved with the constant {node['constant']!r} in its place"
            )
    elif "dict" in node:
        keys = [k for k, _ in node["dict"]]
        if not isinstance(value, dict) or sorted(value) != sorted(keys):
            raise ValueError(
                f"argument {where} is a dict with the keys {keys}, not {list(value) if isinstance(value, dict) else value!r}"
            )
        for key, child in node["dict"]:
            collect(child, value[key], f"{where}[{key!r}]", found)
    else:
        children = _children(node)
        if not isinstance(value, list | tuple) or len(value) != len(children):
            raise ValueError(f"argument {where} is a sequence of {len(children)} items, not {value!r}")
        for i, (child, item) in enumerate(zip(children, value)):
            collect(child, item, f"{where}[{i}]", found)


def _checked(spec: dict, given: Any, where: str) -> Any:
    if isinstance(given, Tensor) and given.is_staged:
        return given  # the recording that it belongs to checks its type
    value = given._data if isinstance(given, Tensor) else given
    if not isinstance(value, np.ndarray):
        raise TypeError(f"argument {where} is a tensor or an array, not {type(value).__name__}")
    if value.dtype != DTYPES[spec["dtype"]].numpy:
        raise DTypeError(f"argument {where} has dtype {value.dtype.name}; the model takes {spec['dtype']}: cast it")
    shape = spec["shape"]
    if len(shape) != value.ndim or any(d is not None and d != n for d, n in zip(shape, value.shape)):
        raise ShapeError(
            f"argument {where} has shape {list(value.shape)}; the model takes {shape}: a length that differs is None in the "
            "InputSpec that the model is saved with"
        )
    return given
