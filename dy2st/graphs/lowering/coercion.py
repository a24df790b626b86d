"""The leaves of a value where its place declares a wider type: a number for an int, a sum for one of its alternatives."""

from __future__ import annotations

from collections.abc import Sequence as Items

from ...ir.join import is_subtype
from ...ir.types import BOOL, FLOAT, INT, NEVER, NUMBER, SequenceType, SumType, TensorType, TupleType, Type
from . import columns
from .builder import Builder
from .leaves import columns_of, leaves_of
from .refusal import InexpressibleError
from .values import Array, GraphValue, Sequence

KINDS: dict[Type, int] = {BOOL: 0, INT: 1, FLOAT: 2}  # what the first leaf of a number says


def blanks(g: Builder, type_: Type) -> list[GraphValue]:
    """Leaves that stand where no path reads them. Open lengths are 1, which broadcasts with any other and has a first element."""
    found = []
    for leaf in leaves_of(type_):
        if leaf.is_column:
            found.append(columns.empty(g, leaf))
        else:
            assert isinstance(leaf.type, Array)
            found.append(g.unread(leaf.type.dtype, [dim if isinstance(dim, int) else 1 for dim in leaf.type.shape or ()]))
    return found


def coerced(g: Builder, leaves: Items[GraphValue], given: Type, wanted: Type) -> list[GraphValue]:
    """The leaves of a value of the type `given` as those of one of the type `wanted`, a supertype."""
    if given == wanted or type(given) is type(wanted) and leaves_of(given) == leaves_of(wanted) and not _holds_tags(given):
        return [*leaves]
    if given == NEVER:
        return blanks(g, wanted)
    if isinstance(wanted, SumType):
        return _into_sum(g, leaves, given, wanted)
    if wanted == NUMBER:
        return number(g, leaves[0], given)
    if isinstance(given, TupleType) and isinstance(wanted, TupleType):
        parts = zip(split(leaves, given.elems), given.elems, wanted.elems)
        return [leaf for part, a, b in parts for leaf in coerced(g, part, a, b)]
    if isinstance(given, TupleType) and isinstance(wanted, SequenceType):
        items = [coerced(g, part, elem, wanted.elem) for part, elem in zip(split(leaves, given.elems), given.elems)]
        return sequence(g, wanted, items)
    if isinstance(given, SequenceType) and isinstance(wanted, SequenceType):
        return _sequence_of_wider(g, leaves, given, wanted)
    if len(leaves) == len(leaves_of(wanted)) == 1 or isinstance(given, TensorType) and isinstance(wanted, TensorType):
        return [*leaves]
    raise InexpressibleError(f"a {given} doesn't become a {wanted}")


def _holds_tags(type_: Type) -> bool:
    """Whether a value holds a tag, which another type with the same leaves may mean otherwise."""
    return type_.holds(SumType)


def split(leaves: Items[GraphValue], types: Items[Type]) -> list[list[GraphValue]]:
    """The leaves of each of several values that lie one after the other."""
    rest = iter(leaves)
    return [[next(rest) for _ in leaves_of(type_)] for type_ in types]


def number(g: Builder, x: GraphValue, given: Type) -> list[GraphValue]:
    """A bool, int or float as a number: its kind, as int, as float."""
    whole = g.cast(x, "int64") if given != FLOAT else g.const(0)
    return [g.const(KINDS[given]), whole, g.cast(x, "float64")]


def sequence(g: Builder, type_: SequenceType, items: Items[Items[GraphValue]]) -> list[GraphValue]:
    """A sequence of items, each with the leaves of its element type."""
    found: list[GraphValue] = []
    for k, leaf in enumerate(leaves_of(type_.elem)):
        rows = [item[k] for item in items]
        if not leaf.is_column:
            found.append(columns.column(g, columns_of(leaf)[0], rows))
            continue
        lengths, flat = columns_of(leaf)
        found.append(columns.column(g, lengths, [columns.length(g, x) for x in rows]))
        together = columns.empty(g, flat)
        for x in rows:
            together = columns.joined(g, together, x)
        found.append(together)
    return found or [g.const(len(items))]


def _into_sum(g: Builder, leaves: Items[GraphValue], given: Type, wanted: SumType) -> list[GraphValue]:
    if not isinstance(given, SumType):
        place = next(k for k, part in enumerate(wanted.alternatives) if is_subtype(given, part))
        return in_sum(g, coerced(g, leaves, given, wanted.alternatives[place]), wanted, place)
    places = [next(k for k, b in enumerate(wanted.alternatives) if is_subtype(a, b)) for a in given.alternatives]
    parts: list[list[GraphValue]] = [[] for _ in wanted.alternatives]
    for place, a, part in zip(places, given.alternatives, split(leaves[1:], given.alternatives)):
        if parts[place]:
            raise InexpressibleError(f"two alternatives of {given} become one of {wanted}")
        parts[place] = coerced(g, part, a, wanted.alternatives[place])
    filled = [part or blanks(g, type_) for part, type_ in zip(parts, wanted.alternatives)]
    tag = g.Gather(g.const(places), leaves[0].as_tensor(), axis=0)
    return [tag, *(leaf for part in filled for leaf in part)]


