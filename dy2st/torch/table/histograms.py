"""How many elements lie between edges."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import of_name
from .creation import linspace
from .pointwise import kind
from .rows import both, refused

Histogram = namedtuple("Histogram", "hist bin_edges")


def histogram(input: Any, bins: Any, *, range: Any = None, weight: Any = None, density: bool = False) -> Any:
    """How many elements lie in each bin, or the sums of their weights, and the bins' edges."""
    if kind(input) != "float":
        raise refused(f"histogram takes floats, not {input.type.dtype}")
    x = input.reshape([-1])
    edges = bins if isinstance(bins, Tensor) else _edges(x, bins, range)
    places = api.searchsorted(edges, x, right=True) - 1
    last = edges.shape[0] - 1
    places = api.where(x == edges[-1], api.full_like(places, last - 1), places).reshape([-1, 1])
    hits = (places == api.arange(0, last, dtype="int64").reshape([1, -1])).astype(x.type.dtype)
    found = api.sum(hits if weight is None else hits * weight.reshape([-1, 1]), axis=0)
    if density:
        found = found / api.sum(found) / (edges[1:] - edges[:-1])
    return Histogram(found, edges)


def _edges(x: Any, bins: int, range: Any) -> Any:
    """Equal bins from the smallest element to the greatest, or over a range; half to both sides where these are one."""
    if range is None and x.static_shape == (0,):
        range = (0.0, 1.0)
    low, high = [api.min(x), api.max(x)] if range is None else [api.full([], float(v), dtype=x.type.dtype) for v in range]
    is_one: Any = low == high
    half = api.where(is_one, api.full_like(low, 0.5), api.zeros_like(low))
    return linspace(low - half, high + half, bins + 1, dtype=of_name(x.type.dtype))


both("histogram", histogram)
