"""What the numbers of a dtype reach, and constants, under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import as_dtype

__all__ = ("e", "finfo", "iinfo", "inf", "nan", "newaxis", "pi")

pi, e, inf, nan = math.pi, math.e, math.inf, math.nan
newaxis = None


class iinfo:
    """The limits of an integer dtype: ints `min`, `max`, `bits`, and `dtype`, its name. ValueError: another dtype.

    >>> dy2st.iinfo("int8").max
    127
    """

    def __init__(self, dtype: Any):
        if not as_dtype(dtype).is_integer:
            raise ValueError(f"iinfo takes an integer dtype, not {as_dtype(dtype).name}")
        found = np.iinfo(as_dtype(dtype).numpy)
        self.min, self.max, self.bits, self.dtype = int(found.min), int(found.max), found.bits, as_dtype(dtype).name

    def __repr__(self) -> str:
        return f"dy2st.iinfo(min={self.min}, max={self.max}, bits={self.bits}, dtype={self.dtype})"


def _limits(dtype: np.dtype) -> Any:
    if dtype.kind != "V":
        return np.finfo(dtype)
    import ml_dtypes  # which has given the dtype

    return ml_dtypes.finfo(dtype)


class finfo:
    """The limits of a floating-point dtype. ValueError: another dtype.

    `min`, `max`, `eps`, `tiny`, `smallest_normal` and `resolution` are floats, `bits` an int, `dtype` its name.

    >>> dy2st.finfo("float16").max
    65504.0
    """

    def __init__(self, dtype: Any):
        if not as_dtype(dtype).is_floating:
            raise ValueError(f"finfo takes a floating-point dtype, not {as_dtype(dtype).name}")
        found = _limits(as_dtype(dtype).numpy)
        self.min, self.max, self.eps = float(found.min), float(found.max), float(found.eps)
        self.tiny = self.smallest_normal = float(found.smallest_normal)
        self.resolution, self.bits, self.dtype = float(found.resolution), found.bits, as_dtype(dtype).name

    def __repr__(self) -> str:
        return f"dy2st.finfo(min={self.min:g}, max={self.max:g}, eps={self.eps:g}, bits={self.bits}, dtype={self.dtype})"
