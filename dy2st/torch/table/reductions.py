"""Sums, means, greatest elements and the like."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ..dtypes import default_float, kind_of, name_of
from .rows import both, row

Extreme = namedtuple("Extreme", "values indices")


def _axes(dim: Any) -> Any:
    return list(dim) if isinstance(dim, tuple | list) else dim


def _sum(name: str, function: Any) -> None:
    def compute(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
        if dtype is None and kind_of(input.type.dtype) in ("bool", "int"):
            dtype = "int64" if name in ("sum", "prod") else default_float()
        x = input if dtype is None else input.astype(dtype if isinstance(dtype, str) else name_of(dtype))
        return function(x, axis=_axes(dim), keepdim=keepdim)

    compute.__name__ = name
    both(name, compute)


_sum("sum", api.sum)
_sum("mean", api.mean)
_sum("prod", api.prod)
_sum("logsumexp", api.logsumexp)
for _name in ("all", "any"):
    both(_name, lambda input, dim=None, keepdim=False, f=getattr(api, _name): f(input.astype("bool"), axis=_axes(dim), keepdim=keepdim))
for _name in ("amax", "amin"):
    both(_name, lambda input, dim=(), keepdim=False, f=getattr(api, _name): f(input, axis=_axes(dim) or None, keepdim=keepdim))


def _extreme(name: str, reduce: Any, place: Any, meet: Any) -> None:
    def compute(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if dim is None:
            return reduce(input)
        if not isinstance(dim, int):
            from .pointwise import met

            return meet(*met(input, dim))
        return Extreme(reduce(input, axis=dim, keepdim=keepdim), place(input, axis=dim, keepdim=keepdim))

    compute.__name__ = name
    both(name, compute)


_extreme("max", api.max, api.argmax, api.maximum)
_extreme("min", api.min, api.argmin, api.minimum)
for _name in ("argmax", "argmin"):
    both(_name, lambda input, dim=None, keepdim=False, f=getattr(api, _name): f(input, axis=dim, keepdim=keepdim))


@row("var", "Tensor.var")
def var(input: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: Any = None) -> Any:
    """The variance."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return api.var(input, axis=_axes(dim), unbiased=bool(unbiased if correction is None else correction), keepdim=keepdim)


@row("std", "Tensor.std")
def std(input: Any, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: Any = None) -> Any:
    """The standard deviation."""
    return api.sqrt(var(input, dim, unbiased, keepdim, correction=correction))


@row("cumsum", "Tensor.cumsum")
def cumsum(input: Any, dim: Any, *, dtype: Any = None) -> Any:
    """Sums of the elements up to each."""
    if dtype is None and kind_of(input.type.dtype) in ("bool", "int"):
        input = input.astype("int64")
    return api.cumsum(input if dtype is None else input.astype(name_of(dtype)), axis=dim)


@row("topk", "Tensor.topk")
def topk(input: Any, k: Any, dim: Any = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The greatest elements and where they are."""
    return Extreme(*api.topk(input, k, axis=dim, largest=largest, sorted=sorted))


@row("sort", "Tensor.sort")
def sort(input: Any, dim: Any = -1, descending: bool = False, stable: bool = False) -> Any:
    """The elements in order and where they were."""
    places = api.argsort(input, axis=dim, descending=descending, stable=True)
    return Extreme(api.take_along_axis(input, places, axis=dim), places)


both("argsort", lambda input, dim=-1, descending=False, stable=False: api.argsort(input, axis=dim, descending=descending, stable=True))
