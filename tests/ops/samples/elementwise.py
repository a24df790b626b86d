"""Arithmetic, comparisons, logic, functions of one tensor, choice."""

from __future__ import annotations

import numpy as np

from .sample import flags, integers, sample, values

X, Y = values(2, 3, low=-2.1, high=2.2), values(2, 3, low=-1.8, high=2.4, seed=1)
ROW, COLUMN = values(3, seed=2), values(2, 1, seed=3)
POSITIVE, NEAR_ONE = values(2, 3, low=0.5, high=3.0), values(2, 3, low=-0.9, high=0.9)
AWAY = values(2, 3, low=0.6, high=1.8, seed=4)
SCALAR = np.array(1.5)
N, M = integers(2, 3, low=-7, high=7), integers(2, 3, low=1, high=5, seed=1)
SPECIAL = np.array([1.0, np.nan, np.inf, -np.inf])


def _arithmetic(low_second: bool = False) -> list:
    second = AWAY if low_second else Y
    return [sample(X, second), sample(X, AWAY[0]), sample(COLUMN, AWAY), sample(SCALAR, AWAY), sample(X, 2), sample(3.0, AWAY)]


def _whole(*more) -> list:
    return [sample(N, M), sample(N.astype("int32"), 3), *more]


SAMPLES = {
    "add": [*_arithmetic(), *_whole()],
    "subtract": [*_arithmetic(), *_whole()],
    "multiply": [*_arithmetic(), *_whole()],
    "divide": _arithmetic(low_second=True),
    "floor_divide": [sample(X, AWAY), sample(X, 0.7), *_whole()],
    "remainder": [sample(X, AWAY), sample(X, 0.7), *_whole()],
    "pow": [
        sample(POSITIVE, Y),
        sample(X, 3),
        sample(X, 2.0),
        sample(X, 0),
        sample(2.0, Y),
        sample(POSITIVE, -0.5),
        sample(N, 2),
    ],
    "maximum": [sample(X, Y), sample(X, ROW), sample(X, 0.3), sample(N, M)],
    "minimum": [sample(X, Y), sample(X, ROW), sample(X, 0.3), sample(N, M)],
    "atan2": [sample(X, Y), sample(X, AWAY[0]), sample(X, 0.5)],
    "neg": [sample(X), sample(N)],
    **{name: [sample(X, Y), sample(N, M), sample(N, 2), sample(COLUMN, ROW)] for name in ("equal", "not_equal", "less_than")},
    **{name: [sample(X, Y), sample(N, 2.5), sample(1, N)] for name in ("less_equal", "greater_than", "greater_equal")},
    **{name: [sample(flags(2, 3), flags(3, seed=1)), sample(N, M)] for name in ("logical_and", "logical_or", "logical_xor")},
    "logical_not": [sample(flags(2, 3)), sample(X)],
    **{name: [sample(flags(2, 3), flags(3, seed=1)), sample(N, M)] for name in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    "bitwise_not": [sample(flags(2, 3)), sample(N)],
    **{name: [sample(SPECIAL), sample(N)] for name in ("isnan", "isinf", "isfinite")},
    "isclose": [
        sample(X, X + 1e-9, rtol=1e-5, atol=1e-8, equal_nan=False),
        sample(SPECIAL, SPECIAL, rtol=0.0, atol=0.0, equal_nan=True),
    ],
    **{name: [sample(X), sample(SCALAR)] for name in ("exp", "expm1", "sin", "cos", "atan", "sinh", "cosh", "tanh", "sigmoid")},
    **{name: [sample(POSITIVE)] for name in ("log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal")},
    "tan": [sample(NEAR_ONE)],
    "asin": [sample(NEAR_ONE)],
    "acos": [sample(NEAR_ONE)],
    **{name: [sample(X), sample(X.astype("float32"))] for name in ("floor", "ceil", "trunc", "round")},
    "sign": [sample(X), sample(N)],
    "abs": [sample(X), sample(N)],
    "square": [sample(X), sample(N)],
    "scale": [sample(X, scale=2.0, bias=1.0), sample(X, scale=2.0, bias=1.0, bias_after_scale=False), sample(N, scale=2, bias=1)],
    "where": [sample(flags(2, 3), X, Y), sample(flags(3), X, 0.0), sample(flags(2, 3), 1.0, ROW), sample(flags(2, 1), N, M)],
    "clip": [sample(X, min=-0.5, max=0.5), sample(X, min=0.0), sample(X, max=0.0), sample(X), sample(N, min=-2, max=3)],
    "cast": [sample(X, dtype="float64"), sample(X, dtype="int32"), sample(N, dtype="bool"), sample(flags(2, 3), dtype="float32")],
    "assign": [sample(X), sample(N), sample(SCALAR)],
    "assign_value": [sample(X, Y), sample(X, ROW), sample(X, SCALAR)],
}

_IN_PLACE = ("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "pow")
SAMPLES |= {f"{name}_": [sample(POSITIVE, AWAY), sample(POSITIVE, AWAY[0]), sample(POSITIVE, 2.0)] for name in _IN_PLACE}
_IN_PLACE_OF_ONE = ("exp", "sqrt", "rsqrt", "reciprocal", "tanh", "sigmoid", "floor", "ceil", "round", "abs", "neg")
SAMPLES |= {f"{name}_": [sample(POSITIVE)] for name in _IN_PLACE_OF_ONE}
SAMPLES |= {
    "scale_": [sample(X, scale=2.0, bias=1.0)],
    "clip_": [sample(X, min=-0.5, max=0.5)],
    "copy_": [sample(X, Y), sample(X, ROW)],
    "assign_result": [sample(X, Y), sample(X, ROW)],
    "copy_result_": [sample(X, Y), sample(X, ROW)],
}
