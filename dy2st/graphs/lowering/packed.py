"""A tuple, sequence, sum or number of the Program, as lowerings of its operators see it."""

from __future__ import annotations

from typing import Any

from ...ir.join import sequence_of
from ...ir.types import BOOL, FLOAT, INT, NUMBER, SequenceType, SumType, TupleType, Type
from . import coercion, columns
from .builder import Builder
from .leaves import is_single
from .values import GraphValue, is_floating


class Packed:
    """A value that is not exactly one tensor: its type and its leaves.

    Operators on such values are lowered by its methods: `onnx=lambda g, s, i: s.at(i)`.
    """

    def __init__(self, g: Builder, type_: Type, leaves: Any):
        self.g, self.type, self.leaves = g, type_, list(leaves)

    @classmethod
    def of(cls, g: Builder, value: Any, type_: Type) -> Packed:
        """A value of a type; one tensor, too."""
        return value if isinstance(value, Packed) else cls(g, type_, [value])

    def as_type(self, wanted: Type) -> Packed:
        """The same value where its place declares a wider type."""
        return Packed(self.g, wanted, coercion.coerced(self.g, self.leaves, self.type, wanted))

    def unpacked(self) -> Any:
        """The one tensor that it is, as a number where it is one of Python's; itself otherwise."""
        return one(self.type, self.leaves) if is_single(self.type) else self

    # --- tuples --------------------------------------------------------------------------------------------------------------

    def items(self) -> list[Any]:
        """The items of a tuple."""
        assert isinstance(self.type, TupleType)
        parts = coercion.split(self.leaves, self.type.elems)
        return [Packed(self.g, type_, part).unpacked() for type_, part in zip(self.type.elems, parts)]

    # --- sequences -----------------------------------------------------------------------------------------------------------

    @property
    def rows(self) -> coercion.Rows:
        """A sequence as its items; of a tuple, that as a sequence."""
        packed = self if isinstance(self.type, SequenceType) else self.as_type(sequence_of(self.type))
        assert isinstance(packed.type, SequenceType)
        return coercion.Rows(self.g, packed.type, packed.leaves)

    def length(self) -> GraphValue:
        """The number of items."""
        return self.rows.length()

    def columns(self) -> tuple[Type, list[GraphValue]]:
        """The items as one value: their type, and its leaves with a row for each item."""
        rows = self.rows
        return rows.type.elem, [*rows.leaves] if rows.groups else []

    def at(self, index: GraphValue) -> Any:
        """The item at an index, which may count from the end."""
        rows = self.rows
        return Packed(self.g, rows.type.elem, rows.row(index)).unpacked()

    def stretch(self, start: GraphValue, stop: GraphValue) -> Packed:
        """The items from `start` to `stop`, both at least 0."""
        rows = self.rows
        return Packed(self.g, rows.type, rows.stretch(start, stop))

    def taken(self, places: GraphValue) -> Packed:
        """The items at `places`, int64[m], at least 0, in their order."""
        rows = self.rows
        return Packed(self.g, rows.type, rows.rows(places))

    def joined(self, other: Packed, type_: SequenceType) -> Packed:
        """These items and those of another, as a sequence of the type `type_`."""
        pair = [x.as_type(type_).leaves for x in (self, other)]
        return Packed(self.g, type_, coercion.joined(self.g, *pair))

    def appended(self, item: Any) -> Packed:
        """These items and one more."""
        rows = self.rows
        leaves = self.g.as_type(item, rows.type.elem).leaves  # type: ignore[attr-defined]
        return Packed(self.g, rows.type, rows.appended(leaves))

    # --- adjoints ------------------------------------------------------------------------------------------------------------

    def zeros(self) -> Packed:
        """The same value with zeros for all numbers of floating point."""
        return Packed(self.g, self.type, [columns.zeros(self.g, x) if is_floating(x) else x for x in self.leaves])

    def plus(self, other: Packed) -> Packed:
        """The same value with the sums of all numbers of floating point, with those of another of its type."""
        pairs = zip(self.leaves, other.leaves)
        return Packed(self.g, self.type, [columns.total(self.g, x, y) if is_floating(x) else x for x, y in pairs])

    # --- sums ----------------------------------------------------------------------------------------------------------------

    @property
    def tag(self) -> GraphValue:
        """The number of the alternative that a union holds, int64[]."""
        return self.leaves[0]

    def alternative(self, place: int) -> Any:
        """Alternative number `place` of a sum, blank where it holds another."""
        assert isinstance(self.type, SumType)
        parts = coercion.split(self.leaves[1:], self.type.alternatives)
        return Packed(self.g, self.type.alternatives[place], parts[place]).unpacked()

    @property
    def is_number(self) -> bool:
        """Whether it is a number whose class follows the path."""
        return self.type == NUMBER


def one(type_: Type, leaves: list[GraphValue]) -> GraphValue:
    """The tensor of a value that is exactly one."""
    return leaves[0].as_number() if type_ in (BOOL, INT, FLOAT) else leaves[0]
