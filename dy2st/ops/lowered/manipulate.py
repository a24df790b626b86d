"""Joins, repetitions, flips and rolls in ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .subscripts import beside

_FIRST = -(2**63)


def stack(g: Any, *arrays: Any, axis: int) -> Any:
    """Concat along a new axis."""
    parts = g.stacked(arrays) if axis == 0 else [g.Unsqueeze(x, [axis]) for x in arrays]
    return concat(g, *parts, axis=axis) if len(parts) > 1 else parts[0]


def concat(g: Any, first: Any, *others: Any, axis: int) -> Any:
    """Concat, which doesn't look at the lengths of what has no elements, and then gives memory that nobody has written."""
    axis %= g.rank_of(first)
    return g.Concat(first, *(beside(g, first, x, axis) for x in others), axis=axis)


def tile(g: Any, x: Any, repeat_times: Sequence) -> Any:
    """Tile, which takes one count per axis."""
    missing = len(repeat_times) - g.rank_of(x)
    if missing > 0:
        x = g.Unsqueeze(x, [*range(missing)])
    return g.Tile(x, g.ints([*[1] * -missing, *repeat_times]))


def repeat_interleave(g: Any, x: Any, repeats: Any, axis: int) -> Any:
    """A new axis behind `axis`, along which the elements are repeated, and which becomes one with it."""
    dims, times = g.dims(x), g.whole(repeats)
    at = axis % len(dims)
    wide = g.Expand(g.Unsqueeze(x, [at + 1]), g.ints([*[1] * (at + 1), times, *[1] * (len(dims) - at - 1)]))
    return g.reshaped(wide, [*dims[:at], dims[at] * times, *dims[at + 1 :]])


def flip(g: Any, x: Any, axis: Sequence[int]) -> Any:
    """A slice that steps backwards."""
    if not axis:
        return x
    count = len(axis)
    return g.Slice(x, [-1] * count, [_FIRST] * count, [*axis], [-1] * count)


def roll(g: Any, x: Any, shifts: Sequence, axis: Sequence[int] | None) -> Any:
    """Gather at places that go round."""
    if axis is None:
        return g.reshaped(roll(g, g.Reshape(x, [-1]), [sum(map(g.whole, shifts))], [0]), g.dims(x))
    for shift, at in zip(shifts, axis):
        length = g.dim(x, at)
        places = g.Mod(g.Sub(g.counting(length), g.scalar(shift)), g.scalar(g.most(length, 1)))
        x = g.Gather(x, places, axis=at)
    return x
