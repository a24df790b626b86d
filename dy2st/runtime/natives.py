"""Between live Python values and the native form in which a Program runs (`ir.native`)."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..ir.native import UNBOUND, Atom, Instance, Record
from ..ops.python.text import set_tensor_formatter
from .markers import Unbound
from .tensor import Tensor

set_tensor_formatter(lambda array: repr(Tensor(array)))  # a Program prints tensors as eager code does


def to_native(value: Any, atom_text: Callable[[Any], str]) -> Any:
    """The native form of a live value; `atom_text` names objects that have none of their own."""
    if isinstance(value, Tensor):
        return value._data
    if isinstance(value, np.ndarray) or value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.generic):
        return np.asarray(value)
    if isinstance(value, tuple):
        parts = [to_native(x, atom_text) for x in value]
        if not hasattr(value, "_fields"):
            return tuple(parts)
        record = Record(parts)
        record.name, record.fields = type(value).__name__, value._fields
        return record
    if type(value) is list:
        return [to_native(x, atom_text) for x in value]
    if type(value) is set:
        return {to_native(x, atom_text) for x in value}
    if type(value) is dict:
        return {to_native(k, atom_text): to_native(v, atom_text) for k, v in value.items()}
    if isinstance(value, Unbound):
        return UNBOUND
    return Atom(atom_text(value))


def from_native(
    value: Any, objects: dict[str, Any], memo: dict[int, Any] | None = None, tensor: Callable[[np.ndarray], Tensor] = Tensor
) -> Any:
    """The live value for a native one: arrays become Tensors; names become the objects in `objects`, or stand-ins of that name.

    One container stays one container, however many references there are.
    """
    memo = {} if memo is None else memo
    if value is None or type(value) in (bool, int, float, str):
        return value
    if id(value) in memo:
        return memo[id(value)]
    if isinstance(value, np.ndarray):
        memo[id(value)] = tensor(value)
        return memo[id(value)]
    if isinstance(value, np.generic):
        return tensor(np.asarray(value))
    if type(value) is list:
        made: Any = []
        memo[id(value)] = made
        made.extend(from_native(x, objects, memo, tensor) for x in value)
        return made
    if type(value) is dict:
        made = memo[id(value)] = {}
        made.update((from_native(k, objects, memo, tensor), from_native(v, objects, memo, tensor)) for k, v in value.items())
        return made
    if type(value) is set:
        return {from_native(x, objects, memo, tensor) for x in value}
    if isinstance(value, Record):
        cls = objects.get(f"tuple {value.name}") or namedtuple(value.name, value.fields)  # type: ignore[misc]
        return cls(*(from_native(x, objects, memo, tensor) for x in value))
    if isinstance(value, tuple):
        return tuple(from_native(x, objects, memo, tensor) for x in value)
    if isinstance(value, Instance):
        return _instance(value, objects, memo, tensor)
    if isinstance(value, Atom):
        return objects.get(value.text, value)
    return Unbound("") if value is UNBOUND else value


def _instance(value: Instance, objects: dict[str, Any], memo: dict[int, Any], tensor: Callable) -> Any:
    if value.text in objects:
        return objects[value.text]
    cls = objects.get(f"class {value.cls}")
    made = memo[id(value)] = SimpleNamespace() if cls is None else object.__new__(cls)
    vars(made).update((k, from_native(v, objects, memo, tensor)) for k, v in value.fields.items())
    return made
