"""Element-wise functions of integers: divisors, multiples, shifts of bits. None of them has a gradient."""

from __future__ import annotations

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .compare import whole
from .lowered import integers
from .registry import define
from .rules import need_tensor

gcd = whole("gcd", np.gcd, onnx=integers.gcd)
lcm = whole("lcm", np.lcm, onnx=integers.lcm)
left_shift = whole("left_shift", np.left_shift, onnx=integers.left_shift)
right_shift = whole("right_shift", np.right_shift, onnx=integers.right_shift)


def _divisor(x: np.ndarray, dividend: np.ndarray) -> np.ndarray:
    if dividend.size and not x.all():
        raise RuntimeError("ZeroDivisionError")
    return x.copy()


def _infer_divisor(x: Type, dividend: Type) -> TensorType:
    tensor, _ = need_tensor("divisor", x), need_tensor("divisor", dividend)
    if not DTYPES[tensor.dtype].is_integer:
        raise DTypeError(f"divisor takes integers, not {tensor.dtype}")
    return tensor


# `x`, by which the elements of `dividend`, if there are any, are divided: none of it is 0. The error is torch's.
divisor = define("divisor", kernel=_divisor, infer=_infer_divisor, onnx=integers.divisor, raises=("RuntimeError",))
