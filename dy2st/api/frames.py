"""Signals as overlapping frames, and their spectra over time, under the names of `paddle.signal`."""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops.index import gather
from ..ops.padding import pad
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor
from .creation import arange, ones, zeros
from .fourier import fft, ifft, irfft, rfft
from .gathering import nonzero
from .known import larger, of_length
from .manipulation import moveaxis, reshape, transpose, unsqueeze
from .placing import index_add

__all__ = (  # fmt: skip
    "frame",
    "istft",
    "overlap_add",
    "stft",
)


def _places(count: Any, hop: int, length: int) -> Tensor:
    """Where the elements of frame number i lie in the signal: [count, length]."""
    return unsqueeze(arange(0, count) * hop, 1) + arange(0, length)


def _positive(op: str, **numbers: Any) -> None:
    for name, number in numbers.items():
        if number <= 0:
            raise ValueError(f"{op}: {name} must be positive, not {number}")


def frame(x: Tensor, frame_length: int, hop_length: int, axis: int = -1, name: str | None = None) -> Tensor:
    """The frames of `frame_length` elements of a signal x, `hop_length` apart, in the dtype of x.

    axis: -1 of x [..., n] gives [..., frame_length, frames]; 0 of x [n, ...] gives [frames, frame_length, ...]. ValueError:
    another axis, a length that isn't positive, or a frame longer than the signal.

    >>> dy2st.signal.frame(dy2st.arange(6), 2, 2, axis=0).tolist()
    [[0, 1], [2, 3], [4, 5]]
    """
    need_tensor("frame", x)
    _positive("frame", frame_length=frame_length, hop_length=hop_length)
    if axis not in (0, -1):
        raise ValueError(f"frame: axis is 0 or -1, not {axis}")
    length = x.shape[axis]
    x = of_length("frame", x, axis, larger(length, frame_length), f"there is no frame of {frame_length} in so short a signal")
    places = _places((length - frame_length) // hop_length + 1, hop_length, frame_length)
    if axis == 0:
        return gather(x, places, axis=0)
    return gather(x, transpose(places, [1, 0]), axis=len(x.shape) - 1)


def overlap_add(x: Tensor, hop_length: int, axis: int = -1, name: str | None = None) -> Tensor:
    """The sum of frames, `hop_length` apart: the signal of x [..., frame_length, frames], or [frames, frame_length, ...].

    axis: -1 gives [..., n], 0 gives [n, ...], in the dtype of x. ValueError: another axis, or a hop_length that isn't positive.
    """
    need_tensor("overlap_add", x)
    _positive("overlap_add", hop_length=hop_length)
    if axis not in (0, -1):
        raise ValueError(f"overlap_add: axis is 0 or -1, not {axis}")
    if axis == -1:
        x = moveaxis(x, [-1, -2], [0, 1])
    count, length = x.shape[0], x.shape[1]
    rest = list(x.shape[2:])
    flat = reshape(x, [count * length, *rest])
    total = zeros([(count - 1) * hop_length + length, *rest], x.dtype)
    places = unsqueeze(arange(0, count) * hop_length, 1) + arange(0, length)
    made = index_add(total, reshape(places, [-1]), 0, flat)
    return moveaxis(made, 0, -1) if axis == -1 else made


def _window(op: str, window: Tensor | None, win_length: int, n_fft: int, dtype: str) -> Tensor:
    """The window, or ones, with zeros around it up to n_fft."""
    if not 0 < win_length <= n_fft:
        raise ValueError(f"{op}: win_length is positive and at most n_fft ({n_fft}), not {win_length}")
    made = ones([win_length], dtype) if window is None else need_tensor(op, window, "window")
    if known_rank(op, made) != 1:
        raise ShapeError(f"{op}: the window is a vector, not {made.type}")
    made = of_length(op, made, 0, win_length, f"the window has {win_length} elements")
    before = (n_fft - win_length) // 2
    return _padded(made, before, n_fft - win_length - before, "constant")


def _padded(x: Tensor, before: int, after: int, mode: str) -> Tensor:
    """More elements at both ends of the last axis."""
    pairs = [[0, 0]] * (len(x.shape) - 1) + [[before, after]]
    return pad(x, pads=pairs, mode=mode, value=0.0) if before or after else x


def stft(
    x: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None,
    center: bool = True, pad_mode: str = "reflect", normalized: bool = False, onesided: bool | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The spectra of the frames of a signal x [n] or [batch, n]: complex [..., n_fft // 2 + 1, frames], or n_fft of them.

    n_fft: how long a frame is. hop_length: from frame to frame, n_fft // 4 where None. window: what a frame is multiplied with, a
    vector [win_length], ones where None; ShapeError for another. win_length: n_fft where None; ValueError where longer. center:
    the first frame is around the first element; both ends are padded as `pad_mode` says, "reflect" or "constant", ValueError for
    another. normalized: divided by the root of n_fft. onesided: only the half that tells the other; None: where x is real;
    ValueError of a complex x. ShapeError: x has other numbers of axes.

    >>> dy2st.signal.stft(dy2st.ones([8]), 4).shape
    [3, 9]
    """
    if len(need_tensor("stft", x).shape) not in (1, 2):
        raise ShapeError(f"stft takes a signal or a batch of signals, not {x.type}")
    hop, width = hop_length or n_fft // 4, win_length or n_fft
    is_complex = x.dtype.is_complex
    onesided = not is_complex if onesided is None else onesided
    if is_complex and onesided:
        raise ValueError("stft: of complex numbers, the spectrum has no mirror; onesided is False")
    if pad_mode not in ("reflect", "constant"):
        raise ValueError(f"stft: pad_mode is 'reflect' or 'constant', not {pad_mode!r}")
    weights = _window("stft", window, width, n_fft, "float64" if x.dtype.name in ("float64", "complex128") else "float32")
    if center:
        x = _padded(x, n_fft // 2, n_fft // 2, pad_mode)
    frames = moveaxis(frame(x, n_fft, hop), -1, -2) * weights
    norm = "ortho" if normalized else "backward"
    return moveaxis(rfft(frames, norm=norm) if onesided else fft(frames, norm=norm), -1, -2)


def istft(
    x: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None,
    center: bool = True, normalized: bool = False, onesided: bool = True, length: int | None = None,
    return_complex: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The signal, of `length` elements, whose spectra over time come nearest to x, in the least-squares sense.

    x: complex [..., n_fft // 2 + 1, frames], or [..., n_fft, frames] where not `onesided`; ShapeError for others. The other
    arguments are those of `stft`, whose inverse it is. return_complex: whether the signal is complex, not onesided. The result is
    [n] or [batch, n], float32 or float64, or complex. ValueError: the windows leave an element without weight, a win_length above
    n_fft, or a complex signal of a onesided spectrum.

    As `stft`: n_fft, hop_length, win_length, window, center, normalized.
    """
    if len(need_tensor("istft", x).shape) not in (2, 3) or not x.dtype.is_complex:
        raise ShapeError(f"istft takes complex spectra over time, or a batch of such, not {x.type}")
    hop, width = hop_length or n_fft // 4, win_length or n_fft
    if return_complex and onesided:
        raise ValueError("istft: a complex signal takes the whole spectrum; onesided is False")
    rows = n_fft // 2 + 1 if onesided else n_fft
    x = of_length("istft", x, -2, rows, f"n_fft={n_fft} has {rows} frequencies")
    weights = _window("istft", window, width, n_fft, "float64" if x.dtype.name == "complex128" else "float32")
    norm = "ortho" if normalized else "backward"
    spectra = moveaxis(x, -1, -2)
    frames = (ifft(spectra, norm=norm) if return_complex else irfft(spectra[..., : n_fft // 2 + 1], n_fft, norm=norm)) * weights
    signal = overlap_add(moveaxis(frames, -1, -2), hop)
    squares = (weights * weights).unsqueeze(0).expand([x.shape[-1], n_fft])
    envelope = overlap_add(moveaxis(squares, -1, -2), hop)
    start = n_fft // 2 if center else 0
    stop = start + length if length is not None else envelope.shape[0] - start
    signal, envelope = signal[..., start:stop], envelope[start:stop]
    weightless = nonzero(envelope.abs() < 1e-11)
    of_length("istft", weightless, 0, 0, "the windows leave elements of the signal without weight; take a smaller hop_length")
    return signal / envelope
