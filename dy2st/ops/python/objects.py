"""Instances of the user's classes: named fields, shared by reference. A field that an instance lacks reads as unbound."""

from __future__ import annotations

from typing import Any

from ...errors import DTypeError, ShapeError
from ...ir.flows import field_slot, fills, gives, takes_in
from ...ir.native import UNBOUND, Instance
from ...ir.types import BOOL, NEVER, ClassType, Type
from ..registry import define
from .hashing import hashed
from .rules import need

_object = need(ClassType, "an object")


def _new_type(*values: Type, cls: str, fields: Any = (), text: str = "") -> Type:
    if len(values) != len(fields):
        raise ShapeError(f"object.new: {cls} has the fields {list(fields)}, not {len(values)} values")
    return ClassType(cls, tuple(zip(fields, values)))


def _new(*values: Any, cls: str, fields: Any = (), text: str = "") -> Instance:
    instance = Instance(cls)
    instance.text = text
    instance.fields.update(zip(map(hashed, fields), values))
    return instance


def _get_type(object_: Type, field: str) -> Type:
    declared = _object(object_, "object.get").fields
    if declared is None:
        return NEVER  # below whatever the recorder knows it to be
    fields = dict(declared)
    if field not in fields:
        raise DTypeError(f"object.get: {object_} has no field {field!r}")
    return fields[field]


def _set(object_: Instance, value: Any, field: str) -> tuple:
    object_.fields[hashed(field)] = value
    return ()


def _set_type(object_: Type, value: Type, field: str) -> tuple:
    _object(object_, "object.set")
    return ()


def _delete(object_: Instance, field: str) -> tuple:
    if object_.fields.pop(hashed(field), UNBOUND) is UNBOUND:
        raise AttributeError(f"{object_.cls!r} object has no attribute {field!r}")
    return ()


def _delete_type(object_: Type, field: str) -> tuple:
    _object(object_, "object.delete")
    return ()


new = define(
    "object.new",
    kernel=_new,
    infer=_new_type,
    flows=fills(lambda k, attrs: field_slot(attrs["fields"][k])),
    allocates=True,
)
get = define(
    "object.get",
    kernel=lambda o, field: o.fields.get(hashed(field), UNBOUND),
    infer=_get_type,
    template="{0}.fields.get({field}, UNBOUND)",
    flows=lambda op: gives(field_slot(op.attrs["field"])),
    store="object.set",
    reads=(0,),
)
set_ = define(
    "object.set",
    kernel=_set,
    infer=_set_type,
    template="{0}.fields[{field}] = {1}",
    flows=lambda op: takes_in(field_slot(op.attrs["field"]), 1),
    mutates=(0,),
)
delete = define("object.delete", kernel=_delete, infer=_delete_type, mutates=(0,), raises=("AttributeError",))
has = define(
    "object.has",
    kernel=lambda o, field: o.fields.get(hashed(field), UNBOUND) is not UNBOUND,
    infer=lambda o, field: _object(o, "object.has") and BOOL,
    reads=(0,),
)
