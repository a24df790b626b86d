"""Sets, shared by reference, as in Python."""

from __future__ import annotations

from typing import Any

from ...ir.flows import ITEM, fills, gives, shares, takes_in
from ...ir.join import join_all, join_types
from ...ir.types import BOOL, INT, ListType, SetType, Type
from ..registry import OpDef, define
from .hashing import hashed
from .rules import hashable, membership, need, query

_set = need(SetType, "a set")


def _new_type(*elems: Type) -> Type:
    return join_all(SetType(hashable(e, "set.new")) for e in elems) if elems else SetType()


def _no_result(op: str) -> Any:
    def infer(set_: Type, elem: Type | None = None) -> tuple:
        _set(set_, op)
        if elem is not None and op != "set.update":
            hashable(elem, op)
        return ()

    return infer


def _combine(op: str) -> Any:
    return lambda a, b: join_types(_set(a, op), _set(b, op))


def _update(set_: set, other: Any) -> tuple:
    set.update(set_, map(hashed, other))
    return ()


def _change(name: str, template: str, kernel: Any = None, **parts: Any) -> OpDef:
    """The operator of a method that changes its set and gives nothing."""
    method = getattr(set, name)

    def of_members(set_: set, *operands: Any) -> tuple:
        method(set_, *map(hashed, operands))
        return ()

    infer = _no_result(f"set.{name}")
    return define(f"set.{name}", kernel=kernel or of_members, infer=infer, template=template, mutates=(0,), **parts)


_BOTH: dict[str, Any] = {"flows": shares(ITEM, of=(0, 1)), "reads": (0, 1), "allocates": True}

new = define(
    "set.new",
    kernel=lambda *elems: set(map(hashed, elems)),
    infer=_new_type,
    flows=fills(lambda k, attrs: ITEM),
    allocates=True,
)
add = _change("add", "{0}.add({1})", flows=takes_in(ITEM, 1))
discard = _change("discard", "{0}.discard({1})")
remove = _change("remove", "{0}.remove({1})", raises=("KeyError",))
pop = define(
    "set.pop",
    kernel=set.pop,
    infer=lambda s: _set(s, "set.pop").elem,
    template="{0}.pop()",
    flows=gives(ITEM),
    mutates=(0,),
    reads=(0,),
    raises=("KeyError",),
)
update = _change("update", "{0}.update({1})", _update, flows=shares(ITEM, of=(1,), into=0), reads=(1,))
clear = _change("clear", "{0}.clear()")
contains = define(
    "set.contains", kernel=lambda s, e: hashed(e) in s, infer=membership(_set, "set.contains"), template="{1} in {0}", reads=(0,)
)
length = define("set.len", kernel=len, infer=query(_set, "set.len", INT), template="len({0})", reads=(0,))
copy = define(
    "set.copy",
    kernel=set.copy,
    infer=lambda s: _set(s, "set.copy"),
    template="set({0})",
    flows=shares(ITEM),
    reads=(0,),
    allocates=True,
)
union = define("set.union", kernel=lambda a, b: a | b, infer=_combine("set.union"), template="{0} | {1}", **_BOTH)
intersection = define(
    "set.intersection", kernel=lambda a, b: a & b, infer=_combine("set.intersection"), template="{0} & {1}", **_BOTH
)
difference = define(
    "set.difference",
    kernel=lambda a, b: a - b,
    infer=lambda a, b: _set(a, "set.difference"),
    template="{0} - {1}",
    flows=shares(ITEM),
    reads=(0, 1),
    allocates=True,
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
    infer=query(_set, "set.isdisjoint", BOOL),
    reads=(0, 1),
)
to_list = define(
    "set.to_list",
    kernel=list,
    infer=lambda s: ListType(_set(s, "set.to_list").elem),
    template="list({0})",
    flows=shares(ITEM),
    reads=(0,),
    allocates=True,
)
from_list = define(
    "set.from_list",
    kernel=lambda list_: set(map(hashed, list_)),
    infer=lambda list_: SetType(hashable(list_.elem, "set.from_list")),
    template="set({0})",
    flows=shares(ITEM),
    reads=(0,),
    allocates=True,
)
