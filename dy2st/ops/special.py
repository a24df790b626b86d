"""Special functions that NumPy lacks: the inverse of erf, the logarithm of gamma, and its derivatives.

All are computed in float64, with an error of a few units in the last places, and rounded to the operand's dtype.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import OperatorError
from .elementwise import multiply
from .erf import wide_erf
from .lowered.formula import in_float64
from .registry import define
from .rules import infer_real, need_real, quiet
from .unary import exp, square
from .walks import whole_number

_CENTRE = (-0.140543331, 0.914624893, -1.645349621, 0.886226899)  # P. Acklam's start for erfinv, by squares
_CENTRE_BELOW = (0.012229801, -0.329097515, 1.442710462, -2.118377725, 1.0)
_TAIL, _TAIL_BELOW = (1.641345311, 3.429567803, -1.624906493, -1.970840454), (1.637067800, 3.543889200, 1.0)


def _in_float64(name: str, formula: Callable[..., Any]) -> dict[str, Any]:
    """The kernel and the lowering of a formula of float64, rounded to the operand's dtype."""

    def kernel(x: np.ndarray, **attrs: Any) -> np.ndarray:
        return formula(np.asarray(need_real(name, x), np.float64), **attrs).astype(x.dtype)

    kernel.__wrapped__ = formula  # type: ignore[attr-defined]  # whose parameters it takes
    return {"kernel": quiet(kernel), "onnx": in_float64(formula)}


def _erfinv(y: np.ndarray) -> np.ndarray:
    """A rational start, and two steps of Newton's method."""
    centre = y * np.polyval(_CENTRE, y * y) / np.polyval(_CENTRE_BELOW, y * y)
    far = np.sqrt(-np.log((1 - np.abs(y)) / 2))
    found = np.where(np.abs(y) <= 0.7, centre, np.sign(y) * np.polyval(_TAIL, far) / np.polyval(_TAIL_BELOW, far))
    for _ in range(2):
        found = found - (wide_erf(found) - y) * (math.sqrt(math.pi) / 2) * np.exp(found * found)
    return np.where(np.abs(y) == 1, y * np.inf, found)


erfinv = define(
    "erfinv",
    **_in_float64("erfinv", _erfinv),
    infer=infer_real("erfinv"),
    grad=lambda ctx, g: (multiply(multiply(g, math.sqrt(math.pi) / 2), exp(square(ctx.outputs[0]))),),
    grad_ignores=(0,),
)

_LANCZOS = (
    0.99999999999980993,
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
)


def _lgamma_right(x: np.ndarray) -> np.ndarray:
    """Lanczos' approximation, for x >= 0.5."""
    z = x - 1
    series = _LANCZOS[0] + sum(c / (z + k) for k, c in enumerate(_LANCZOS[1:], 1))
    t = z + 7.5
    return 0.5 * math.log(2 * math.pi) + (z + 0.5) * np.log(t) - t + np.log(series)


def _lgamma(y: np.ndarray) -> np.ndarray:
    mirrored = math.log(math.pi) - np.log(np.abs(np.sin(math.pi * y))) - _lgamma_right(np.maximum(1 - y, 0.5))
    found = np.where(y < 0.5, mirrored, _lgamma_right(np.maximum(y, 0.5)))
    return np.where((y <= 0) & (y == np.floor(y)) | np.isinf(y), np.inf, found)


# log |gamma(x)|.
lgamma = define(
    "lgamma",
    **_in_float64("lgamma", _lgamma),
    infer=infer_real("lgamma"),
    grad=lambda ctx, g: (multiply(g, polygamma(ctx.inputs[0], n=0)),),
)

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)  # B2, B4, ...
_HIGHEST = 170
_SHIFT = 10  # the asymptotic series are good from here on


def _digamma_right(x: np.ndarray) -> np.ndarray:
    """For x > 0."""
    shifted = x + _SHIFT
    series = sum(b / (2 * k * shifted ** (2 * k)) for k, b in enumerate(_BERNOULLI, 1))
    return np.log(shifted) - 0.5 / shifted - series - sum(1 / (x + k) for k in range(_SHIFT))


