"""erf, the error function, which NumPy lacks.

float64: W. J. Cody, "Rational Chebyshev approximations for the error function" (1969). Three ranges: |x| <= 0.46875 by erf
itself, up to 4 and beyond by erfc = exp(-x * x) * r(x). The error is below 1e-15.

Narrower dtypes: x * p(x * x) / q(x * x), computed in float64. p and q were fitted to erf up to 3.92, beyond which a float32 is 1.
The relative error is below 3e-9 up to there, so that a float32 is off by 0.54 units in the last place at most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .blocks import in_blocks
from .elementwise import multiply, negative
from .lowered.elementary import narrow_or
from .lowered.formula import formula
from .registry import define
from .rules import infer_real, need_real
from .unary import exp

_SMALL = (
    (1.85777706184603153e-1, 3.16112374387056560, 1.13864154151050156e2, 3.77485237685302021e2, 3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3),
)
MIDDLE = (
    (
        2.15311535474403846e-8,
        5.64188496988670089e-1,
        8.88314979438837594,
        6.61191906371416295e1,
        2.98635138197400131e2,
        8.81952221241769090e2,
        1.71204761263407058e3,
        2.05107837782607147e3,
        1.23033935479799725e3,
    ),
    (
        1.0,
        1.57449261107098347e1,
        1.17693950891312499e2,
        5.37181101862009858e2,
        1.62138957456669019e3,
        3.29079923573345963e3,
        4.36261909014324716e3,
        3.43936767414372164e3,
        1.23033935480374942e3,
    ),
)
LARGE = (
    (
        1.63153871373020978e-2,
        3.05326634961232344e-1,
        3.60344899949804439e-1,
        1.25781726111229246e-1,
        1.60837851487422766e-2,
        6.58749161529837803e-4,
    ),
    (1.0, 2.56852019228982242, 1.87295284992346725, 5.27905102951428412e-1, 6.05183413124413191e-2, 2.33520497626869185e-3),
)
NARROW_END = 3.92  # erf is 1 - 3e-8 there
_START, _END = np.array(-NARROW_END), np.array(NARROW_END)
_NARROW: tuple = (
    (
        6.5710725085244035e-6,
        4.0526699122729260e-4,
        4.1919473048468050e-3,
        5.5568520843457660e-2,
        1.9242668529178740e-1,
        1.1283791695437393,
    ),
    (
        2.4800451534264083e-7,
        7.0985722316344430e-5,
        1.4063945877881249e-3,
        1.6206436699497920e-2,
        1.1720146246209502e-1,
        5.0386712978526050e-1,
        1.0,
    ),
)
_NARROW = tuple([np.array(c) for c in part] for part in _NARROW)  # a step on a 0-d array is quicker than on a Python number


def _ratio(coefficients: tuple, x: np.ndarray) -> np.ndarray:
    return np.polyval(coefficients[0], x) / np.polyval(coefficients[1], x)


def _middle(x: np.ndarray) -> np.ndarray:
    return 1.0 - np.exp(-x * x) * _ratio(MIDDLE, x)


def _large(x: np.ndarray) -> np.ndarray:
    inverse = 1.0 / (x * x)
    return 1.0 - np.exp(-x * x) * (1.0 / math.sqrt(math.pi) - inverse * _ratio(LARGE, inverse)) / x


def narrow_erf(block: np.ndarray) -> np.ndarray:
    """erf of an array of float64 to the precision of a float32, in its memory."""
    np.minimum(np.maximum(block, _START, out=block), _END, out=block)
    square = block * block
    total = np.empty_like(block)
    block *= _horner(_NARROW[0], square, total)
    block /= _horner(_NARROW[1], square, total)
    return block


def _horner(coefficients: Sequence, x: np.ndarray, total: np.ndarray) -> np.ndarray:
    """The polynomial, as np.polyval gives it, in the memory of `total`."""
    np.multiply(x, coefficients[0], out=total)
    for coefficient in coefficients[1:-1]:
        total += coefficient
        total *= x
    total += coefficients[-1]
    return total


def erf_array(x: np.ndarray) -> np.ndarray:
    """erf of every element, in the dtype of `x` (computed in float64)."""
    if need_real("erf", x).dtype.itemsize < 8:
        return in_blocks(narrow_erf, x)
    return _small(x) if np.abs(x).max(initial=0.0) <= 0.46875 else wide_erf(x)


def _small(x: np.ndarray) -> np.ndarray:
    return x * _ratio(_SMALL, np.minimum(x * x, 0.46875**2))


def wide_erf(x: np.ndarray) -> np.ndarray:
    """erf of an array of float64."""
    size = np.abs(x)
    middle = _middle(np.clip(size, 0.46875, 4.0))
    # erf(6) is 1 to the last bit of a float64, so larger arguments need no separate care.
    tail = np.where(size <= 4.0, middle, _large(np.clip(size, 4.0, 6.0)))
    result = np.where(size <= 0.46875, _small(x), np.copysign(tail, x))
    return np.where(np.isnan(x), x, result)


def _grad_erf(ctx, g):
    x = ctx.inputs[0]
    return (multiply(g, multiply(exp(negative(multiply(x, x))), 2.0 / math.sqrt(math.pi))),)


erf = define("erf", kernel=erf_array, infer=infer_real("erf"), grad=_grad_erf, onnx=narrow_or("Erf", formula(wide_erf)))
