"""Singular values by rotations of pairs of columns, until all are orthogonal: their lengths are the values.

M. Hestenes, "Inversion of matrices by biorthogonalization and related results" (1958). A turn of the Loop rotates every column
with its partner; after as many turns as there are partners, each has met each. Everything is computed in float64.
"""

from __future__ import annotations

from typing import Any

from .manipulate import flip
from .solving import Stack, every

_SWEEPS = 40
_ORTHOGONAL = 1e-14


def svdvals(g: Any, x: Any) -> Any:
    """The singular values, in descending order; the run fails where an element is no finite number."""
    stack = Stack(g, x)
    found = _values(g, _finite(g, stack.flat), g.least(stack.rows, stack.columns))
    return g.cast(g.reshaped(found, [*stack.axes, g.least(stack.rows, stack.columns)]), x.dtype)


def eigvalsh(g: Any, x: Any, upper: bool = False) -> Any:
    """Eigenvalues in ascending order: with as much added to the diagonal as makes them positive, they are singular values."""
    stack = Stack(g, x)
    row, column = g.Unsqueeze(stack.row, [1]), stack.column
    is_read = g.LessOrEqual(row, column) if g.fixed(upper, "upper") else g.GreaterOrEqual(row, column)
    flat = _finite(g, g.Where(is_read, stack.flat, 0))
    whole = g.Where(is_read, flat, g.Transpose(flat, perm=[0, 2, 1]))
    shift = g.reduce("ReduceSum", g.Abs(whole), [1, 2], True)
    values = _values(g, g.Add(whole, g.Where(g.Equal(row, column), shift, 0)), stack.columns)
    found = flip(g, g.Sub(values, g.Squeeze(shift, [2])), [1])
    return g.cast(g.reshaped(found, [*stack.axes, stack.columns]), x.dtype)


def _finite(g: Any, x: Any) -> Any:
    wide = g.cast(x, "float64")
    return g.checked(wide, every(g, g.Less(g.Abs(wide), float("inf"))))


def _values(g: Any, flat: Any, least: Any) -> Any:
    """The largest singular values of matrices [count, rows, columns], [count, least]."""
    columns = g.dims(flat)[2]
    flat = g.Pad(flat, g.ints([0, 0, 0, 0, 1, 2 - columns % 2]), g.const(0.0))  # rows and columns of zeros: an even number
    scale = g.reduce("ReduceMax", g.Abs(flat), [1, 2], True)
    scale = g.Where(g.Equal(scale, 0), 1, scale)
    last = columns + (2 - columns % 2) - 1
    turned = _rotated(g, g.Div(flat, scale), last)
    lengths = g.Mul(g.Sqrt(g.reduce("ReduceSum", g.Mul(turned, turned), [1])), g.Squeeze(scale, [2]))
    return g.TopK(lengths, g.ints([least]), axis=1, outputs=2)[0]


def _rotated(g: Any, flat: Any, last: Any) -> Any:
    """Orthogonal columns. last: the number of the last one, which is odd: how many partners each has."""
    place, end = g.counting(last + 1), g.scalar(last)

    def turn(number: Any, now: Any, calm: Any) -> tuple:
        opposite = g.Mod(g.Sub(g.Mul(number, 2), place), end)
        partner = g.Where(g.Equal(place, end), g.Mod(number, end), g.Where(g.Equal(opposite, place), end, opposite))
        other = g.Gather(now, partner, axis=2)
        own, common = (g.reduce("ReduceSum", g.Mul(now, x), [1], True) for x in (now, other))
        others = g.Gather(own, partner, axis=2)
        is_turned = g.Greater(g.Abs(common), g.Mul(g.Sqrt(g.Mul(own, others)), _ORTHOGONAL))
        slope = g.Div(g.Sub(others, own), g.Mul(g.Where(is_turned, common, 1), 2))
        sign = g.Where(g.Equal(slope, 0), g.Where(g.Less(place, partner), 1.0, -1.0), g.Sign(slope))
        tangent = g.Div(sign, g.Add(g.Abs(slope), g.Sqrt(g.Add(g.Mul(slope, slope), 1))))
        cosine = g.Reciprocal(g.Sqrt(g.Add(g.Mul(tangent, tangent), 1)))
        rotated = g.Mul(g.Sub(now, g.Mul(tangent, other)), cosine)
        calm = g.Where(every(g, g.Not(is_turned)), g.Add(calm, 1), 0)
        return g.Less(calm, end), [g.Where(is_turned, rotated, now), calm], []

    start = [flat, g.const(0)]
    return g.loop(g.Mul(end, _SWEEPS), None, start, [x.type for x in start], turn)[0]
