"""Native values as a Program without a heap takes and gives them, and back."""

from __future__ import annotations

from typing import Any

from ...ir.native import UNBOUND, Instance, Record, matches
from ...ir.types import CellType, ClassType, ListType, RecordType, SequenceType, SumType, TupleType, Type
from .pure_types import object_names


def without_heap(value: Any, type_: Type) -> Any:
    """What stands for a native value of the original Program. type_: `original` of an `Argument` or `Result`.

    without_heap([1, 2], parse_type("list<int>"))   # (1, 2)
    """
    if isinstance(type_, ListType | SequenceType):
        return tuple([without_heap(x, type_.elem) for x in value])
    if isinstance(type_, ClassType):
        types = dict(type_.fields or ())
        parts = [without_heap(value.fields.get(name, UNBOUND), t) for name, t in types.items()]
        return Record.of(*object_names(type_.name, len(parts)), parts)
    if isinstance(type_, RecordType):
        return tuple([without_heap(value[name], t) for name, t in zip(type_.names, type_.types)])
    if isinstance(type_, SumType):
        return without_heap(value, next(t for t in type_.alternatives if matches(t, value)))
    if isinstance(type_, TupleType):
        return _tuple(type_, [without_heap(x, t) for x, t in zip(value, type_.elems)])
    assert not isinstance(type_, CellType)
    return value


def with_heap(value: Any, type_: Type) -> Any:
    """The native value of the original Program that `value` stands for; each list, dict and object in it is a new one.

    with_heap((1, 2), parse_type("list<int>"))   # [1, 2]
    """
    if isinstance(type_, ListType | SequenceType):
        return (list if isinstance(type_, ListType) else tuple)(with_heap(x, type_.elem) for x in value)
    if isinstance(type_, ClassType):
        made = Instance(type_.name)
        held = {name: with_heap(x, t) for (name, t), x in zip(type_.fields or (), value)}
        made.fields.update({name: x for name, x in held.items() if x is not UNBOUND})
        return made
    if isinstance(type_, RecordType):
        return {name: with_heap(x, t) for name, x, t in zip(type_.names, value, type_.types)}
    if isinstance(type_, SumType):
        return with_heap(value, next(t for t in type_.alternatives if _stands_for(value, t)))
    if isinstance(type_, TupleType):
        return _tuple(type_, [with_heap(x, t) for x, t in zip(value, type_.elems)])
    return value


def _tuple(type_: TupleType, parts: list[Any]) -> tuple:
    return Record.of(type_.name, type_.fields, parts) if type_.name else tuple(parts)


def _stands_for(value: Any, type_: Type) -> bool:
    if isinstance(type_, ListType):
        return matches(SequenceType(type_.elem), value) and not isinstance(value, Record)
    if isinstance(type_, ClassType):
        return isinstance(value, Record) and value.name == object_names(type_.name, 0)[0]
    if isinstance(type_, RecordType):
        return isinstance(value, tuple) and not isinstance(value, Record) and len(value) == len(type_.names)
    if isinstance(type_, TupleType):
        same_name = getattr(value, "name", "") == type_.name
        return isinstance(value, tuple) and same_name and len(value) == len(type_.elems)
    return matches(type_, value)
