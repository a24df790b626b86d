"""What special functions are made of: polynomials, and computing in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import dy2st as api

from .pointwise import as_dtype, kind, met
from .rows import everywhere, refused


def polynomial(coefficients: Sequence[float], x: Any) -> Any:
    """The polynomial with these coefficients, the highest power first."""
    total: Any = coefficients[0]
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


def ratio(above: Sequence[float], below: Sequence[float], x: Any) -> Any:
    """The quotient of two polynomials."""
    return polynomial(above, x) / polynomial(below, x)


def chebyshev(coefficients: Sequence[float], x: Any) -> Any:
    """A series of Chebyshev polynomials of x / 2, the highest first; of the first one half is taken."""
    before, last, now = 0.0 * x, 0.0 * x, coefficients[0] + 0.0 * x
    for coefficient in coefficients[1:]:
        before, last = last, now
        now = x * last - before + coefficient
    return (now - before) * 0.5


def at_most(x: Any, bound: float) -> Any:
    """x, the bound where x is greater. As the bound, x has its own gradient."""
    return api.where(x > bound, api.full_like(x, bound), x)


def at_least(x: Any, bound: float) -> Any:
    """x, the bound where x is smaller. As the bound, x has its own gradient."""
    return api.where(x < bound, api.full_like(x, bound), x)


def choose(*pairs: Any) -> Any:
    """The first value whose condition holds: condition, value, condition, value, ..., value of all others."""
    *rest, found = pairs
    for k in range(len(rest) - 2, -1, -2):
        value = rest[k + 1]
        found = api.where(rest[k], value if isinstance(value, type(rest[k])) else api.full_like(found, value), found)
    return found


def wide(name: str, function: Callable, *others: str) -> None:
    """Rows for a function of one tensor, or of two, computed in float64 and rounded; integers give the default float."""

    def compute(*operands: Any) -> Any:
        given = met(*operands, floats=True)
        if kind(given[0]) != "float":
            raise refused(f"{name} takes no complex numbers")
        wider = [as_dtype(x, "float64") for x in given]
        return as_dtype(function(*(wider if is_unary else api.broadcast_tensors(wider))), given[0].type.dtype)

    is_unary = function.__code__.co_argcount == 1
    everywhere((lambda input: compute(input)) if is_unary else (lambda input, other: compute(input, other)), name, *others)
