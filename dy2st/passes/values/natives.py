"""Native values as a Program without a heap takes and gives them, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.native import UNBOUND, Cell, Instance, Record, matches
from ...ir.types import CellType, ClassType, ListType, RecordType, SequenceType, SetType, SumType, TupleType, Type
from .pure_types import BOX, CELL, SET, boxes_lists, is_boxed, object_names


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
        parts = [without_heap(value[name], t) for name, t in zip(type_.names, type_.types)]
        return Record.of(*object_names("dict", len(parts)), parts)
    if isinstance(type_, SumType):
        found = next(t for t in type_.alternatives if matches(t, value))
        made = without_heap(value, found)
        return Record.of(*BOX, [made]) if isinstance(found, ListType) and boxes_lists(type_) else made
    if isinstance(type_, TupleType):
        return _tuple(type_, [without_heap(x, t) for x, t in zip(value, type_.elems)])
    if isinstance(type_, CellType):
        return Record.of(*CELL, [without_heap(value.value, type_.elem)])
    if isinstance(type_, SetType):
        return Record.of(*SET, [tuple(value)])
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
    if isinstance(type_, CellType):
        return Cell(with_heap(value[0], type_.elem))
    if isinstance(type_, SetType):
        return set(value[0])
    if isinstance(type_, SumType):
        return _one_of(value, type_)
    if isinstance(type_, TupleType):
        return _tuple(type_, [with_heap(x, t) for x, t in zip(value, type_.elems)])
    return value


def stands_for(type_: Type, original: Type) -> bool:
    """Whether values of a type without heap can be put together to one of the original Program: they have the same parts."""
    if isinstance(original, ListType | SequenceType):
        return isinstance(type_, SequenceType) and stands_for(type_.elem, original.elem)
    if isinstance(original, SumType):
        alternatives = type_.alternatives if isinstance(type_, SumType) else (type_,)
        return all(any(_is_one(part, known) for known in original.alternatives) for part in alternatives)
    if isinstance(original, RecordType | ClassType | CellType | TupleType):
        parts = original.types if isinstance(original, RecordType) else original.parts()
        return isinstance(type_, TupleType) and _all_stand_for(type_.elems, parts)
    if isinstance(original, SetType):
        return isinstance(type_, TupleType) and _all_stand_for(type_.elems, [SequenceType(original.elem)])
    return not isinstance(type_, SequenceType | SumType | TupleType)


def _is_one(type_: Type, original: Type) -> bool:
    """The same for an alternative of a sum, where a list may be in a tuple of its own."""
    if is_boxed(type_):
        return isinstance(original, ListType) and _all_stand_for(type_.parts(), [original])
    return stands_for(type_, original)


def _all_stand_for(types: Sequence[Type], originals: Sequence[Type]) -> bool:
    return len(types) == len(originals) and all(map(stands_for, types, originals))


def _one_of(value: Any, type_: SumType) -> Any:
    found = type_.alternatives
    if boxes_lists(type_):
        is_box = isinstance(value, Record) and value.name == BOX[0]
        found = tuple(t for t in found if isinstance(t, ListType) is is_box)
        value = value[0] if is_box else value
    return with_heap(value, next(t for t in found if _stands_for(value, t)))


def _tuple(type_: TupleType, parts: list[Any]) -> tuple:
    return Record.of(type_.name, type_.fields, parts) if type_.name else tuple(parts)


def _stands_for(value: Any, type_: Type) -> bool:
    if isinstance(type_, ListType):
        return matches(SequenceType(type_.elem), value) and not isinstance(value, Record)
    if isinstance(type_, CellType | SetType):
        return isinstance(value, Record) and value.name == (CELL if isinstance(type_, CellType) else SET)[0]
    if isinstance(type_, ClassType):
        return isinstance(value, Record) and value.name == object_names(type_.name, 0)[0]
    if isinstance(type_, RecordType):
        return isinstance(value, Record) and (value.name, len(value)) == (object_names("dict", 0)[0], len(type_.names))
    if isinstance(type_, TupleType):
        same_name = getattr(value, "name", "") == type_.name
        return isinstance(value, tuple) and same_name and len(value) == len(type_.elems)
    return matches(type_, value)
