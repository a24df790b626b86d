"""How many elements lie between edges."""

from __future__ import annotations

import builtins
import math
from collections import namedtuple
from functools import reduce
from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import of_name
from .axes import known
from .creation import linspace
from .pointwise import kind
from .rows import both, demanded, refused, row

Histogram = namedtuple("Histogram", "hist bin_edges")


def histogram(input: Any, bins: Any, *, range: Any = None, weight: Any = None, density: bool = False) -> Any:
    """How many elements lie in each bin, or the sums of their weights, and the bins' edges."""
    found, (edges,) = histogramdd(api.unsqueeze(input, -1), [bins], range, weight, density)
    return Histogram(found, edges)


both("histogram", histogram)


@row("histogramdd")
def histogramdd(input: Any, bins: Any, range: Any = None, weight: Any = None, density: bool = False) -> Any:
    """How many points, which are the rows along the last axis, lie in each bin; and the bins' edges along each axis."""
    if kind(input) != "float":
        raise refused(f"a histogram takes floats, not {input.type.dtype}")
    count = known(input.shape[-1], "the number of coordinates")
    points = input.reshape([-1, count])
    columns = [points[:, k] for k in builtins.range(count)]
    given = [bins] * count if isinstance(bins, int) else bins
    if len(given) != count or (range is not None and len(range) != 2 * count):
        raise RuntimeError(f"histogramdd: bins and a range for each of {count} coordinates are expected")
    limits = [None] * count if range is None else [tuple(range[2 * k : 2 * k + 2]) for k in builtins.range(count)]
    edges = [n.clone() if isinstance(n, Tensor) else _edges(x, n, limit) for x, n, limit in zip(columns, given, limits)]
    found = _counted(columns, edges, weight)
    return Histogram(found / api.sum(found) / _volumes(edges) if density else found, edges)


def _counted(columns: list, edges: list, weight: Any) -> Any:
    """The sums of the weights of the points in each bin."""
    ones = api.ones_like(columns[0])
    weights = ones if weight is None else weight.reshape([-1])
    flat: Any = 0
    for x, edge in zip(columns, edges):
        bins = edge.shape[0] - 1
        places = api.searchsorted(edge, x, right=True) - 1
        places = api.where(x == edge[-1], api.full_like(places, bins - 1), places)
        is_inside = (places >= 0) & (places < bins)
        weights = api.where(is_inside, weights, api.zeros_like(weights))
        flat = flat * bins + api.where(is_inside, places, api.zeros_like(places))
    lengths = [edge.shape[0] - 1 for edge in edges]
    sums = api.zeros([math.prod(lengths)], dtype=weights.type.dtype)
    return api.put_along_axis(sums, flat, weights, 0, reduce="add", broadcast=False).reshape(lengths)


def _volumes(edges: list) -> Any:
    """The sizes of the bins."""
    return reduce(lambda volumes, widths: api.unsqueeze(volumes, -1) * widths, [edge[1:] - edge[:-1] for edge in edges])


def _edges(x: Any, bins: int, range: Any) -> Any:
    """Equal bins from the smallest element to the greatest, or over a range; half to both sides where these are one."""
    if range is None and x.static_shape == (0,):
        range = (0.0, 1.0)
    low, high = [api.min(x), api.max(x)] if range is None else [api.full([], float(v), dtype=x.type.dtype) for v in range]
    low = demanded(low, api.isfinite(low) & api.isfinite(high), "the range of a histogram is not finite")
    is_one: Any = low == high
    half = api.where(is_one, api.full_like(low, 0.5), api.zeros_like(low))
    return linspace(low - half, high + half, bins + 1, dtype=of_name(x.type.dtype))


@row("hash_tensor")
def hash_tensor(*args: Any, **kwargs: Any) -> Any:
    """Refused: dy2st has no uint64."""
    raise refused("hash_tensor gives torch.uint64, which has no counterpart; write torch.sum of what tells tensors apart")
