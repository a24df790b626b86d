"""Rows of a table and labels of classes in ONNX. A number below 0 is an error here, where Gather would count from the end."""

from __future__ import annotations

from typing import Any

from .subscripts import take_along_axis
from .writes import along, scattered


def from_front(g: Any, ids: Any) -> Any:
    """Indices of which those below 0 are too large, so that the run fails there."""
    ids = g.cast(ids, "int64")
    if g.opset < 18:
        return g.Where(g.Less(ids, 0), 2**62, ids)
    return g.BitwiseAnd(ids, 2**63 - 1)  # without its sign, -1 is the largest int


def embedding(g: Any, ids: Any, weight: Any, padding_idx: int | None = None) -> Any:
    """Gather; zeros for the ids that are `padding_idx`."""
    found = g.Gather(weight, from_front(g, ids), axis=0)
    return found if padding_idx is None else g.Where(_is(g, ids, padding_idx), 0, found)


def _is(g: Any, ids: Any, padding_idx: int) -> Any:
    return g.Unsqueeze(g.Equal(ids, padding_idx), [-1])


def embedding_spread(g: Any, ids: Any, slope: Any, rows: Any, padding_idx: int | None = None) -> Any:
    """Rows of zeros, to which the gradients are added."""
    if padding_idx is not None:
        slope = g.Where(_is(g, ids, padding_idx), 0, slope)
    table = g.zeros(slope.dtype, [g.whole(rows), g.dim(slope, -1)])
    return scattered(g, table, from_front(g, ids), slope, "add")


def nll(g: Any, log_probability: Any, label: Any, axis: int, ignore_index: int) -> Any:
    """GatherElements at the labels that count."""
    counts, places = _labels(g, label, axis % g.rank_of(log_probability), ignore_index)
    picked = take_along_axis(g, log_probability, places, axis)
    return g.Where(counts, g.Neg(g.Squeeze(picked, [axis])), 0)


def nll_spread(g: Any, slope: Any, label: Any, classes: Any, axis: int, ignore_index: int) -> Any:
    """Zeros, in which -slope stands at the labels that count."""
    at = axis % (g.rank_of(slope) + 1)
    counts, places = _labels(g, label, at, ignore_index)
    dims = g.dims(slope)
    zeros = g.zeros(slope.dtype, [*dims[:at], g.whole(classes), *dims[at:]])
    return along(g, zeros, places, g.Unsqueeze(g.Where(counts, g.Neg(slope), 0), [at]), at, None)


def _labels(g: Any, label: Any, axis: int, ignore_index: int) -> tuple[Any, Any]:
    """Which labels count, and the labels along a new axis, 0 where they don't."""
    counts = g.Not(g.Equal(label, ignore_index))
    return counts, g.Unsqueeze(g.Where(counts, from_front(g, label), 0), [axis])
