"""Orthogonal polynomials of degrees that each element tells, by their recurrences: 0 for a negative degree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from .pointwise import as_dtype, kind, met
from .rows import refused, row


def _polynomial(name: str, first: Callable, step: Callable, argument: Callable = lambda x: x, highest: bool = False) -> None:
    """A row. first(x): of degree 1. step(x, k, last, before): of degree k + 1. highest: torch gives nan from some degree on."""

    def compute(input: Any, n: Any) -> Any:
        given = met(input, n, floats=True)
        if kind(given[0]) != "float":
            raise refused(f"{name} takes no complex numbers")
        x, degree = api.broadcast_tensors([as_dtype(x, "float64") for x in given])
        x, degree = argument(x), api.trunc(degree)
        one = api.ones_like(x)

        def more(k: Any, found: Any, last: Any, before: Any) -> Any:
            return api.any(degree > k)

        def following(k: Any, found: Any, last: Any, before: Any) -> Any:
            now = step(x, k, last, before)
            return k + 1.0, api.where(degree == k + 1.0, now, found), now, last

        start = api.where(degree == 0, one, api.where(degree == 1, first(x), one * 0))
        start = api.static.nn.while_loop(more, following, [as_dtype(1.0, "float64"), start, first(x), one])[1]
        if highest:
            limit = {"float32": 128, "float64": 512}.get(given[0].type.dtype, 1024)
            start = api.where(degree > limit, api.full_like(start, float("nan")), start)
        return start.astype(given[0].type.dtype)

    compute.__name__ = name
    row(f"special.{name}")(compute)


def _chebyshev(x: Any, k: Any, last: Any, before: Any) -> Any:
    return 2.0 * x * last - before


_FIRST = {"t": lambda x: x, "u": lambda x: 2.0 * x, "v": lambda x: 2.0 * x - 1.0, "w": lambda x: 2.0 * x + 1.0}
for _name, _first in _FIRST.items():
    _polynomial(f"chebyshev_polynomial_{_name}", _first, _chebyshev)
    _polynomial(f"shifted_chebyshev_polynomial_{_name}", _first, _chebyshev, lambda x: 2.0 * x - 1.0)
_polynomial("hermite_polynomial_h", _FIRST["u"], lambda x, k, last, before: 2.0 * x * last - 2.0 * k * before, highest=True)
_polynomial("hermite_polynomial_he", _FIRST["t"], lambda x, k, last, before: x * last - k * before, highest=True)
_polynomial(
    "laguerre_polynomial_l",
    lambda x: 1.0 - x,
    lambda x, k, last, before: ((2.0 * k + 1.0 - x) * last - k * before) / (k + 1.0),
)
_polynomial(
    "legendre_polynomial_p",
    _FIRST["t"],
    lambda x, k, last, before: ((2.0 * k + 1.0) * x * last - k * before) / (k + 1.0),
)
