"""Variances, medians, quantiles, covariances."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ...api.reduce import axes_of
from ...ops.half import in_float32
from ...ops.reduce import reduced_count
from ...runtime.convert.operations.ifelse import convert_ifelse
from ...runtime.tensors.tensor import Tensor
from ..face import Size
from .functions import default_floats
from .pointwise import as_dtype, kind, past, sloped
from .reductions import axes, mean, need_floats
from .rows import both, demanded, everywhere, refused, row
from .vector_norms import root

Extreme = namedtuple("Extreme", "values indices")


def _correction(dim: Any, unbiased: Any, correction: Any) -> tuple[Any, Any]:
    """The axes, and what is taken off the count: `var(x, False)` has no axes."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return dim, (1 if unbiased is None or unbiased else 0) if correction is None else correction


@in_float32
def _variance(x: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    if kind(x) == "complex":
        return _variance(x.real(), dim, correction, keepdim) + _variance(x.imag(), dim, correction, keepdim)
    along = axes(x, dim)
    total = api.sum(api.square(x - api.mean(x, axis=along, keepdim=True)), axis=along, keepdim=keepdim)
    left = reduced_count(x, axis=axes_of("var", x, along)) - float(correction)
    return total / (left if correction == 0 else api.maximum(left, api.zeros_like(left)))


@row("var", "Tensor.var")
def var(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
    """The variance."""
    dim, less = _correction(dim, unbiased, correction)
    return _variance(need_floats("var", input), dim, less, keepdim)


@row("std", "Tensor.std")
@in_float32
def std(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
    """The standard deviation."""
    return root(var(input, dim, unbiased, keepdim, correction=correction))


def _with_mean(name: str, function: Any) -> None:
    def compute(input: Any, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = None) -> Any:
        spread = function(input, dim, unbiased, keepdim, correction=correction)
        return spread, mean(input, None if isinstance(dim, bool) else dim, keepdim)

    compute.__name__ = name
    row(name)(compute)


_with_mean("var_mean", var)
_with_mean("std_mean", std)


def _median(name: str, function: Any) -> None:
    def compute(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if dim is None:
            flat = input.reshape([-1])
            whole = lambda: _shared(function(flat, axis=0, mode="min")[0], flat)  # noqa: E731
            return convert_ifelse(flat.shape[0] == 0, lambda: _of_none(input), whole) if kind(input) == "float" else whole()
        if input.static_shape == ():
            return Extreme(input.clone(), api.zeros_like(input, dtype="int64"))
        says = f"median(): Expected reduction dim {dim} to have non-zero size."
        input = demanded(input, input.shape[dim] != 0, says, "IndexError")
        values, places = function(input, axis=dim, keepdim=keepdim, mode="min")
        if name == "median" and kind(input) == "float":  # of several NaN the first
            places = api.where(api.isnan(values), api.argmax(api.isnan(input), axis=dim, keepdim=keepdim), places)
        return Extreme(values, places)

    compute.__name__ = name
    both(name, compute)


def _shared(found: Any, x: Any) -> Any:
    """An element of x, by which all that equal it have the same gradient."""
    if kind(x) != "float":
        return found
    found = past(found)
    equal = (x == found) | (api.isnan(x) & api.isnan(found))
    mean_of_equal = api.sum(api.where(equal, x, api.zeros_like(x))) / api.sum(as_dtype(equal, x.type.dtype))
    return sloped(found, mean_of_equal, lambda: 1.0)


def _of_none(x: Any) -> Any:
    """NaN, of no elements."""
    return api.full([], float("nan"), dtype=x.type.dtype) + api.sum(x)


_median("median", api.median)
_median("nanmedian", api.nanmedian)


def _quantile(name: str, function: Any) -> None:
    def compute(input: Any, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Any:
        if kind(input) != "float":
            raise refused(f"{name} takes floats, not {input.type.dtype}")
        input = demanded(input, Size(input.shape).numel() != 0, "quantile() input tensor must be non-empty")
        x = input if input.static_shape != () else input.reshape([1])
        parts = q.astype("float64") if isinstance(q, Tensor) else q
        along = 0 if input.static_shape == () else dim
        found = function(x, parts, axis=along, keepdim=keepdim, interpolation=interpolation).astype(input.type.dtype)
        return found.reshape(list(q.shape) if isinstance(q, Tensor) else []) if input.static_shape == () else found

    compute.__name__ = name
    both(name, compute)


_quantile("quantile", api.quantile)
_quantile("nanquantile", api.nanquantile)


@row("mode", "Tensor.mode")
def mode(input: Any, dim: int = -1, keepdim: bool = False) -> Any:
    """The commonest value, and where it is."""
    if axes(input, dim) is None:
        return Extreme(input.clone(), api.zeros_like(input, dtype="int64"))
    if kind(input) == "float":  # each NaN is another value
        input = demanded(input, ~api.isnan(input), "torch.mode of NaN isn't mapped; write torch.nan_to_num(x) first")
    values, places = api.mode(input.astype("uint8") if kind(input) == "bool" else input, axis=dim, keepdim=keepdim)
    return Extreme(as_dtype(values, input.type.dtype), places)


def cov(input: Any, *, correction: Any = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariances of the rows of a matrix."""
    x = default_floats(input)
    if x.static_shape is None or x.static_shape[:-1] == (None,):
        raise refused("covariances of one row have no axes: the number of rows must be known while staging")
    x = x.reshape([1, -1]) if len(x.static_shape) < 2 else x
    part = x.real() if kind(x) == "complex" else x
    given = {name: w for name, w in (("fweights", fweights), ("aweights", aweights)) if w is not None}
    weights = [as_dtype(demanded(w, w >= 0, f"cov(): {n} cannot be negative"), part.type.dtype) for n, w in given.items()]
    even = api.ones([part.shape[1]], dtype=part.type.dtype)
    w = even if not weights else weights[0] if len(weights) == 1 else weights[0] * weights[1]
    total = api.sum(w)
    middle = api.sum(x * as_dtype(w, x.type.dtype), axis=1, keepdim=True) / as_dtype(total, x.type.dtype)
    if aweights is None or not correction:
        count = total - float(correction)
    else:
        count = total - correction * api.sum(w * as_dtype(aweights, part.type.dtype)) / total
    off = x - middle
    other = api.transpose(off * as_dtype(w, x.type.dtype), [1, 0])
    found = api.matmul(off, api.conj(other) if kind(x) == "complex" else other)
    found = found / as_dtype(api.maximum(count, api.zeros_like(count)), x.type.dtype)
    return found.reshape([]) if x.static_shape[0] == 1 else found


def corrcoef(input: Any) -> Any:
    """The correlations of the rows of a matrix."""
    found = cov(input)
    if not found.static_shape:
        return found / found
    spread = api.diagonal(found)
    sizes = api.sqrt(spread.real() if kind(spread) == "complex" else spread)
    found = found / as_dtype(sizes.reshape([-1, 1]) * sizes.reshape([1, -1]), found.type.dtype)
    if kind(found) == "complex":
        return api.complex(api.clip(found.real(), -1.0, 1.0), api.clip(found.imag(), -1.0, 1.0))
    return api.clip(found, -1.0, 1.0)


everywhere(cov, "cov")
everywhere(corrcoef, "corrcoef")
