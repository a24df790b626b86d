"""Results of all elements up to each: sums, products, greatest so far."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import dy2st as api

from ..dtypes import default_float
from .axes import axis_of, rank_of
from .neighbours import part
from .pointwise import as_dtype, kind, met
from .reductions import in_dtype
from .rows import both, everywhere, refused

Extreme = namedtuple("Extreme", "values indices")


def _along(function: Any, x: Any, dim: Any) -> Any:
    """A running function; a tensor without axes is its own result."""
    if x.static_shape != ():
        return function(x, dim)
    found = function(x.reshape([1]), dim)
    return tuple(part.reshape([]) for part in found) if isinstance(found, tuple) else found.reshape([])


def _running(name: str, function: Any, of_whole: Any = lambda: "int64") -> None:
    def compute(input: Any, dim: Any, *, dtype: Any = None) -> Any:
        return _along(function, in_dtype(input, dtype, of_whole()), dim)

    compute.__name__ = name
    everywhere(compute, name)


def _cumsum(x: Any, dim: Any) -> Any:
    """Sums that begin with 0, so that none is -0."""
    found = api.cumsum(x, axis=dim)
    return found if kind(x) in ("bool", "int") else found + 0.0


_running("cumsum", _cumsum)
_running("cumprod", lambda x, dim: api.cumprod(x, dim=dim))


def logcumsumexp(input: Any, dim: Any) -> Any:
    """The logarithm of running sums of exponentials."""
    (x,) = met(input, floats=True)
    if kind(x) == "complex":
        raise refused("logcumsumexp of complex numbers could lose the small ones; write x.exp().cumsum(dim).log()")
    wide = as_dtype(x, "float64")  # in which the gradient, a difference of logarithms, keeps its digits
    return as_dtype(_along(lambda x, dim: api.logcumsumexp(x, axis=dim), wide, dim), x.type.dtype) + 0.0  # of -0 it is 0


everywhere(logcumsumexp, "logcumsumexp")


def _so_far(name: str, function: Any) -> None:
    def compute(input: Any, dim: Any) -> Any:
        small = input.astype("uint8") if kind(input) == "bool" else input
        values, places = _along(lambda x, dim: function(x, axis=dim), small, dim)
        return Extreme(as_dtype(values, input.type.dtype), places)

    compute.__name__ = name
    both(name, compute)


_so_far("cummax", api.cummax)
_so_far("cummin", api.cummin)


def _areas(y: Any, x: Any, dx: Any, dim: int) -> Any:
    """The trapezoids between neighbours."""
    y = in_dtype(y, None, default_float()) if x is None else y
    if x is None:
        heights = part(y, dim, 1, None) + part(y, dim, None, -1)
        return heights * (dx / 2)
    dim = axis_of(dim, rank_of(y))
    if 1 < rank_of(x) < rank_of(y):
        x = api.unsqueeze(x, list(range(rank_of(y) - rank_of(x))))
    along = dim if rank_of(x) > 1 else 0
    widths = part(x, along, 1, None) - part(x, along, None, -1)
    if rank_of(x) == 1:
        widths = widths.reshape([-1] + [1] * (rank_of(y) - 1 - dim))
    a, b = met(part(y, dim, 1, None) + part(y, dim, None, -1), widths)
    return a * b / 2


def trapezoid(y: Any, x: Any = None, *, dx: Any = 1, dim: int = -1) -> Any:
    """The integral by trapezoids."""
    return api.sum(_areas(y, x, dx, dim), axis=dim)


def cumulative_trapezoid(y: Any, x: Any = None, *, dx: Any = 1, dim: int = -1) -> Any:
    """The integrals up to each element but the first."""
    return api.cumsum(_areas(y, x, dx, dim), axis=dim)


everywhere(trapezoid, "trapezoid", "trapz")
everywhere(cumulative_trapezoid, "cumulative_trapezoid")
