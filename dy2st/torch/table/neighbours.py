"""Differences of neighbours, and gradients made of them."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from .pointwise import as_dtype, kind
from .rows import all_demanded, both, refused, row


def part(x: Any, dim: int, first: Any, last: Any) -> Any:
    """The slices from `first` up to `last` along an axis."""
    index = [slice(None)] * len(x.static_shape)
    index[dim] = slice(first, last)
    return x[tuple(index)]


def diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Each element less the one before it, n times."""
    around = [x for x in (prepend, input, append) if x is not None]
    if len({x.type.dtype for x in around}) > 1:
        raise refused("diff takes tensors of one dtype")
    if n == 0:
        return input.clone()
    x = api.concat(around, axis=dim) if len(around) > 1 else input
    for _ in range(n):
        after, before = part(x, dim, 1, None), part(x, dim, None, -1)
        x = after ^ before if kind(x) == "bool" else after - before
    return x


both("diff", diff)


def _slope(x: Any, dim: int, spacing: Any, order: int) -> Any:
    """The derivative along one axis, at equal distances or at places that a tensor tells."""
    if isinstance(spacing, Tensor) and spacing.static_shape != ():
        shape = [-1 if k == dim else 1 for k in range(len(x.static_shape))]
        gaps = diff(as_dtype(spacing, x.type.dtype)).reshape(shape)
        slopes = diff(x, dim=dim) / gaps
        before, after = part(gaps, dim, None, -1), part(gaps, dim, 1, None)
        inner = (part(slopes, dim, None, -1) * after + part(slopes, dim, 1, None) * before) / (before + after)
    else:
        gap = as_dtype(spacing, x.type.dtype) if isinstance(spacing, Tensor) else spacing
        gaps = api.ones_like(diff(part(x, dim, None, None), dim=dim)) * gap
        slopes = diff(x, dim=dim) / gaps
        inner = (part(x, dim, 2, None) - part(x, dim, None, -2)) / (gap * 2)
    ends = [_end(slopes, gaps, dim, is_last, order) for is_last in (False, True)]
    return api.concat([ends[0], inner, ends[1]], axis=dim)


def _end(slopes: Any, gaps: Any, dim: int, is_last: bool, order: int) -> Any:
    """The derivative at the first or last place, by one neighbour or two."""
    bounds = [(-1, None), (-2, -1)] if is_last else [(0, 1), (1, 2)]
    (near, next_), (gap, further) = ([part(x, dim, *bound) for bound in bounds] for x in (slopes, gaps))
    return near if order == 1 else near + (near - next_) * gap / (gap + further)


@row("gradient")
def gradient(input: Any, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> Any:
    """The derivatives along some axes, or all, by differences."""
    rank = len(input.static_shape)
    dims = list(range(rank)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    holds = [input.shape[d] > edge_order for d in dims]
    input = all_demanded(input, holds, "torch.gradient expected each dimension size to be at least edge_order+1")
    spacing = 1 if spacing is None else spacing
    spacings = list(spacing) if isinstance(spacing, tuple | list) else [spacing] * len(dims)
    return tuple(_slope(input, d % rank, s, edge_order) for d, s in zip(dims, spacings))
