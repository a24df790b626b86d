"""The arithmetic of a batch normalisation that uses known statistics, as passes fold it into what stands before it."""

from __future__ import annotations

from typing import Any

import numpy as np


def scale_and_shift(mean: np.ndarray, variance: np.ndarray, weight: Any, bias: Any, epsilon: float) -> tuple[Any, Any]:
    """What it does to each channel, `scale * x + shift`, in float64; weight and bias may be None. All arrays are [channels]."""
    mean, variance = mean.astype("float64"), variance.astype("float64")
    scale = (1.0 if weight is None else weight) / np.sqrt(variance + epsilon)
    return scale, (0.0 if bias is None else bias) - mean * scale


def shift_behind(shift: Any, scale: Any, bias: Any) -> Any:
    """The shift, where a bias (or None) was added before."""
    return shift if bias is None else shift + bias * scale
