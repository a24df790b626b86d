"""Repeating along axes and summing over what was repeated, at lengths that only the run knows."""

from __future__ import annotations

from typing import Any

from .elementary import is_floating
from .integer_sums import summed
from .reductions import axes_of, counted


def summed_to(g: Any, x: Any, shape: Any) -> Any:
    """`x` summed over the axes along which broadcasting to it from `shape`, int64[rank], repeats."""
    if shape.array is not None and x.type.is_fixed and x.shape == tuple(shape.array.tolist()):
        return x
    if g.rounds_integers and not is_floating(x):
        return _integers_summed_to(g, x, shape)
    extra = g.Sub(g.length(g.shape_of(x), 0), g.length(shape, 0))
    ones = g.Reshape(g.NonZero(g.Equal(shape, 1)), [-1])
    leading = g.Range(g.const(0), extra, g.const(1))
    axes = g.Concat(leading, g.Add(ones, extra), axis=0)
    return g.Reshape(g.ReduceSum(x, axes, keepdims=1, noop_with_empty_axes=1), shape, allowzero=1)


def _integers_summed_to(g: Any, x: Any, shape: Any) -> Any:
    """The same of integers, axis by axis; the sums wrap."""
    rank, found = g.rank_of(x), g.cast(x, "int64")
    extra = rank - int(shape.shape[0])
    for axis in range(rank):
        here = g.const(1) if axis < extra else g.Gather(shape, axis - extra, axis=0)
        if here.item == 1:
            found = summed(g, found, [axis], True)
        elif here.item is None:
            found = _summed_where_one(g, found, axis, here)
    return g.Reshape(g.cast(found, x.dtype), shape, allowzero=1)


def _summed_where_one(g: Any, x: Any, axis: int, length: Any) -> Any:
    """`x`, and its sum along an axis where `length`, int64[], is 1."""
    return g.branch(g.Equal(length, 1), lambda: [summed(g, x, [axis], True)], lambda: [x])[0]


def spread(g: Any, x: Any, like: Any, axis: Any, keepdim: bool, mean: bool = False) -> Any:
    """What a reduction of `like` gave, repeated over its axes; with `mean`, over their number."""
    if axis is not None and not keepdim and like.rank != 0:
        x = g.Unsqueeze(x, g.ints(axes_of(axis)))
    if mean:
        count = g.cast(g.value(counted(g, like, axis)), x.dtype)
        x = g.Div(x, count)
    return g.Expand(x, g.shape_of(like))
