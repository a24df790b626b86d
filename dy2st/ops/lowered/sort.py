"""Order along one axis in ONNX: TopK, which takes the first of equal elements, and nan for the largest."""

from __future__ import annotations

from typing import Any


def sort(g: Any, x: Any, axis: int = -1, descending: bool = False) -> tuple:
    """TopK of all elements."""
    return _first(g, x, g.dim(x, axis), axis, descending) if g.rank_of(x) else (x, g.const(0))


def topk(g: Any, x: Any, k: Any, axis: int = -1, largest: bool = True) -> tuple:
    """TopK; the run fails where `k` is below 1."""
    return _first(g, x, g.positive(g.whole(k)), axis, largest) if g.rank_of(x) else (x, g.const(0))


def _first(g: Any, x: Any, count: Any, axis: int, largest: bool) -> tuple:
    return g.TopK(x, g.ints([count]), outputs=2, axis=axis, largest=int(largest))