def _digamma(x: np.ndarray) -> np.ndarray:
    mirrored = _digamma_right(np.where(x < 0, 1 - x, 1.0)) - math.pi / np.tan(math.pi * x)
    found = np.where(x < 0, mirrored, _digamma_right(np.where(x > 0, x, 1.0)))
    return np.where((x <= 0) & (x == np.floor(x)), np.where(x == 0, -np.copysign(np.inf, x), np.nan), found)


def _zeta(s: int, x: np.ndarray) -> np.ndarray:
    """Hurwitz' zeta: the sum of (x + k) ** -s over k >= 0, by Euler and Maclaurin; for x > 0, inf at 0."""
    far = x + _SHIFT
    total = sum((x + k) ** -float(s) for k in range(_SHIFT)) + far ** (1.0 - s) / (s - 1) + 0.5 * far ** -float(s)
    rising = float(s)
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + b / math.factorial(2 * k) * rising * far ** (1.0 - s - 2 * k)
        rising *= (s + 2 * k - 1) * (s + 2 * k)
    return total


def _trigamma(x: np.ndarray) -> np.ndarray:
    mirrored = (math.pi / np.sin(math.pi * x)) ** 2 - _zeta(2, np.where(x < 0, 1 - x, 1.0))
    found = np.where(x < 0, mirrored, _zeta(2, np.where(x > 0, x, 1.0)))
    return np.where((x <= 0) & (x == np.floor(x)), np.inf, found)


def _cotangent(x: np.ndarray) -> np.ndarray:
    """1 / tan(pi * x), exact near its zeros as well as near its poles."""
    past_zero, past_pole = x - np.floor(x) - 0.5, x - np.floor(x + 0.5)
    return np.where(np.abs(past_zero) < 0.25, -np.tan(math.pi * past_zero), 1 / np.tan(math.pi * past_pole))


def _slope_of_cotangent(n: int, x: np.ndarray) -> np.ndarray:
    """The derivative number n of pi / tan(pi * x): a polynomial of the cotangent."""
    slope = np.polynomial.Polynomial([0.0, math.pi])
    for _ in range(n):
        slope = slope.deriv() * np.polynomial.Polynomial([-math.pi, 0.0, -math.pi])
    return np.polyval(slope.coef[::-1].tolist(), _cotangent(x))


def _polygamma_from_2(y: np.ndarray, n: int) -> np.ndarray:
    scale = (-1.0) ** (n + 1) * math.factorial(n)
    mirrored = (-1.0) ** n * scale * _zeta(n + 1, np.where(y < 0, 1 - y, 1.0)) - _slope_of_cotangent(n, y)
    found = np.where(y < 0, mirrored, scale * _zeta(n + 1, np.where(y < 0, 1.0, y)))
    return np.where((y < 0) & (y == np.floor(y)), scale * np.inf, found)


def _polygamma(y: np.ndarray, n: int) -> np.ndarray:
    n = whole_number("polygamma", n, least=0)
    if n > _HIGHEST:
        raise OperatorError(f"polygamma: n is at most {_HIGHEST}, not {n}: the factorial of more is no float64")
    if n < 2:
        return np.where(np.isnan(y), y, _trigamma(y) if n else _digamma(y))
    return _polygamma_from_2(y, n)


def _polygamma_grad(ctx: Any, g: Any) -> tuple:
    return (multiply(g, polygamma(ctx.inputs[0], n=ctx.attrs["n"] + 1)),)


# The derivative number n + 1 of log gamma: digamma for n = 0; infinite at 0, and from n = 1 on at negative whole numbers.
polygamma = define(
    "polygamma",
    **_in_float64("polygamma", _polygamma),
    infer=lambda x, n: infer_real("polygamma")(x),
    grad=_polygamma_grad,
)
