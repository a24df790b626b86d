"""Windows that a signal is multiplied with, under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import DTYPES, dtype_name
from ..errors import DTypeError
from ..runtime.tensors.tensor import Tensor
from .creation import to_tensor
from .known import need_known

__all__ = ("bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window")


def _window(op: str, function: Any, length: int, periodic: bool, dtype: Any) -> Tensor:
    """The values at `length` places: of a period, or from end to end."""
    name = dtype_name(dtype)
    if not DTYPES[name].is_floating:
        raise DTypeError(f"{op}: dtype must be a floating-point one, not {name}")
    need_known(op, window_length=length)
    if not isinstance(length, int) or length < 1:
        raise ValueError(f"{op}: window_length must be a positive int, not {length!r}")
    last = length if periodic else length - 1
    values = function(np.arange(length) / last) if last else np.ones(1)
    return to_tensor(values.astype(DTYPES[name].numpy))


def _cosines(*weights: float) -> Any:
    """weights[0] - weights[1] * cos(2 pi t) + weights[2] * cos(4 pi t)."""
    return lambda t: sum((-1) ** k * w * np.cos(2 * math.pi * k * t) for k, w in enumerate(weights))


def hann_window(window_length: int, periodic: bool = True, *, dtype: Any = "float32") -> Tensor:
    """0.5 - 0.5 * cos(2 pi t), a vector [window_length].

    t goes from 0 to 1 in one period, or where not `periodic` from end to end. dtype: of floats, DTypeError for another.
    ValueError: a `window_length` that isn't a positive int.

    >>> dy2st.hann_window(4).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _window("hann_window", _cosines(0.5, 0.5), window_length, periodic, dtype)


def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Any = "float32"
) -> Tensor:
    """alpha - beta * cos(2 pi t), a vector [window_length]; alpha and beta are floats.

    As `hann_window`: window_length, periodic, dtype.
    """
    return _window("hamming_window", _cosines(alpha, beta), window_length, periodic, dtype)


def blackman_window(window_length: int, periodic: bool = True, *, dtype: Any = "float32") -> Tensor:
    """0.42 - 0.5 * cos(2 pi t) + 0.08 * cos(4 pi t), a vector [window_length]. As `hann_window`: periodic, dtype."""
    return _window("blackman_window", _cosines(0.42, 0.5, 0.08), window_length, periodic, dtype)


def bartlett_window(window_length: int, periodic: bool = True, *, dtype: Any = "float32") -> Tensor:
    """A triangle, 1 - |2 t - 1|, a vector [window_length]. As `hann_window`: periodic, dtype."""
    return _window("bartlett_window", lambda t: 1 - np.abs(2 * t - 1), window_length, periodic, dtype)


def kaiser_window(window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Any = "float32") -> Tensor:
    """I0(beta * sqrt(1 - (2 t - 1) ** 2)) / I0(beta), I0 being the Bessel function: a vector [window_length]; beta is a float.

    As `hann_window`: window_length, periodic, dtype.
    """
    shape = lambda t: np.i0(beta * np.sqrt(np.maximum(1 - (2 * t - 1) ** 2, 0))) / np.i0(beta)  # noqa: E731
    return _window("kaiser_window", shape, window_length, periodic, dtype)
