"""Columns of sequences: a tensor with a row for each item, or a sequence of tensors whose shapes are open."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Items

from .builder import Builder
from .leaves import Leaf
from .values import Array, GraphValue, Sequence


def empty(g: Builder, leaf: Leaf) -> GraphValue:
    """A column without rows."""
    if isinstance(leaf.type, Sequence):
        return g.typed_sequence(g.SequenceEmpty(dtype=g.element(leaf.type.of.dtype)), leaf.type)
    return g.zeros(leaf.type.dtype, [0, *(dim or 0 for dim in leaf.row.shape or ())])  # type: ignore[misc]


def column(g: Builder, leaf: Leaf, rows: Items[GraphValue]) -> GraphValue:
    """A column of these rows."""
    if not rows:
        return empty(g, leaf)
    if isinstance(leaf.type, Sequence):
        return g.typed_sequence(g.SequenceConstruct(*(x.as_tensor() for x in rows)), leaf.type)
    lifted = [g.Unsqueeze(x.as_tensor(), [0]) for x in rows]
    return lifted[0] if len(lifted) == 1 else g.Concat(*lifted, axis=0)


def length(g: Builder, x: GraphValue) -> GraphValue:
    """The number of rows, int64[]."""
    return g.SequenceLength(x) if isinstance(x.type, Sequence) else g.length(x, 0)


def row(g: Builder, x: GraphValue, at: GraphValue) -> GraphValue:
    """The row at `at`, int64[], from 0 or, negative, from the end. A run fails for one that there isn't."""
    if isinstance(x.type, Sequence):
        return g.SequenceAt(x, at.as_tensor())
    found = g.Gather(x, at.as_tensor(), axis=0)
    if at.item is not None and at.item >= 0:
        g.row_of[found.name] = x, int(at.item)
    return found


def rows(g: Builder, x: GraphValue, places: GraphValue) -> GraphValue:
    """The rows at `places`, int64[m], in that order."""
    if not isinstance(x.type, Sequence):
        return g.Gather(x, places, axis=0)
    start = g.typed_sequence(g.SequenceEmpty(dtype=g.element(x.dtype)), x.type)

    def turn(number: GraphValue, found: GraphValue) -> tuple:
        item = g.SequenceAt(x, g.Gather(places, number, axis=0))
        return g.const(True), [g.SequenceInsert(found, item)], []

    return g.loop(g.length(places, 0), None, [start], [x.type], turn)[0]


def joined(g: Builder, a: GraphValue, b: GraphValue) -> GraphValue:
    """The rows of `a`, then those of `b`."""
    found = g.rows_joined(a, b)
    if found is not None:
        return found

    def turn(number: GraphValue, found: GraphValue) -> tuple:
        return g.const(True), [g.SequenceInsert(found, g.SequenceAt(b, number))], []

    return g.loop(length(g, b), None, [a], [a.type], turn)[0]


def appended(g: Builder, x: GraphValue, row: GraphValue) -> GraphValue:
    """The rows of `x` and one more."""
    if isinstance(x.type, Sequence):
        return g.typed_sequence(g.SequenceInsert(x, row.as_tensor()), x.type)
    return g.Concat(x, g.Unsqueeze(row.as_tensor(), [0]), axis=0)


def stretch(g: Builder, x: GraphValue, start: GraphValue, stop: GraphValue) -> GraphValue:
    """The rows from `start` to `stop`, int64[] that are at least 0."""
    if isinstance(x.type, Sequence):
        return rows(g, x, g.Range(start.as_tensor(), g.Max(start.as_tensor(), g.Min(stop.as_tensor(), length(g, x))), g.const(1)))
    return g.Slice(x, g.ints([start]), g.ints([stop]), [0], [1])


def converted(g: Builder, x: GraphValue, leaf: Leaf) -> GraphValue:
    """The same rows in a column of another leaf, whose shapes are open where those of `x` are fixed."""
    if isinstance(leaf.type, Sequence) and isinstance(x.type, Array):
        start = g.typed_sequence(g.SequenceEmpty(dtype=g.element(x.dtype)), leaf.type)

        def turn(number: GraphValue, found: GraphValue) -> tuple:
            return g.const(True), [g.SequenceInsert(found, g.Gather(x, number, axis=0))], []

        return g.loop(g.length(x, 0), None, [start], [leaf.type], turn)[0]
    return x


def zeros(g: Builder, x: GraphValue) -> GraphValue:
    """A tensor or a column with zeros for its elements."""
    return mapped(g, lambda part: g.filled(part.dtype, 0, g.shape_of(part)), x)


def total(g: Builder, a: GraphValue, b: GraphValue) -> GraphValue:
    """The sum of two tensors, or, row by row, of two columns."""
    return mapped(g, g.Add, a, b)


def mapped(g: Builder, change: Callable[..., GraphValue], x: GraphValue, *others: GraphValue) -> GraphValue:
    """The results of `change` on tensors, or on the rows of columns that are sequences of tensors."""
    if not isinstance(x.type, Sequence):
        return change(*(part.as_tensor() for part in (x, *others)))
    start = g.typed_sequence(g.SequenceEmpty(dtype=g.element(x.dtype)), x.type)

    def turn(number: GraphValue, found: GraphValue) -> tuple:
        return g.const(True), [g.SequenceInsert(found, change(*(g.SequenceAt(part, number) for part in (x, *others))))], []

    return g.loop(length(g, x), None, [start], [x.type], turn)[0]
