"""Sums, means, greatest elements and the like, over some axes or all."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, name_of
from .conversions import converted
from .pointwise import as_dtype, kind, maximum, met, minimum
from .rows import both, everywhere, may_flow, refused, row

Extreme = namedtuple("Extreme", "values indices")
Range = namedtuple("Range", "min max")


def axes(x: Any, dim: Any) -> Any:
    """The axes to reduce, as dy2st takes them: None for all. A tensor without axes takes 0 and -1 for one."""
    if dim is None or isinstance(dim, tuple | list) and not dim:
        return None
    if x.static_shape == ():
        if any(d not in (0, -1) for d in (dim if isinstance(dim, tuple | list) else [dim])):
            raise refused(f"dim {dim} is out of range for a tensor without axes")
        return None
    return list(dim) if isinstance(dim, tuple | list) else dim


def in_dtype(x: Any, dtype: Any, of_whole: str) -> Any:
    """The tensor in the dtype asked for, or for integers in another."""
    if dtype is not None:
        return converted(x, name_of(dtype))
    return x.astype(of_whole) if kind(x) in ("bool", "int") else x


@row("sum", "Tensor.sum")
def sum_(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum."""
    return _summed(api.sum, input, dim, keepdim, dtype)


def _summed(function: Any, input: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """A sum or product, in the dtype asked for; of integers in int64."""
    x = in_dtype(input, dtype, "int64")
    return as_dtype(function(x, axis=axes(x, dim), keepdim=keepdim), x.type.dtype)


@row("nansum", "Tensor.nansum")
def nansum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum of what isn't nan."""
    if kind(input) == "complex":
        raise refused("nansum takes no complex numbers")
    return _summed(api.sum, without_nan(input), dim, keepdim, dtype)


def without_nan(x: Any) -> Any:
    """0 in place of each nan."""
    return api.where(api.isnan(x), api.zeros_like(x), x) if kind(x) == "float" else x


@row("mean", "Tensor.mean")
def mean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The mean."""
    return api.mean(need_floats("mean", input, dtype), axis=axes(input, dim), keepdim=keepdim)


@row("nanmean", "Tensor.nanmean")
def nanmean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The mean of what isn't nan."""
    x = need_floats("nanmean", input, dtype)
    count = api.sum(api.logical_not(api.isnan(x)).astype(x.type.dtype), axis=axes(x, dim), keepdim=keepdim)
    return api.sum(api.where(api.isnan(x), api.zeros_like(x), x), axis=axes(x, dim), keepdim=keepdim) / count


def need_floats(name: str, x: Any, dtype: Any = None) -> Any:
    """A tensor of floats or complex numbers, in the dtype asked for."""
    x = x if dtype is None else converted(x, name_of(dtype))
    if kind(x) in ("bool", "int"):
        raise refused(f"{name} takes floats or complex numbers, not {x.type.dtype}; give it dtype=torch.float32")
    return x


@row("prod", "Tensor.prod")
def prod(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The product."""
    return _summed(api.prod, input, dim, keepdim, dtype)


def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """The logarithm of the sum of exponentials."""
    x = in_dtype(input, None, default_float())
    if kind(x) != "complex":
        return api.logsumexp(x, axis=axes(x, dim), keepdim=keepdim)
    high = api.max(x.real(), axis=axes(x, dim), keepdim=True)
    high = api.where(api.isfinite(high), high, api.zeros_like(high))
    found = api.log(api.sum(api.exp(x - high.astype(x.type.dtype)), axis=axes(x, dim), keepdim=keepdim))
    return found + (high if keepdim else high.reshape(list(found.shape))).astype(x.type.dtype)


def _all_or_any(name: str, function: Any) -> None:
    def compute(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if isinstance(dim, tuple | list) and not dim:  # here no axis, elsewhere all
            found = as_dtype(input, "bool")
        else:
            found = function(as_dtype(input, "bool"), axis=axes(input, dim), keepdim=keepdim)
        return found.astype("uint8") if input.type.dtype == "uint8" else found

    compute.__name__ = name
    both(name, compute)


_all_or_any("all", api.all)
_all_or_any("any", api.any)
row("_is_all_true", "Tensor._is_all_true")(lambda input: api.all(input))
row("_is_any_true", "Tensor._is_any_true")(lambda input: api.any(input))


def _ordered(name: str, x: Any) -> Any:
    """A tensor whose elements have an order, bools as small integers."""
    if kind(x) == "complex":
        raise refused(f"{name} takes no complex numbers, which have no order")
    return x.astype("uint8") if kind(x) == "bool" else x


def _greatest(name: str, function: Any) -> Any:
    def compute(input: Any, dim: Any = (), keepdim: bool = False) -> Any:
        found = function(_ordered(name, input), axis=axes(input, dim), keepdim=keepdim)
        return as_dtype(found, input.type.dtype)

    compute.__name__ = name
    return both(name, compute)


amax, amin = _greatest("amax", api.amax), _greatest("amin", api.amin)  # whose gradient is shared by equal elements


def place(name: str, function: Any, x: Any, dim: Any, keepdim: bool) -> Any:
    """Where the greatest or smallest element is, the first of several."""
    return function(_ordered(name, x), axis=axes(x, dim), keepdim=keepdim)


def _extreme(name: str, reduce: Any, where: Any, meet: Any) -> None:
    def compute(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
        other = dim if isinstance(dim, Tensor) else other
        if other is not None:
            return meet(*met(input, other))
        if dim is None:
            return reduce(input, ())
        at = place(name, where, input, dim, keepdim)
        return Extreme(_value(reduce, input, dim, keepdim, at), at)

    compute.__name__ = name
    both(name, compute)


def _value(reduce: Any, x: Any, dim: int, keepdim: bool, at: Any) -> Any:
    """The greatest or smallest elements along an axis; where they have a gradient it goes to the places `at` alone."""
    if not may_flow(x) or x.static_shape == ():
        return reduce(x, dim, keepdim)
    found = api.take_along_axis(x, at if keepdim else api.unsqueeze(at, dim), dim)
    return found if keepdim else api.squeeze(found, dim)


_extreme("max", amax, api.argmax, maximum)
_extreme("min", amin, api.argmin, minimum)


@row("argmax", "Tensor.argmax")
def argmax(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Where the greatest element is."""
    return place("argmax", api.argmax, input, dim, keepdim)


@row("argmin", "Tensor.argmin")
def argmin(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Where the smallest element is."""
    return place("argmin", api.argmin, input, dim, keepdim)


@row("aminmax", "Tensor.aminmax")
def aminmax(input: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest and the greatest element."""
    return Range(amin(input, () if dim is None else dim, keepdim), amax(input, () if dim is None else dim, keepdim))


@row("count_nonzero", "Tensor.count_nonzero")
def count_nonzero(input: Any, dim: Any = None) -> Any:
    """How many elements aren't 0."""
    return api.sum(as_dtype(input, "bool").astype("int64"), axis=axes(input, dim))


everywhere(logsumexp, "logsumexp")
