"""Dicts, shared by reference, in insertion order, as in Python."""

from __future__ import annotations

from typing import Any

from ...ir.flows import ITEM, KEY, VALUE, Under, fills, gives, passes, shares, takes_in
from ...ir.join import join_all, join_types
from ...ir.types import INT, DictType, ListType, TupleType, Type
from ..registry import define
from .hashing import hashed
from .lists import listing
from .rules import hashable, membership, need, query

_dict = need(DictType, "a dict")


def _new_type(*items: Type) -> Type:
    pairs = zip(items[::2], items[1::2])
    return join_all(DictType(hashable(k, "dict.new"), v) for k, v in pairs) if items else DictType()


def _new_template(attrs: dict[str, Any], names: list[str], types: list[Type]) -> str:
    return "{" + ", ".join(f"{k}: {v}" for k, v in zip(names[::2], names[1::2])) + "}"


def _no_result(op: str) -> Any:
    def infer(dict_: Type, *rest: Type) -> tuple:
        _dict(dict_, op)
        if rest and op != "dict.update":
            hashable(rest[0], op)
        return ()

    return infer


def _value_type(op: str) -> Any:
    def infer(dict_: Type, key: Type, *default: Type) -> Type:
        hashable(key, op)
        return listing((_dict(dict_, op).value, *default)).elem

    return infer


def _set(dict_: dict, key: Any, value: Any) -> tuple:
    dict_[hashed(key)] = value
    return ()


def _delete(dict_: dict, key: Any) -> tuple:
    del dict_[hashed(key)]
    return ()


def _update(dict_: dict, other: dict) -> tuple:
    dict_.update(dict.items(other))
    return ()


def _popitem_type(dict_: Type) -> Type:
    found = _dict(dict_, "dict.popitem")
    return TupleType((found.key, found.value))


def _clear(dict_: dict) -> tuple:
    dict_.clear()
    return ()


_KEY = ("KeyError",)


def _keyed(method: Any) -> Any:
    """The kernel of a method that takes a key."""
    return lambda dict_, key, *default: method(dict_, hashed(key), *default)


new = define(
    "dict.new",
    kernel=lambda *items: dict(zip(map(hashed, items[::2]), items[1::2])),
    infer=_new_type,
    template=_new_template,
    flows=fills(lambda k, attrs: Under(k - 1) if k % 2 else KEY),
    allocates=True,
)
get = define(
    "dict.get",
    kernel=_keyed(dict.__getitem__),
    infer=_value_type("dict.get"),
    template="{0}[{1}]",
    flows=gives(Under(1)),
    store="dict.set",
    reads=(0,),
    raises=_KEY,
)
get_default = define(
    "dict.get_default",
    kernel=_keyed(dict.get),
    infer=_value_type("dict.get_default"),
    template="{0}.get({1}, {2})",
    flows=(*gives(Under(1)), *passes(2)),
    reads=(0,),
)
set_ = define(
    "dict.set",
    kernel=_set,
    infer=_no_result("dict.set"),
    template="{0}[{1}] = {2}",
    flows=(*takes_in(KEY, 1), *takes_in(Under(1), 2)),
    mutates=(0,),
)
delete = define(
    "dict.delete", kernel=_delete, infer=_no_result("dict.delete"), template="del {0}[{1}]", mutates=(0,), raises=_KEY
)
contains = define(
    "dict.contains",
    kernel=_keyed(dict.__contains__),
    infer=membership(_dict, "dict.contains"),
    template="{1} in {0}",
    reads=(0,),
)
length = define("dict.len", kernel=len, infer=query(_dict, "dict.len", INT), template="len({0})", reads=(0,))
keys = define(
    "dict.keys",
    kernel=list,
    infer=lambda d: ListType(_dict(d, "dict.keys").key),
    template="list({0})",
    flows=gives(KEY, into=(ITEM,)),
    reads=(0,),
    allocates=True,
)
values = define(
    "dict.values",
    kernel=lambda d: list(d.values()),
    infer=lambda d: ListType(_dict(d, "dict.values").value),
    template="list({0}.values())",
    flows=gives(VALUE, into=(ITEM,)),
    reads=(0,),
    allocates=True,
)
items = define(
    "dict.items",
    kernel=lambda d: list(d.items()),
    infer=lambda d: ListType(TupleType((_dict(d, "dict.items").key, d.value))),
    template="list({0}.items())",
    flows=gives(KEY, VALUE, into=(ITEM,)),
    reads=(0,),
    allocates=True,
)
update = define(
    "dict.update",
    kernel=_update,
    infer=_no_result("dict.update"),
    template="{0}.update({1})",
    flows=shares(KEY, VALUE, of=(1,), into=0),
    mutates=(0,),
    reads=(1,),
)
pop = define(
    "dict.pop",
    kernel=_keyed(dict.pop),
    infer=_value_type("dict.pop"),
    flows=(*gives(Under(1)), *passes(2)),
    mutates=(0,),
    reads=(0,),
    raises=_KEY,
)
popitem = define(
    "dict.popitem",
    kernel=dict.popitem,
    infer=_popitem_type,
    flows=gives(KEY, VALUE),
    mutates=(0,),
    reads=(0,),
    raises=_KEY,
)
setdefault = define(
    "dict.setdefault",
    kernel=_keyed(dict.setdefault),
    infer=_value_type("dict.setdefault"),
    flows=(*takes_in(KEY, 1), *takes_in(Under(1), 2), *gives(Under(1))),
    mutates=(0,),
    reads=(0,),
)
copy = define(
    "dict.copy",
    kernel=dict.copy,
    infer=lambda d: _dict(d, "dict.copy"),
    template="dict({0})",
    flows=shares(KEY, VALUE),
    reads=(0,),
    allocates=True,
)
clear = define("dict.clear", kernel=_clear, infer=_no_result("dict.clear"), template="{0}.clear()", mutates=(0,))
merge = define(
    "dict.merge",
    kernel=lambda a, b: a | b,
    infer=lambda a, b: join_types(_dict(a, "dict.merge"), _dict(b, "dict.merge")),
    template="{0} | {1}",
    flows=shares(KEY, VALUE, of=(0, 1)),
    reads=(0, 1),
    allocates=True,
)
