"""Element-wise functions of integers: divisors, multiples, shifts of bits. None of them has a gradient."""

from __future__ import annotations

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .registry import OpDef, define
from .rules import infer_broadcast


def _whole(name: str, function: np.ufunc) -> OpDef:
    broadcast = infer_broadcast(name)

    def infer(*types: Type) -> TensorType:
        result = broadcast(*types)
        if not DTYPES[result.dtype].is_integer:
            raise DTypeError(f"{name} takes integers, not {result.dtype}")
        return result

    return define(name, kernel=function, infer=infer, template=f"np.{function.__name__}({{0}}, {{1}})", out=True)


gcd = _whole("gcd", np.gcd)
lcm = _whole("lcm", np.lcm)
left_shift = _whole("left_shift", np.left_shift)
right_shift = _whole("right_shift", np.right_shift)
