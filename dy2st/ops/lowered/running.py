"""What runs along one axis, row by row: extremes so far, products, logarithms of sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .elementary import is_floating, logaddexp

_LEAST = {"bool": False, "uint8": 0, "int8": -(2**7), "int16": -(2**15), "int32": -(2**31), "int64": -(2**63)}
_MOST = {"bool": True, "uint8": 2**8 - 1, "int8": 2**7 - 1, "int16": 2**15 - 1, "int32": 2**31 - 1, "int64": 2**63 - 1}


def _along(g: Any, x: Any, axis: Any, reverse: bool, start: list[tuple[str, Any]], step: Callable[..., list]) -> list:
    """What `step(number, row, *carried)` gives after each row of `x`, one value for each (dtype, first value) in `start`."""
    rank, axis = g.rank_of(x), g.fixed(axis, "the axis")
    axis %= rank
    dims = [x.shape[a] if isinstance(x.shape[a], int) else g.length(x, a) for a in range(rank) if a != axis]
    carried = [g.filled(dtype, value, dims) for dtype, value in start]
    count = g.length(x, axis)

    def turn(number: Any, *carried: Any) -> tuple:
        at = g.Sub(g.Sub(count, 1), number) if reverse else number
        found = step(number, g.Gather(x, at, axis=axis), *carried)
        return g.const(True), found, found

    stacked = g.loop(count, None, carried, [value.type for value in carried], turn)[len(start) :]
    order = [*range(1, axis + 1), 0, *range(axis + 1, rank)]
    moved = [g.Transpose(_flipped(g, rows) if reverse else rows, perm=order) for rows in stacked]
    return [g.Reshape(rows, g.shape_of(x), allowzero=1) for rows in moved]  # a loop without turns loses lengths


def _flipped(g: Any, rows: Any) -> Any:
    return g.Slice(rows, [-1], [-(2**62)], [0], [-1])


def extremes(operator: str) -> Callable[..., tuple]:
    """Max or Min so far, and the last place of it; a nan stays."""

    def lowering(g: Any, x: Any, axis: Any) -> tuple:
        def step(number: Any, row: Any, extreme: Any, place: Any) -> list:
            extreme = g.node(operator, extreme, row)
            is_new = g.Equal(row, extreme)
            if is_floating(x):
                is_new = g.Or(is_new, g.IsNaN(row))
            return [extreme, g.Where(is_new, number, place)]

        ends, sign = (_LEAST, -1) if operator == "Max" else (_MOST, 1)
        start = [(x.dtype, ends.get(x.dtype, sign * math.inf)), ("int64", 0)]
        return tuple(_along(g, x, axis, False, start, step))

    return lowering


def cumsum(g: Any, x: Any, axis: Any, reverse: bool = False) -> Any:
    """Sums so far; those of integers and bools are int64."""
    wide = x if is_floating(x) else g.cast(x, "int64")
    return g.CumSum(wide, g.Reshape(g.ints([axis]), []), reverse=int(reverse))


def cumprod(g: Any, x: Any, axis: Any, reverse: bool = False) -> Any:
    """Products so far; those of integers and bools are int64."""
    wide = x if is_floating(x) else g.cast(x, "int64")
    if g.opset >= 26:
        return g.CumProd(wide, g.Reshape(g.ints([axis]), []), reverse=int(reverse))
    return _along(g, wide, axis, reverse, [(wide.dtype, 1)], lambda number, row, found: [g.Mul(found, row)])[0]


def logcumsumexp(g: Any, x: Any, axis: Any, reverse: bool = False) -> Any:
    """log(sum(exp(x))) so far."""
    return _along(g, x, axis, reverse, [(x.dtype, -math.inf)], lambda number, row, found: [logaddexp(g, found, row)])[0]
