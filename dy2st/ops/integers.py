"""Element-wise functions of integers: divisors, multiples, shifts of bits. None of them has a gradient."""

from __future__ import annotations

import numpy as np

from .compare import whole
from .lowered import integers

gcd = whole("gcd", np.gcd, onnx=integers.gcd)
lcm = whole("lcm", np.lcm, onnx=integers.lcm)
left_shift = whole("left_shift", np.left_shift, onnx=integers.left_shift)
right_shift = whole("right_shift", np.right_shift, onnx=integers.right_shift)
