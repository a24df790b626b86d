"""What a loop carries from turn to turn: a tensor whose memory changes, or a tuple of them."""

from __future__ import annotations

from ...ir.core import Operation, Value
from ...ir.types import TupleType, Type
from .places import Bundle, Choice, Place, Root, Storage, part_of


class CarriedMemory:
    """A carried tensor, or tuple of them: its Storages, where it is at first, and whether somebody else knows that place, too."""

    def __init__(self, number: int, type_: Type, start: Place, storages: list[Storage], is_known: bool):
        self.number, self.type, self.start, self.storages, self.is_known = number, type_, start, storages, is_known

    def place(self, flag: Value | None) -> Place:
        """Where it is to be found, in a Block or afterwards."""
        moved = _gathered(iter([Root(s) for s in self.storages]), self.type)
        return moved if flag is None else Choice(flag, moved, self.start, self.type)


def leaf_types(type_: Type) -> list[Type]:
    """The types of the parts of nested tuples."""
    return [t for elem in type_.elems for t in leaf_types(elem)] if isinstance(type_, TupleType) else [type_]


def leaves_of(place: Place, type_: Type) -> list[Place]:
    """Where the parts of nested tuples are."""
    if not isinstance(type_, TupleType):
        return [place]
    takes = [Operation("tuple.get", (), {"index": k}, [elem], n_positional=1) for k, elem in enumerate(type_.elems)]
    return [leaf for take in takes for leaf in leaves_of(part_of(place, take), take.result.type)]


def _gathered(leaves: object, type_: Type) -> Place:
    """The tuple of parts that come in order."""
    if not isinstance(type_, TupleType):
        return next(leaves)  # type: ignore[call-overload]
    attrs = {"name": type_.name, "fields": list(type_.fields)} if type_.name else {}
    return Bundle(Operation("tuple.new", (), attrs, [type_]), [_gathered(leaves, elem) for elem in type_.elems], type_)
