"""What a sequence is after each method of a list, and what these find in it. `g.declared` has the type of the result."""

from __future__ import annotations

from functools import partial, reduce
from typing import Any

import numpy as np

from ....dtypes import DTYPES
from ....ir.spoken import spoken_type
from ....ir.types import BOOL, FLOAT, INT, NUMBER, SequenceType, TupleType
from ..lists import NO_LISTS, UNEVEN
from .equality import same_rows
from .items import clipped_end, has_place, normal_place, steps
from .scalars import KINDS, MOST


def made(g: Any, *items: Any) -> Any:
    """A sequence of these items."""
    return g.sequence(g.declared[0], items)


def append(g: Any, sequence: Any, item: Any) -> Any:
    """The items, and one more."""
    return g.as_type(sequence, g.declared[0]).appended(item)


def _replaced(g: Any, sequence: Any, start: Any, stop: Any, items: Any = None) -> Any:
    """The sequence with others in place of the items from `start` to `stop`, both at least 0."""
    found = g.as_type(sequence, g.declared[0])
    before, after = found.stretch(g.const(0), start), found.stretch(stop, g.const(MOST))
    return (before if items is None else before.joined(items, g.declared[0])).joined(after, g.declared[0])


def insert(g: Any, sequence: Any, index: Any, item: Any) -> Any:
    """The items with one more before the one at `index`."""
    place = clipped_end(g, index, sequence.length())
    return _replaced(g, sequence, place, place, g.sequence(g.declared[0], [item]))


def set_(g: Any, sequence: Any, index: Any, item: Any) -> Any:
    """The items with another one at `index`."""
    g.check(has_place(g, sequence, index), "IndexError", "list assignment index out of range")
    place = normal_place(g, sequence, index)
    return _replaced(g, sequence, place, g.Add(place, 1), g.sequence(g.declared[0], [item]))


def delete(g: Any, sequence: Any, index: Any) -> Any:
    """The items without the one at `index`."""
    g.check(has_place(g, sequence, index), "IndexError", "list assignment index out of range")
    place = normal_place(g, sequence, index)
    return _replaced(g, sequence, place, g.Add(place, 1))


