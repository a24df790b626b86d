"""Sets, shared by reference, as in Python."""

from __future__ import annotations

from typing import Any

from ...errors import DTypeError
from ...ir.join import join_all, join_types
from ...ir.types import BOOL, INT, ListType, SetType, Type
from ..registry import define
from .hashing import hashed
from .rules import hashable


def _set(type_: Type, op: str) -> SetType:
    if not isinstance(type_, SetType):
        raise DTypeError(f"{op} takes a set, not {type_}")
    return type_


def _new_type(*elems: Type) -> Type:
    return join_all(SetType(hashable(e, "set.new")) for e in elems) if elems else SetType()


def _change(op: str) -> Any:
    def infer(set_: Type, elem: Type | None = None) -> tuple:
        _set(set_, op)
        if elem is not None and op != "set.update":
            hashable(elem, op)
        return ()

    return infer


def _query(op: str, result: Type) -> Any:
    def infer(set_: Type, *rest: Type) -> Type:
        _set(set_, op)
        return result

    return infer


def _combine(op: str) -> Any:
    return lambda a, b: join_types(_set(a, op), _set(b, op))


def _void(method: Any) -> Any:
    def kernel(set_: set, *operands: Any) -> tuple:
        method(set_, *map(hashed, operands))
        return ()

    return kernel


def _update(set_: set, other: Any) -> tuple:
    set.update(set_, map(hashed, other))
    return ()


_BOTH: dict[str, Any] = {"reads": (0, 1), "allocates": True}

new = define("set.new", kernel=lambda *elems: set(map(hashed, elems)), infer=_new_type, allocates=True)
add = define("set.add", kernel=_void(set.add), infer=_change("set.add"), template="{0}.add({1})", mutates=(0,))
discard = define(
    "set.discard", kernel=_void(set.discard), infer=_change("set.discard"), template="{0}.discard({1})", mutates=(0,)
)
remove = define(
    "set.remove",
    kernel=_void(set.remove),
    infer=_change("set.remove"),
    template="{0}.remove({1})",
    mutates=(0,),
    raises=("KeyError",),
)
pop = define(
    "set.pop",
    kernel=set.pop,
    infer=lambda s: _set(s, "set.pop").elem,
    template="{0}.pop()",
    mutates=(0,),
    reads=(0,),
    raises=("KeyError",),
)
update = define(
    "set.update", kernel=_update, infer=_change("set.update"), template="{0}.update({1})", mutates=(0,), reads=(1,)
)
clear = define("set.clear", kernel=_void(set.clear), infer=_change("set.clear"), template="{0}.clear()", mutates=(0,))
contains = define(
    "set.contains", kernel=lambda s, e: hashed(e) in s, infer=_query("set.contains", BOOL), template="{1} in {0}", reads=(0,)
)
length = define("set.len", kernel=len, infer=_query("set.len", INT), template="len({0})", reads=(0,))
copy = define("set.copy", kernel=set.copy, infer=lambda s: _set(s, "set.copy"), template="set({0})", reads=(0,), allocates=True)
union = define("set.union", kernel=lambda a, b: a | b, infer=_combine("set.union"), template="{0} | {1}", **_BOTH)
intersection = define(
    "set.intersection", kernel=lambda a, b: a & b, infer=_combine("set.intersection"), template="{0} & {1}", **_BOTH
)
difference = define(
    "set.difference", kernel=lambda a, b: a - b, infer=lambda a, b: _set(a, "set.difference"), template="{0} - {1}", **_BOTH
)
symmetric_difference = define(
    "set.symmetric_difference",
    kernel=lambda a, b: a ^ b,
    infer=_combine("set.symmetric_difference"),
    template="{0} ^ {1}",
    **_BOTH,
)
isdisjoint = define(
    "set.isdisjoint",
    kernel=lambda a, b: set.isdisjoint(a, map(hashed, b)),
    infer=_query("set.isdisjoint", BOOL),
    reads=(0, 1),
)
to_list = define(
    "set.to_list",
    kernel=list,
    infer=lambda s: ListType(_set(s, "set.to_list").elem),
    template="list({0})",
    reads=(0,),
    allocates=True,
)
from_list = define(
    "set.from_list",
    kernel=lambda list_: set(map(hashed, list_)),
    infer=lambda list_: SetType(hashable(list_.elem, "set.from_list")),
    template="set({0})",
    reads=(0,),
    allocates=True,
)
