"""`math.call`: the functions of Python's `math` module on staged numbers."""

from __future__ import annotations

import math
from typing import Any

from ...errors import DTypeError
from ...ir.types import BOOL, FLOAT, INT, NUMERIC, Type
from ...tables import Table
from ..registry import define
from .lowered.mathematics import call as lowered_call

RESULTS = Table("function of math", {
    **dict.fromkeys("sqrt cbrt exp exp2 expm1 log log1p log2 log10 pow hypot fabs fmod remainder copysign".split(), FLOAT),
    **dict.fromkeys("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh degrees radians".split(), FLOAT),
    **dict.fromkeys("erf erfc gamma lgamma ldexp nextafter ulp".split(), FLOAT),
    **dict.fromkeys("floor ceil trunc gcd lcm isqrt comb perm factorial".split(), INT),
    **dict.fromkeys("isnan isinf isfinite isclose".split(), BOOL),
})  # fmt: skip
"""The functions on numbers that give a number, and what each gives."""

_FUNCTIONS = Table("function of math", {name: function for name, function in vars(math).items() if name in RESULTS})


def _result(*types: Type, name: str) -> Type:
    result = RESULTS[name]
    for type_ in types:
        if type_ not in NUMERIC:
            raise DTypeError(f"math.{name} takes Python numbers, not {type_}")
    return result


def _call(*operands: Any, name: str) -> Any:
    return _FUNCTIONS[name](*operands)


call = define(
    "math.call",
    kernel=_call,
    infer=_result,
    raises=("ValueError", "OverflowError", "TypeError"),
    onnx=lowered_call,
)
