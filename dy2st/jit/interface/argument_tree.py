"""The tree of a saved function's arguments as JSON, and how a call of the loaded one is matched against it.

A node is {"tensor": {shape, dtype, name, stop_gradient}}, {"changed": {type, name}}
for a container that the Program changes, {"list" | "tuple": [nodes]}, {"namedtuple": name, "fields": {...}},
{"dict": [[key, node], ...]}, {"constant": value}, {"object": class, "fields": [[attribute, node], ...]}, or {"object": class} for
a Python value that JSON can't hold. Of subclasses of list, tuple and dict, and of a deque, what they hold is kept, no attributes.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from ... import pytree
from ...dtypes import DTYPES
from ...errors import ConversionError, DTypeError, ShapeError
from ...ir.types import AtomType, ClassType, Type, parse_type
from ...runtime.pythons import NAMED
from ...runtime.tensors.borrowed import named
from ...runtime.tensors.spec import InputSpec, ValueSpec, holds_leaf
from ...runtime.tensors.tensor import Tensor
from .named_arguments import by_name

SCALARS = (bool, int, str, type(None))


class KeptDefault:
    """Stands in a tree for a parameter whose default the function keeps. kind: the name of the default's class."""

    def __init__(self, kind: str):
        self.kind = kind


def encode(tree: Any) -> dict:
    """The JSON node of a tree of InputSpecs and Python values."""
    if isinstance(tree, InputSpec):
        shape = [None if d == -1 else d for d in tree.shape]
        return {"tensor": {"shape": shape, "dtype": tree.dtype, "name": tree.name, "stop_gradient": tree.stop_gradient}}
    if isinstance(tree, ValueSpec):
        _refuse_objects(tree.type, tree)
        return {"changed": {"type": str(tree.type), "name": tree.name}}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return {"namedtuple": type(tree).__name__, "fields": [[f, encode(x)] for f, x in zip(tree._fields, tree)]}
    if type(tree) in SCALARS or (type(tree) is float and np.isfinite(tree)):
        return {"constant": tree}
    if isinstance(tree, KeptDefault):
        return {"object": tree.kind}
    keys, items = pytree.contents_of(tree)
    held = {name: encode(part) for name, part in pytree.attributes_of(tree).items()} if holds_leaf(tree) else {}
    if pytree.is_object(tree):
        fields = {"fields": [[name, node] for name, node in held.items()]} if held else {}
        return {"object": type(tree).__name__, **fields}
    if any(map(specs, held.values())):
        raise ConversionError(f"a {type(tree).__name__} with tensors as attributes can't be an argument of a saved model")
    if isinstance(tree, dict) and all(isinstance(key, str) for key in keys):
        return {"dict": [[key, encode(item)] for key, item in zip(keys, items)]}
    if isinstance(tree, list | tuple | deque):
        return {"tuple" if isinstance(tree, tuple) else "list": [encode(item) for item in items]}
    if holds_leaf(tree):
        raise ConversionError(f"tensors in a {type(tree).__name__} can't be arguments of a saved model; use text for keys")
    return {"object": type(tree).__name__}


def _refuse_objects(type_: Type, changed: ValueSpec) -> None:
    """ConversionError where what a Program changes holds an object: the process that loads it doesn't know the class."""
    if isinstance(type_, AtomType) or (isinstance(type_, ClassType) and type_.name not in NAMED):
        raise ConversionError(
            f"the argument {changed.name} is changed, and is or holds an object ({type_}): a saved model changes lists, "
            "dicts and sets of tensors, numbers and texts; return the new object instead"
        )
    for part in type_.parts():
        _refuse_objects(part, changed)


def specs(node: dict) -> list[InputSpec | ValueSpec]:
    """The specs of the inputs in a node, in order."""
    return [_spec(leaf) for leaf in leaves(node)]


def _spec(leaf: dict) -> InputSpec | ValueSpec:
    if "tensor" in leaf:
        return InputSpec(**leaf["tensor"])
    return ValueSpec(parse_type(leaf["changed"]["type"]), leaf["changed"]["name"])


def leaves(node: dict) -> list[dict]:
    """The nodes of the inputs in a node, in order."""
    return [node] if "tensor" in node or "changed" in node else [leaf for child in children(node) for leaf in leaves(child)]


def children(node: dict) -> list[dict]:
    """The nodes directly inside a node, in order."""
    for kind in ("list", "tuple"):
        if kind in node:
            return node[kind]
    return [child for _, child in node.get("dict", node.get("fields", ()))]


