"""Values counted and looked up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .elementary import is_floating
from .reductions import is_of_some, truth


def unique(g: Any, x: Any, axis: Any = None) -> tuple:
    """Unique, which gives what NumPy does, but for nan: there it fails. Of slices of nothing it would take down the process."""
    axis = g.fixed(axis, "the axis")
    if is_floating(x):
        x = g.checked(x, g.Not(truth("ReduceMax")(g, g.IsNaN(x))))
    some = is_of_some(g, x)

    def of_some() -> tuple:
        return g.Unique(x, outputs=4, axis=axis, sorted=1)

    def of_none() -> list:
        count = g.length(x, axis)
        kept = g.Min(count, 1)  # all slices without elements are equal
        values = g.Slice(x, [0], g.ints([kept]), [axis])
        return [values, g.zeros("int64", [kept]), g.zeros("int64", [count]), g.filled("int64", count, [kept])]

    return of_some() if axis is None or some is True else tuple(g.branch(g.value(some), of_some, of_none))


def bincount(g: Any, x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """Ones, or weights in float64, added up at the places that the integers say."""
    places = g.cast(x, "int64")
    count = g.Max(g.Add(g.reduce("ReduceMax", places, None), 1), g.value(minlength))  # of nothing, the least int64
    places = g.checked(places, g.Not(truth("ReduceMax")(g, g.Less(places, 0))))
    added = g.filled("int64", 1, g.shape_of(x)) if weights is None else g.cast(weights, "float64")
    counts = g.ScatterElements(g.filled(added.dtype, 0, [count]), places, added, axis=0, reduction="add")
    return counts if weights is None else g.cast(counts, weights.dtype)


def searchsorted(g: Any, row: Any, values: Any, right: bool = False) -> Any:
    """How many elements of the row come before each value; nan comes last."""
    dtype = np.promote_types(row.dtype, values.dtype).name
    row, wanted = g.cast(row, dtype), g.Unsqueeze(g.cast(values, dtype), [-1])
    if g.rank_of(row) > 1:
        row = g.Unsqueeze(row, [-2])
    right = g.fixed(right, "right")
    is_before = g.LessOrEqual(row, wanted) if right else g.Less(row, wanted)
    if is_floating(row):
        is_last = g.IsNaN(wanted) if right else g.And(g.IsNaN(wanted), g.Not(g.IsNaN(row)))
        is_before = g.Or(is_before, is_last)
    return g.reduce("ReduceSum", g.cast(is_before, "int64"), [-1])


def histogram(g: Any, x: Any, weight: Any = None, bins: Any = 100, low: Any = 0, high: Any = 0) -> tuple:
    """The place of each value by its share of the range, mended by the edges beside it, as NumPy does it."""
    bins = g.fixed(bins, "bins")
    flat = g.Reshape(x if is_floating(x) else g.cast(x, "float64"), [-1])
    first, last = _range(g, flat, g.fixed(low, "min"), g.fixed(high, "max"))
    steps = g.const(np.arange(bins + 1), flat.dtype)
    inner = g.Add(g.Mul(steps, g.Div(g.Sub(last, first), float(bins))), first)
    edges = g.Where(g.Equal(steps, float(bins)), last, inner)
    is_inside = g.And(g.GreaterOrEqual(flat, first), g.LessOrEqual(flat, last))
    share = g.Div(g.Sub(g.Where(is_inside, flat, first), first), g.Sub(last, first))
    place = g.Min(g.cast(g.Mul(share, float(bins)), "int64"), bins - 1)
    place = g.Sub(place, g.cast(g.Less(flat, g.Gather(edges, place, axis=0)), "int64"))
    place = g.Max(place, 0)
    is_above = g.And(g.GreaterOrEqual(flat, g.Gather(edges, g.Add(place, 1), axis=0)), g.Less(place, bins - 1))
    place = g.Add(place, g.cast(is_above, "int64"))
    added = g.cast(is_inside, "int64")
    if weight is not None:
        added = g.Where(is_inside, g.cast(g.Reshape(weight, [-1]), "float64"), 0)
    counts = g.ScatterElements(g.filled(added.dtype, 0, [bins]), place, added, axis=0, reduction="add")
    return counts if weight is None else g.cast(g.cast(counts, weight.dtype), "float32"), g.cast(edges, "float32")


def _range(g: Any, x: Any, low: Any, high: Any) -> tuple[Any, Any]:
    """The bounds; those of the values where they are equal, and these apart where all values are equal."""
    if low != high:
        return g.const(low, x.dtype), g.const(high, x.dtype)
    is_empty = g.Equal(g.length(x, 0), 0)
    first = g.Where(is_empty, low, g.reduce("ReduceMin", x, None))
    last = g.Where(is_empty, high, g.reduce("ReduceMax", x, None))
    spread = g.cast(g.Equal(first, last), x.dtype)
    is_finite = g.Less(g.Abs(g.Sub(last, first)), math.inf)
    return g.checked(g.Sub(first, spread), is_finite), g.Add(last, spread)
