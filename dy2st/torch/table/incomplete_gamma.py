"""The incomplete gamma functions: the parts of the gamma function's integral below and above x."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import dy2st as api

from .pointwise import as_dtype
from .series import choose, wide

_MOST, _NEAR, _TINY = 5000.0, 1e-16, 1e-300


def _series(a: Any, x: Any) -> Any:
    """The sum of x ** k / ((a + 1) ... (a + k)), which converges fast for x < a + 1."""

    def more(k: Any, term: Any, total: Any) -> Any:
        return api.any(term > total * _NEAR) & (k < _MOST)

    def step(k: Any, term: Any, total: Any) -> Any:
        following = term * x / (a + k)
        return k + 1.0, following, total + following

    one = api.ones_like(x)
    return api.static.nn.while_loop(more, step, [as_dtype(1.0, "float64"), one, one])[2]


def _fraction(a: Any, x: Any) -> Any:
    """A continued fraction by W. J. Lentz's method, which converges fast for x > a + 1."""

    def more(k: Any, above: Any, below: Any, factor: Any, total: Any) -> Any:
        return api.any(api.abs(factor - 1.0) > _NEAR * 4) & (k < _MOST)

    def step(k: Any, above: Any, below: Any, factor: Any, total: Any) -> Any:
        numerator, b = -k * (k - a), x + 1.0 - a + 2.0 * k
        below = 1.0 / _away(numerator * below + b)
        above = _away(b + numerator / above)
        return k + 1.0, above, below, above * below, total * above * below

    first = 1.0 / _away(x + 1.0 - a)
    start = [as_dtype(1.0, "float64"), api.full_like(x, 1 / _TINY), first, api.zeros_like(x), first]
    return api.static.nn.while_loop(more, step, start)[4]


def _away(x: Any) -> Any:
    """x, kept away from 0."""
    return api.where(api.abs(x) < _TINY, api.full_like(x, _TINY), x)


def _part(is_upper: bool) -> Callable:
    """The part above x, or that below."""

    def compute(a: Any, x: Any) -> Any:
        is_known = (a > 0) & (x > 0) & api.isfinite(a) & api.isfinite(x)
        one = api.ones_like(x)
        safe_a, safe_x = api.where(is_known, a, one), api.where(is_known, x, one)
        is_low = safe_x < safe_a + 1.0
        scale = api.exp(safe_a * api.log(safe_x) - safe_x - api.lgamma(safe_a))
        low = scale / safe_a * _series(safe_a, api.where(is_low, safe_x, one * 0))
        high = scale * _fraction(api.where(is_low, one, safe_a), api.where(is_low, one * 3, safe_x))
        found = api.where(is_low, 1.0 - low, high) if is_upper else api.where(is_low, low, 1.0 - high)
        is_undefined = (a < 0) | (x < 0) | api.isnan(a + x) | ((a == 0) & (x == 0)) | (api.isinf(a) & api.isinf(x))
        at_end = choose(a == 0, 0.0, x == 0, 1.0, api.isinf(a), 1.0, one * 0)
        return choose(is_undefined, math.nan, is_known, found, at_end if is_upper else 1.0 - at_end)

    return compute


wide("igamma", _part(is_upper=False), "gammainc")
wide("igammac", _part(is_upper=True), "gammaincc")