def in_sum(g: Builder, leaves: Items[GraphValue], wanted: SumType, place: int) -> list[GraphValue]:
    """The leaves of alternative number `place` as those of the sum."""
    parts = [leaves if k == place else blanks(g, part) for k, part in enumerate(wanted.alternatives)]
    return [g.const(place), *(leaf for part in parts for leaf in part)]


def _sequence_of_wider(g: Builder, leaves: Items[GraphValue], given: SequenceType, wanted: SequenceType) -> list[GraphValue]:
    if given.elem == NEVER:
        return sequence(g, wanted, [])
    if not leaves_of(wanted.elem):
        return [Rows(g, given, leaves).length()]
    have, want = leaves_of(given), leaves_of(wanted)
    alike = len(have) == len(want) and all(a.row.dtype == b.row.dtype for a, b in zip(have, want))
    if alike and (given.elem == wanted.elem or not _holds_tags(given.elem)):
        return [columns.converted(g, x, leaf) for x, leaf in zip(leaves, want)]
    starts = sequence(g, wanted, [])
    source = Rows(g, given, leaves)

    def turn(number: GraphValue, *found: GraphValue) -> tuple:
        item = coerced(g, source.row(number), given.elem, wanted.elem)
        one = sequence(g, wanted, [item])
        return g.const(True), [columns.joined(g, a, b) for a, b in zip(found, one)], []

    return g.loop(source.length(), None, starts, [leaf.type for leaf in want], turn)


class Rows:
    """A sequence as its items: each is the leaves of the element type."""

    def __init__(self, g: Builder, type_: SequenceType, leaves: Items[GraphValue]):
        self.g, self.type, self.leaves = g, type_, leaves
        rest = iter(leaves)
        self.groups = [(leaf, [next(rest) for _ in columns_of(leaf)]) for leaf in leaves_of(type_.elem)]

    def length(self) -> GraphValue:
        """The number of items, int64[]."""
        return columns.length(self.g, self.groups[0][1][0]) if self.groups else self.leaves[0]

    def place(self, at: GraphValue) -> GraphValue:
        """An index, int64[], counted from the front."""
        g = self.g
        if at.item is not None and at.item >= 0:
            return at.as_tensor()
        if at.item is not None:
            return g.Add(self.length(), at)
        return g.Where(g.Less(at, 0), g.Add(at, self.length()), at.as_tensor())

    def row(self, at: GraphValue) -> list[GraphValue]:
        """The leaves of one item; `at` may count from the end."""
        if all(not leaf.is_column for leaf, _ in self.groups):
            return [columns.row(self.g, found[0], at) for _, found in self.groups]
        place = self.place(at)
        return [self._row(leaf, found, place) for leaf, found in self.groups]

    def _row(self, leaf, found: list[GraphValue], at: GraphValue) -> GraphValue:
        if not leaf.is_column:
            return columns.row(self.g, found[0], at)
        start = self._before(found[0], at)
        return columns.stretch(self.g, found[1], start, self.g.Add(start, columns.row(self.g, found[0], at)))

    def _before(self, lengths: GraphValue, at: GraphValue) -> GraphValue:
        """How many rows the items in front of `at` have together."""
        before = columns.stretch(self.g, lengths, self.g.const(0), at)
        return self.g.reduce("ReduceSum", before, [0])

    def appended(self, item: Items[GraphValue]) -> list[GraphValue]:
        """The items and one more."""
        g, found = self.g, []
        for (leaf, given), x in zip(self.groups, item):
            if leaf.is_column:
                found += [columns.appended(g, given[0], columns.length(g, x)), columns.joined(g, given[1], x)]
            else:
                found.append(columns.appended(g, given[0], x))
        return found or [g.Add(self.length(), 1)]

    def stretch(self, start: GraphValue, stop: GraphValue) -> list[GraphValue]:
        """The items from `start` to `stop`, which are at least 0."""
        g = self.g
        if not self.groups:
            return [g.Max(g.const(0), g.Sub(g.Min(stop, self.length()), g.Min(start, self.length())))]
        found = []
        for leaf, given in self.groups:
            if leaf.is_column:
                flat = columns.stretch(g, given[1], self._before(given[0], start), self._before(given[0], stop))
                found += [columns.stretch(g, given[0], start, stop), flat]
            else:
                found.append(columns.stretch(g, given[0], start, stop))
        return found

    def rows(self, places: GraphValue) -> list[GraphValue]:
        """The items at `places`, int64[m]."""
        g = self.g
        if not self.groups:
            return [g.length(places, 0)]
        if all(not leaf.is_column for leaf, _ in self.groups):
            return [columns.rows(g, given[0], places) for _, given in self.groups]

        def turn(number: GraphValue, *found: GraphValue) -> tuple:
            item = sequence(g, self.type, [self.row(g.Gather(places, number, axis=0))])
            return g.const(True), joined(g, found, item), []

        return g.loop(g.length(places, 0), None, sequence(g, self.type, []), [x.type for x in leaves_of(self.type)], turn)


def joined(g: Builder, a: Items[GraphValue], b: Items[GraphValue]) -> list[GraphValue]:
    """The leaves of two sequences of one type, one behind the other."""
    return [g.Add(x, y) if not isinstance(x.type, Sequence) and x.rank == 0 else columns.joined(g, x, y) for x, y in zip(a, b)]
