"""Fourier transforms: torch.fft, stft and istft."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ..dtypes import default_float, kind_of, name_of
from .axes import axis_of, known, lengths_of, rank_of
from .rows import refused, row

fft = api.fft


def _need(x: Any, name: str) -> Any:
    if name in ("rfft", "ihfft") and kind_of(x.type.dtype) == "complex":
        raise RuntimeError(f"{name} expects a real input tensor, but got {x.type.dtype}")
    return x.astype(default_float()) if kind_of(x.type.dtype) in ("bool", "int") else x


def _along_one(name: str) -> None:
    def compute(input: Any, n: Any = None, dim: int = -1, norm: Any = None) -> Any:
        x = _need(input, name)
        return getattr(fft, name)(x, n, axis_of(dim, rank_of(x)), norm or "backward")

    compute.__name__ = name
    row(f"fft.{name}")(compute)


def _along_several(name: str, several: str, default: Any) -> None:
    def compute(input: Any, s: Any = None, dim: Any = default, norm: Any = None) -> Any:
        x, rank = _need(input, name), rank_of(input)
        lengths = None if s is None else list(s) if isinstance(s, tuple | list) else [s]
        if dim is None:
            axes = list(range(rank)) if lengths is None else list(range(rank - len(lengths), rank))
        else:
            axes = [axis_of(d, rank) for d in (dim if isinstance(dim, tuple | list) else [dim])]
        if lengths is not None:
            halved = name in ("irfft", "hfft")
            lengths = [_length(x, a, n, halved and k == len(axes) - 1) for k, (a, n) in enumerate(zip(axes, lengths))]
        if not axes:
            return x if kind_of(x.type.dtype) == "complex" else api.complex(x, api.zeros_like(x))
        return getattr(fft, f"{name}n")(x, lengths, axes, norm or "backward")

    compute.__name__ = several
    row(f"fft.{several}")(compute)


def _length(x: Any, axis: int, length: Any, halved: bool) -> Any:
    """The length asked for; -1 stands for that of the axis."""
    if isinstance(length, int) and length == -1:
        return 2 * (x.shape[axis] - 1) if halved else x.shape[axis]
    return length


for _name in "fft ifft rfft irfft hfft ihfft".split():
    _along_one(_name)
    _along_several(_name, f"{_name}2", (-2, -1))
    _along_several(_name, f"{_name}n", None)


def _shift(name: str) -> None:
    def compute(input: Any, dim: Any = None) -> Any:
        axes = range(rank_of(input)) if dim is None else dim if isinstance(dim, tuple | list) else [dim]
        return getattr(fft, name)(input, [axis_of(d, rank_of(input)) for d in axes])

    compute.__name__ = name
    row(f"fft.{name}")(compute)


_shift("fftshift")
_shift("ifftshift")


def _frequencies(name: str) -> None:
    def compute(n: Any, d: float = 1.0, *, dtype: Any = None, **options: Any) -> Any:
        return getattr(fft, name)(known(n, "n"), d, default_float() if dtype is None else name_of(dtype))

    compute.__name__ = name
    row(f"fft.{name}")(compute)


_frequencies("fftfreq")
_frequencies("rfftfreq")


@row("stft", "Tensor.stft")
def stft(
    input: Any, n_fft: int, hop_length: Any = None, win_length: Any = None, window: Any = None, center: bool = True,
    pad_mode: str = "reflect", normalized: bool = False, onesided: Any = None, return_complex: Any = None,
    align_to_window: Any = None,
) -> Any:  # fmt: skip
    """The transforms of overlapping windows of a signal."""
    is_complex = kind_of(input.type.dtype) == "complex" or (window is not None and kind_of(window.type.dtype) == "complex")
    if return_complex is None and not is_complex:
        raise RuntimeError("stft requires the return_complex parameter be given for real inputs")
    if align_to_window:
        raise refused("stft(align_to_window=True); leave it out")
    onesided = (not is_complex) if onesided is None else onesided
    found = api.signal.stft(input, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided)
    return found if return_complex or is_complex and return_complex is None else api.as_real(found)


@row("istft", "Tensor.istft")
def istft(
    input: Any, n_fft: int, hop_length: Any = None, win_length: Any = None, window: Any = None, center: bool = True,
    normalized: bool = False, onesided: Any = None, length: Any = None, return_complex: bool = False,
) -> Any:  # fmt: skip
    """The signal whose windows have these transforms."""
    onesided = lengths_of(input)[-2] != n_fft if onesided is None else onesided
    return api.signal.istft(input, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex)