def matched(label: str, nodes: list[Any], args: tuple, kwargs: dict[str, Any]) -> list[tuple[str, dict, Any]]:
    """Each parameter's name, node and argument; a constant that isn't given is the saved one.

    nodes: the nodes by parameter. label: what messages call the function. TypeError, which names the argument: one is missing,
    unknown, given twice or beyond those that there are.
    """
    names = [name for name, _ in nodes]
    if len(args) > len(names):
        raise TypeError(f"{label} takes {len(names)} arguments ({', '.join(names)}), not {len(args)}")
    given = by_name(label, names, args, kwargs)
    for name, node in nodes:
        if name not in given and specs(node):
            raise TypeError(f"{label}: the argument {name!r} is missing; it takes {', '.join(names)}")
    return [(name, node, given[name]) for name, node in nodes if name in given]


def collect(node: dict, value: Any, where: str, found: list[Any]) -> None:
    """Append the tensors and arrays of `value` to `found`, in the order of the inputs; an error says where it doesn't fit."""
    if "tensor" in node:
        found.append(checked(node["tensor"], value, where))
    elif "changed" in node:
        found.append(value)
    elif "object" in node and "fields" in node:
        for name, child in node["fields"]:
            if not hasattr(value, name):
                raise ValueError(f"argument {where} is a {type(value).__name__} without the attribute {name!r}")
            collect(child, getattr(value, name), f"{where}.{name}", found)
    elif "constant" in node or "object" in node:
        _check_constant(node, value, where)
    elif "dict" in node:
        keys = [k for k, _ in node["dict"]]
        if not isinstance(value, dict) or value.keys() != set(keys):
            raise ValueError(
                f"argument {where} is a dict with the keys {keys}, not {list(value) if isinstance(value, dict) else value!r}"
            )
        _refuse_attributes(value, where)
        for key, child in node["dict"]:
            collect(child, value[key], f"{where}[{key!r}]", found)
    else:
        parts = children(node)
        if not isinstance(value, list | tuple | deque) or len(value) != len(parts):
            raise ValueError(f"argument {where} is a sequence of {len(parts)} items, not {value!r}")
        _refuse_attributes(value, where)
        for i, (child, item) in enumerate(zip(parts, value)):
            collect(child, item, f"{where}[{i}]", found)


def _refuse_attributes(value: Any, where: str) -> None:
    """ValueError for a container with attributes: the file lacks those of the one that the model was saved with."""
    if pytree.has_attributes(type(value)) and (names := pytree.attributes_of(value)):
        raise ValueError(
            f"argument {where} can't have attributes ({', '.join(names)}), since the file doesn't hold the ones that the model "
            f"was saved with: give a {pytree.base_of(type(value)).__name__} without any"
        )


def _check_constant(node: dict, value: Any, where: str) -> None:
    """ValueError for another value than the constant that the model was saved with, and for any object: the file lacks it.

    None stands for an object that is left out.
    """
    if "constant" in node and not (type(value) is type(node["constant"]) and value == node["constant"]):
        raise ValueError(
            f"argument {where} is {value!r}; the model was saved with the constant {node['constant']!r} in its place"
        )
    if "object" in node and value is not None:
        is_array = isinstance(value, Tensor | np.ndarray)
        instead = f"save the model with an InputSpec for {where}" if is_array else "give None"
        raise ValueError(
            f"argument {where} can't be given, since the file doesn't hold the {node['object']} that the model was saved with: "
            f"leave it out, or {instead}"
        )


def checked(spec: dict, given: Any, where: str) -> Any:
    """What is given for a tensor of this spec; an error, which says where, if it is another."""
    if isinstance(given, Tensor) and given.is_staged:
        return given  # the recording that it belongs to checks its type
    value = given._data if isinstance(given, Tensor) else given
    if not isinstance(value, np.ndarray):
        raise TypeError(f"argument {where} is a tensor or an array, not {named(value)}")
    if value.dtype != DTYPES[spec["dtype"]].numpy:
        raise DTypeError(f"argument {where} has dtype {value.dtype.name}; the model takes {spec['dtype']}: cast it")
    shape = spec["shape"]
    if len(shape) != value.ndim or any(d is not None and d != n for d, n in zip(shape, value.shape)):
        raise ShapeError(
            f"argument {where} has shape {list(value.shape)}; the model takes {shape}: a length that differs is None in the "
            "InputSpec that the model is saved with"
        )
    return given
