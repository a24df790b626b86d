"""Sums and products of int64 that wrap as NumPy's do.

ReduceSum and ReduceProd of onnxruntime go through float64: beyond 2 ** 53 they round, and beyond 2 ** 63 they stop at the largest
int64. Its MatMul of int64 is exact, so a sum is a product with ones. A product is the product of the two halves, again and again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .elementary import is_floating

Along = Callable[[Any, Any, int], Any]


def added(g: Any, x: Any, axes: list) -> Any:
    """The sum of any tensor over `axes`, in its own dtype."""
    if is_floating(x) or not g.rounds_integers:
        return g.reduce("ReduceSum", x, axes)
    return g.cast(summed(g, g.cast(x, "int64"), axes), x.dtype)


def summed(g: Any, x: Any, axes: list | None, keepdim: bool = False) -> Any:
    """The sum of an int64 tensor over `axes`; None: over all of them."""
    return _reduced(g, x, axes, keepdim, _sum_along)


def multiplied(g: Any, x: Any, axes: list | None, keepdim: bool = False) -> Any:
    """The product of an int64 tensor over `axes`; None: over all of them."""
    return _reduced(g, x, axes, keepdim, _product_along)


def _reduced(g: Any, x: Any, axes: list | None, keepdim: bool, along: Along) -> Any:
    """`x` reduced over one axis after the other, each of which becomes 1."""
    if axes is None:
        found = along(g, g.Reshape(x, [-1]), 0)
        return g.Reshape(found, [1] * g.rank_of(x) if keepdim else [])
    found = x
    for axis in axes:
        known = g.known(axis)
        found = _along_unknown(g, found, axis, along) if known is None else along(g, found, int(known) % g.rank_of(x))
    return found if keepdim or not axes else g.Squeeze(found, g.ints(axes))


def _along_unknown(g: Any, x: Any, axis: Any, along: Along) -> Any:
    """`x` reduced over an axis that only the run knows: as the middle one of three."""
    lengths, rank = g.shape_of(x), g.rank_of(x)
    at = g.ints([axis])
    at = g.Where(g.Less(at, 0), g.Add(at, rank), at)
    places = g.const(list(range(rank)))
    before, own, behind = (
        g.reduce("ReduceProd", g.Where(there, lengths, 1), [0], True)
        for there in (g.Less(places, at), g.Equal(places, at), g.Greater(places, at))
    )
    found = along(g, g.Reshape(x, g.Concat(before, own, behind, axis=0), allowzero=1), 1)
    return g.Reshape(found, g.Where(g.Equal(places, at), 1, lengths), allowzero=1)


def _sum_along(g: Any, x: Any, axis: int) -> Any:
    rank, length = g.rank_of(x), g.dim(x, axis)
    if axis == rank - 2:
        return g.MatMul(g.filled("int64", 1, [1, length]), x)
    if rank == 1:
        return g.Reshape(g.MatMul(x, g.filled("int64", 1, [length])), [1])
    order = _swapped(rank, axis)
    found = g.MatMul(g.Transpose(x, perm=order) if axis < rank - 1 else x, g.filled("int64", 1, [length, 1]))
    return g.Transpose(found, perm=order) if axis < rank - 1 else found


def _product_along(g: Any, x: Any, axis: int) -> Any:
    rank = g.rank_of(x)
    order = _swapped(rank, axis)
    line = g.Transpose(x, perm=order) if axis < rank - 1 else x
    ones = g.filled("int64", 1, [*g.dims(line)[:-1], 1])  # a product of nothing is 1

    def turn(number: Any, line: Any) -> tuple:
        half = g.Div(g.length(line, -1), 2)
        first, second, rest = (
            g.Slice(line, g.ints([start]), g.ints([stop]), [-1], [1])
            for start, stop in ((0, half), (half, g.Mul(half, 2)), (g.Mul(half, 2), g.length(line, -1)))
        )
        shorter = g.Concat(g.Mul(first, second), rest, axis=-1)
        return g.Greater(g.length(shorter, -1), 1), [shorter], []

    start = g.Concat(line, ones, axis=-1)
    (found,) = g.loop(None, g.const(True), [start], [_opened(start.type)], turn)
    found = g.Reshape(found, g.shape_of(ones), allowzero=1)
    return g.Transpose(found, perm=order) if axis < rank - 1 else found


def _opened(type_: Any) -> Any:
    """The type without the length of its last axis."""
    return type(type_)(type_.dtype, (*type_.shape[:-1], None))


def _swapped(rank: int, axis: int) -> list[int]:
    """The axes, of which the last one and `axis` have changed places."""
    order = [*range(rank)]
    order[axis], order[-1] = order[-1], order[axis]
    return order
