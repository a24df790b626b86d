"""Nested dicts, lists and tuples of tensors and plain values as JSON, with the arrays beside it.

A tensor is `{"tensor": its name}`, a dict `{"dict": [[key, value], ...]}`, a list or tuple `{"list": [...]}`. A float that JSON
lacks is `{"float": "nan"}`. Everything else is itself. The tensors of a flat dict are stored under their keys.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..config import file_limits
from ..errors import ModelFileError
from ..ir.names import free
from .untrusted import brief, expect

_PLAIN = (bool, int, str)


def packed(tree: Any, is_tensor: Callable[[Any], bool]) -> tuple[Any, dict[str, np.ndarray]]:
    """The JSON of a tree and its arrays by name; TypeError says where there is something else."""
    arrays: dict[str, np.ndarray] = {}
    return _pack(tree, "", is_tensor, arrays, 0), arrays


def _pack(value: Any, path: str, is_tensor: Callable, arrays: dict[str, np.ndarray], depth: int) -> Any:
    if depth > file_limits.depth:
        raise TypeError(f"save: {path[:60]}... is nested deeper than {file_limits.depth} (file_limits.depth), or within itself")
    again = lambda part, key: _pack(part, f"{path}.{key}" if path else str(key), is_tensor, arrays, depth + 1)  # noqa: E731
    if is_tensor(value) or isinstance(value, np.ndarray):
        name = free(path or "tensor", arrays, ":")  # `{"a.b": x, "a": {"b": y}}` has two tensors for one name
        arrays[name] = np.asarray(value)
        return {"tensor": name}
    if isinstance(value, Mapping):
        for key in value:
            if type(key) not in (str, int):
                raise TypeError(f"save: the key {key!r} of {path or 'the dict'} is neither a str nor an int")
        return {"dict": [[key, again(part, key)] for key, part in value.items()]}
    if isinstance(value, (list, tuple)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [again(part, i) for i, part in enumerate(value)]}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if value is None or type(value) in _PLAIN:
        return value
    raise TypeError(
        f"save: {path or 'the object'} is a {type(value).__name__}; a file holds tensors, numbers, texts, None, and dicts, lists "
        "and tuples of them: save the state dict of a Layer or an optimizer, and models by jit.save"
    )


def unpacked(tree: Any, arrays: Mapping[str, np.ndarray], make: Callable[[np.ndarray], Any], depth: int = 0) -> Any:
    """What `packed` packed, each array through `make`; ModelFileError for anything else."""
    if depth > file_limits.depth:
        raise ModelFileError(f"the saved tree is nested deeper than {file_limits.depth} (file_limits.depth)")
    if tree is None or type(tree) in (*_PLAIN, float):
        return tree
    if not isinstance(tree, dict) or len(tree) != 1:
        raise ModelFileError(f"the saved tree holds {brief(tree)}, which is no part of one")
    ((kind, content),) = tree.items()
    if kind == "tensor" and type(content) is str and content in arrays:
        return make(arrays[content])
    if kind == "float" and content in ("nan", "inf", "-inf"):
        return float(content)
    parts = expect(content, list, "the saved tree") if kind in ("dict", "list", "tuple") else None
    if parts is None:
        raise ModelFileError(f"the saved tree holds {brief(tree)}, which is no part of one")
    if kind != "dict":
        items = [unpacked(part, arrays, make, depth + 1) for part in parts]
        return items if kind == "list" else tuple(items)
    if not all(isinstance(p, list) and len(p) == 2 and type(p[0]) in (str, int) for p in parts):
        raise ModelFileError("a dict of the saved tree isn't a list of keys and values")
    made = {key: unpacked(part, arrays, make, depth + 1) for key, part in parts}
    if len(made) < len(parts):
        raise ModelFileError("a dict of the saved tree has a key twice")
    return made
