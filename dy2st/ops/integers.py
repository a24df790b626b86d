"""Element-wise functions of integers: divisors, multiples, shifts of bits. None of them has a gradient."""

from __future__ import annotations

import numpy as np

from .compare import whole

gcd = whole("gcd", np.gcd)
lcm = whole("lcm", np.lcm)
left_shift = whole("left_shift", np.left_shift)
right_shift = whole("right_shift", np.right_shift)