def set_slice(g: Any, sequence: Any, items: Any, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    """The items with others in place of a slice."""
    if step is not None and g.known(step) != 1:
        g.refuse("a slice with a step is written item by item; write a loop")
    length = sequence.length()
    first = g.const(0) if start is None else clipped_end(g, start, length)
    last = length if stop is None else clipped_end(g, stop, length)
    return _replaced(g, sequence, first, g.Max(first, last), items)


def delete_slice(g: Any, sequence: Any, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    """The items without a slice."""
    return set_slice(g, sequence, None, start, stop, step)


def reverse(g: Any, sequence: Any) -> Any:
    """The items from the last one to the first."""
    return g.as_type(sequence, g.declared[0]).taken(steps(g, g.Sub(sequence.length(), 1), g.const(-1), -1))


def take(g: Any, sequence: Any, positions: Any) -> Any:
    """The items at `positions`, a sequence of ints."""
    places, length = positions.columns()[1][0], sequence.length()
    outside = g.Or(g.GreaterOrEqual(places, length), g.Less(places, g.Neg(length)))
    inside = g.Equal(g.ReduceSum(g.cast(outside, "int64"), keepdims=0), 0)
    g.check(inside, "IndexError", "tuple index out of range")
    counted = g.Where(g.Less(places, 0), g.Add(places, length), places)
    found = g.as_type(sequence, g.declared[0])
    return g.either(inside, lambda: found.taken(counted), lambda: g.blank(found.type), found.type)


# --- order -----------------------------------------------------------------------------------------------------------------


def order(g: Any, keys: Any, reverse: Any = False) -> Any:
    """Where the items are, the least one first: of equal ones, the first. Tuples are sorted by their last item first."""
    elem, leaves = keys.columns()
    types = elem.elems if isinstance(elem, TupleType) else (elem,)
    places = g.Range(g.const(0), keys.length(), g.const(1))
    for type_, key in reversed([*zip(types, leaves)]):
        if type_ not in (INT, FLOAT, BOOL):
            g.refuse(f"items, each {spoken_type(type_)}, aren't sorted; sort by keys that are ints or floats, or tuples of them")
        if type_ == FLOAT:
            numbers = g.Not(g.Greater(g.ReduceSum(g.cast(g.IsNaN(key), "int64"), keepdims=0), 0))
            g.check(numbers, "ValueError", "a nan is neither before nor after other floats, so they have no order")
        key = g.Gather(g.cast(key, "int64") if type_ == BOOL else key, places, axis=0)
        places = g.Gather(places, _sorted(g, key, reverse), axis=0)
    return g.packed(SequenceType(INT), [places])


def _sorted(g: Any, key: Any, reverse: Any) -> Any:
    """Where the items of a column are, in order; of equal ones the first comes first, whichever way."""
    ways = (True, False) if g.known(reverse) is None else (bool(g.known(reverse)),)
    found = [g.TopK(key, g.shape_of(key), largest=int(way), sorted=1, outputs=2)[1] for way in ways]
    return found[0] if len(found) == 1 else g.Where(reverse, *found)


def sort(g: Any, sequence: Any, reverse: Any = False) -> Any:
    """The items in order."""
    return g.as_type(sequence, g.declared[0]).taken(order(g, sequence, reverse).leaves[0])


# --- search ----------------------------------------------------------------------------------------------------------------


def _first(g: Any, sequence: Any, value: Any, start: Any = None, stop: Any = None) -> Any:
    """Where the first item is that equals `value`, between two places; the number of items where none does."""
    length = sequence.length()
    places = g.Range(g.const(0), length, g.const(1))
    found = same_rows(g, sequence, value)
    if start is not None:
        found = g.And(found, g.GreaterOrEqual(places, clipped_end(g, start, length)))
    if stop is not None:
        found = g.And(found, g.Less(places, clipped_end(g, stop, length)))
    return g.ReduceMin(g.Concat(g.Where(found, places, length), g.Unsqueeze(length, [0]), axis=0), keepdims=0)


def index(g: Any, sequence: Any, value: Any, start: Any = None, stop: Any = None) -> Any:
    """Where the first item is that equals `value`."""
    found = _first(g, sequence, value, start, stop)
    g.check(g.Less(found, sequence.length()), "ValueError", "the value is not in list")
    return found


def remove(g: Any, sequence: Any, value: Any) -> Any:
    """The items without the first one that equals `value`."""
    found = _first(g, sequence, value)
    g.check(g.Less(found, sequence.length()), "ValueError", "list.remove(x): x not in list")
    return _replaced(g, sequence, found, g.Add(found, 1))


def count(g: Any, sequence: Any, value: Any) -> Any:
    """How many items equal `value`."""
    return g.ReduceSum(g.cast(same_rows(g, sequence, value), "int64"), keepdims=0)


# --- tensors ---------------------------------------------------------------------------------------------------------------


def stack(g: Any, sequence: Any, axis: int = 0) -> Any:
    """The tensors side by side, along a new axis."""
    of_rows, of_sequence = partial(_moved, g, axis=axis), partial(_concat_rows, g, new_axis=1, axis=axis)
    return _together(g, sequence, "stack", None, of_rows, of_sequence)


def concat_tensors(g: Any, sequence: Any, axis: int = 0) -> Any:
    """The tensors side by side, along an axis that they have."""

    def merged(rows: Any) -> Any:
        rank = rows.rank - 1
        at = axis % rank
        moved = _moved(g, rows, at)
        shape = g.dims(moved)
        return g.reshaped(moved, [*shape[:at], g.product(shape[at : at + 2]), *shape[at + 2 :]])

    return _together(g, sequence, "concat", axis, merged, partial(_concat_rows, g, new_axis=0, axis=axis))


def _together(g: Any, sequence: Any, use: str, axis: int | None, of_rows: Any, of_sequence: Any) -> Any:
    """One tensor of a column, `[n, ...]`, or of an ONNX sequence. TypeError where there is none.

    axis: along which the tensors may differ; None: along none. ShapeError where they differ along others.
    """
    (column,) = sequence.columns()[1]
    some = g.Greater(sequence.length(), 0)
    g.check(some, "TypeError", f"{use}: x must be a non-empty list of Tensors, not list []")
    if not column.is_sequence:
        return of_rows(column)
    alike = _alike(g, column, axis)
    g.check(alike, "ShapeError", f"{use}: the shapes of the tensors don't go together")
    return g.branch(g.And(some, alike), lambda: [of_sequence(column)], lambda: g.blank(g.declared[0]).leaves)[0]


def _alike(g: Any, column: Any, axis: int | None) -> Any:
    """Whether the tensors of an ONNX sequence are as long along all axes but one: bool[].

    ConcatFromSequence doesn't look at the lengths of a tensor without elements, and then gives memory that nobody has written.
    """
    shape = column.type.of.shape
    if shape is None:
        g.refuse("the number of axes isn't known before it runs; reshape the tensors of the list")
    compared = np.asarray([axis is None or at != axis % len(shape) for at in range(len(shape))], np.int64)
    yes = g.const(True)
    if all(isinstance(length, int) or not asked for length, asked in zip(shape, compared)):
        return yes

    def turn(number: Any, alike: Any) -> tuple:
        ours, first = (g.Mul(g.Shape(g.SequenceAt(column, at)), compared) for at in (number, g.const(0)))
        again = g.And(alike, g.agree(ours, first))
        return again, [again], []

    return g.loop(g.SequenceLength(column), None, [yes], [yes.type], turn)[0]


def _concat_rows(g: Any, column: Any, new_axis: int, axis: int) -> Any:
    return g.ConcatFromSequence(column, axis=axis, new_axis=new_axis)


def _moved(g: Any, rows: Any, axis: int) -> Any:
    """The axis of the items at `axis`."""
    rank = rows.rank
    order = [*range(1, rank)]
    order.insert(axis % rank, 0)
    return g.Transpose(rows, perm=order) if axis % rank else rows


def to_tensor(g: Any, sequence: Any, dtype: str, rank: int = 1) -> Any:
    """A tensor of numbers in sequences that are, at each depth, of one length, and not empty but at the innermost."""
    (elem, leaves), depth = sequence.columns(), 1
    while isinstance(elem, SequenceType):
        elem, depth = elem.elem, depth + 1
    if elem == NUMBER:
        return _of_numbers(g, leaves, depth, dtype)
    *counts, flat = leaves
    flat = g.cast(flat, dtype)
    if depth == 1:
        return flat
    lengths = [counts[place] for place in _lengths(depth)]
    known = [g.ReduceMax(g.Concat(x, [0], axis=0), keepdims=0) for x in lengths]
    even = [g.Equal(g.ReduceSum(g.cast(g.Not(g.Equal(x, most)), "int64"), keepdims=0), 0) for x, most in zip(lengths, known)]
    ok = reduce(g.And, even)
    g.check(ok, "ValueError", UNEVEN)
    shape = g.ints([sequence.length(), *known])
    filled = reduce(g.And, [g.Greater(length, 0) for length in (sequence.length(), *known[:-1])])
    g.check(filled, "ValueError", NO_LISTS)
    return g.branch(ok, lambda: [g.Reshape(flat, shape, allowzero=1)], lambda: g.blank(g.declared[0]).leaves)[0]


def _lengths(depth: int) -> list[int]:
    """Which leaves of sequences in sequences are how long these are, one of each depth."""
    return [0, *(2 * place + 1 for place in _lengths(depth - 1))] if depth > 1 else []


def _of_numbers(g: Any, leaves: list, depth: int, dtype: str) -> Any:
    """Numbers of unknown classes: a float among them makes floats of all."""
    if depth > 1:
        g.refuse("lists in lists of numbers whose classes follow the path; make floats of them, float(x)")
    kind, whole_, real = leaves
    if DTYPES[dtype].is_floating:
        return g.cast(real, dtype)
    return g.cast(g.Where(g.Equal(kind, KINDS[FLOAT]), g.cast(real, "int64"), whole_), dtype)
