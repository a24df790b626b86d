"""Fourier transforms, windows, and the weights of mel spectra."""

from __future__ import annotations

import math
from typing import Any

from ....api.fourier import fft, ifft, irfft
from ....ops import compare, select, unary
from ....ops.cast import cast
from ....ops.complex_numbers import imag, make_complex, real
from ....ops.creation import arange, full_like
from ....ops.index import gather
from ....ops.manipulate import stack
from ....ops.views import reshape, unsqueeze
from ....runtime.tensors.tensor import Tensor
from ..axes import for_axes, normal
from ..interpolation import steps
from ..registry import Int, node
from ..slices import at, part
from ..tensors import dtype_of


def _as_complex(x: Tensor) -> Tensor:
    """A tensor whose last axis holds real parts, or real and imaginary ones, as numbers without that axis."""
    last = x.ndim - 1
    return at(x, last, 0) if x.shape[last] == 1 else make_complex(at(x, last, 0), at(x, last, 1))


def _as_pairs(x: Tensor) -> Tensor:
    return stack(real(x), imag(x), axis=x.ndim)


def _transformed(x: Tensor, axis: int, length: Any, inverse: int, onesided: int) -> Tensor:
    """Along an axis, cut or filled up with zeros to a length. One side is half of the bins, as those of real signals."""
    numbers = _as_complex(x)
    if inverse and onesided:
        size = 2 * (x.shape[axis] - 1) if length is None else length
        return unsqueeze(irfft(numbers, size, axis), axis=[x.ndim - 1])
    size = x.shape[axis] if length is None else length
    found = _as_pairs((ifft if inverse else fft)(numbers, size, axis))
    return part(found, axis, 0, size // 2 + 1) if onesided else found


@node("DFT", since=20, folds=False)
def dft(x: Tensor, length: Int | None = None, axis: Int | None = None, *, inverse: int = 0, onesided: int = 0) -> Tensor:
    axes = [-2 if axis is None else axis]
    return for_axes(axes, x.ndim, lambda known: _transformed(x, known[0], length, inverse, onesided), range(x.ndim - 1))


@node("DFT", since=17, folds=False)
def dft_along(x: Tensor, length: Int | None = None, *, axis: int = 1, inverse: int = 0, onesided: int = 0) -> Tensor:
    return _transformed(x, normal([axis], x.ndim)[0], length, inverse, onesided)


@node("STFT", folds=False)
def stft(
    x: Tensor, step: Int, window: Tensor | None = None, frame_length: Int | None = None, *, onesided: int = 1
) -> Tensor:
    """The transforms of frames of x [batch, time, 1 or 2], each weighed by the window: [batch, frames, bins, 2]."""
    length: Any = frame_length if frame_length is not None else x.shape[1] if window is None else window.shape[0]
    count = (x.shape[1] - length) // step + 1
    starts = arange(start=0, end=count, step=1, dtype="int64") * step
    places = unsqueeze(starts, axis=[1]) + unsqueeze(arange(start=0, end=length, step=1, dtype="int64"), axis=[0])
    frames = gather(x, places, axis=1)
    if window is not None:
        frames = frames * reshape(window, shape=[1, 1, -1, 1])
    return _transformed(frames, 2, length, 0, onesided)


@node("MelWeightMatrix", folds=False)
def mel_weights(bins: Int, length: Int, rate: Int, low: Tensor, high: Tensor, *, output_datatype: int = 1) -> Tensor:
    """The weights [bins of a spectrum, mel bins] with which triangles on the mel scale add up a spectrum."""
    low_mel, high_mel = (_mel(cast(edge, dtype="float64")) for edge in (low, high))
    mels = steps(bins + 2) * ((high_mel - low_mel) / (bins + 2)) + low_mel
    hertz = unary.expm1(mels / 2595 * math.log(10)) * 700
    edges = unary.floor(hertz * (length + 1) / rate)
    left, centre, right = (unsqueeze(part(edges, 0, k, bins + k), axis=[0]) for k in range(3))
    row = unsqueeze(steps(length // 2 + 1), axis=[1])
    rising = _ratio(row - left, centre - left)
    rising = select.where(compare.logical_and(row >= left, row <= centre), rising, 0.0)
    falling = _ratio(right - row, right - centre)
    is_falling = compare.logical_and(row >= centre, row < right)
    at_centre = compare.logical_and(compare.equal(row, centre), compare.equal(left, centre))
    found = select.where(is_falling, falling, select.where(at_centre, full_like(rising, fill_value=1), rising))
    return cast(found, dtype=dtype_of(output_datatype))


def _mel(hertz: Tensor) -> Tensor:
    return unary.log1p(hertz / 700) * (2595 / math.log(10))


def _ratio(a: Tensor, b: Tensor) -> Tensor:
    """a / b, and 0 where b is 0."""
    return a / select.where(compare.equal(b, 0), 1.0, b) * cast(compare.not_equal(b, 0), dtype="float64")
