"""Fourier transforms, under the names of `paddle.fft`.

n, s: the lengths along the axes, to which x is cut or filled up with zeros. norm: "backward" scales the inverse by 1/n, "forward"
the other direction, "ortho" both by its root.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtype import as_dtype, get_default_dtype
from ..errors import DTypeError, ShapeError
from ..ops import complex_numbers
from ..ops import fft as transforms
from ..runtime.tensors.tensor import Tensor
from .checks import floating, need_tensor, to_dtype
from .joining import roll
from .shape_args import axis_list, int_list

__all__ = (  # fmt: skip
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
)
COMPLEX = {"float32": "complex64", "float64": "complex128"}


def _axes(op: str, x: Any, s: Any, axes: Any) -> tuple[list[int], list]:
    """The axes from the front, and the length asked for along each of them, or None."""
    rank = need_tensor(op, x).type.rank
    if rank is None:
        raise ShapeError(f"{op} takes a tensor whose number of axes is known")
    lengths = None if s is None else int_list(op, s, "s")
    if axes is None:
        axes = range(rank) if lengths is None else range(rank - len(lengths), rank)
    found = axis_list(op, list(axes), rank)
    if lengths is not None and len(lengths) != len(found):
        raise ValueError(f"{op}: {len(lengths)} lengths for {len(found)} axes")
    if not found or len(set(found)) != len(found):
        raise ValueError(f"{op} takes different axes, one at least, not {list(axes)}")
    return found, lengths or [None] * len(found)


def _norm(op: str, norm: str) -> str:
    if norm not in transforms.ADJOINT:
        raise ValueError(f"{op}: norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    return norm


def _fitted(x: Tensor, axes: list[int], lengths: list) -> Tensor:
    for axis, length in zip(axes, lengths):
        if length is not None:
            x = transforms.fit_length(x, axis=axis, length=length)
    return x


def _whole(x: Tensor) -> Tensor:
    """As complex numbers; whole numbers in the default dtype."""
    x = floating("fft", x)
    return x if x.dtype.is_complex else to_dtype(x, COMPLEX.get(x.dtype.name, "complex64"))


def _c2c(op: str, x: Any, s: Any, axes: Any, norm: str, forward: bool) -> Tensor:
    axes, lengths = _axes(op, x, s, axes)
    return transforms.fft_c2c(_fitted(_whole(x), axes, lengths), axes=axes, norm=_norm(op, norm), forward=forward)


def _r2c(op: str, x: Any, s: Any, axes: Any, norm: str) -> Tensor:
    axes, lengths = _axes(op, x, s, axes)
    if x.dtype.is_complex:
        raise DTypeError(f"{op} takes real numbers, not {x.type}")
    return transforms.fft_r2c(_fitted(floating(op, x), axes, lengths), axes=axes, norm=_norm(op, norm))


def _c2r(op: str, x: Any, s: Any, axes: Any, norm: str) -> Tensor:
    axes, lengths = _axes(op, x, s, axes)
    fitted = _fitted(_whole(x), axes[:-1], lengths[:-1])
    return transforms.fft_c2r(fitted, axes=axes, norm=_norm(op, norm), length=lengths[-1])


def _conj(x: Any) -> Tensor:
    return complex_numbers.conj(_whole(need_tensor("hfft", x)))


def fft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The Fourier transform along an axis, as complex numbers."""
    return _c2c("fft", x, None if n is None else [n], [axis], norm, True)


def ifft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `fft`."""
    return _c2c("ifft", x, None if n is None else [n], [axis], norm, False)


def rfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of real numbers along an axis: the first n // 2 + 1 of its numbers, which tell the others."""
    return _r2c("rfft", x, None if n is None else [n], [axis], norm)


def irfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `rfft`: n real numbers, an even number of them where n isn't given."""
    return _c2r("irfft", x, None if n is None else [n], [axis], norm)


def hfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of what `ihfft` gives: n real numbers."""
    return _c2r("hfft", _conj(x), None if n is None else [n], [axis], transforms.ADJOINT[_norm("hfft", norm)])


def ihfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse transform of real numbers: the first n // 2 + 1 of its numbers."""
    half = _r2c("ihfft", x, None if n is None else [n], [axis], transforms.ADJOINT[_norm("ihfft", norm)])
    return complex_numbers.conj(half)


def fftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The Fourier transform along several axes, all where `axes` is None."""
    return _c2c("fftn", x, s, axes, norm, True)


def ifftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `fftn`."""
    return _c2c("ifftn", x, s, axes, norm, False)


def rfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of real numbers along several axes, the last one halved."""
    return _r2c("rfftn", x, s, axes, norm)


def irfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `rfftn`: real numbers."""
    return _c2r("irfftn", x, s, axes, norm)


def hfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of what `ihfftn` gives: real numbers."""
    return _c2r("hfftn", _conj(x), s, axes, transforms.ADJOINT[_norm("hfftn", norm)])


def ihfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse transform of real numbers along several axes, the last one halved."""
    return complex_numbers.conj(_r2c("ihfftn", x, s, axes, transforms.ADJOINT[_norm("ihfftn", norm)]))


def fft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """`fftn` along two axes."""
    return fftn(x, s, axes, norm)


def ifft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """`ifftn` along two axes."""
    return ifftn(x, s, axes, norm)


def rfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """`rfftn` along two axes."""
    return rfftn(x, s, axes, norm)


def irfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """`irfftn` along two axes."""
    return irfftn(x, s, axes, norm)


def hfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """`hfftn` along two axes."""
    return hfftn(x, s, axes, norm)


def ihfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """`ihfftn` along two axes."""
    return ihfftn(x, s, axes, norm)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """The frequencies of the numbers of `fft`, for samples that are d apart."""
    return Tensor(np.fft.fftfreq(n, d).astype(as_dtype(dtype or get_default_dtype()).numpy))


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """The frequencies of the numbers of `rfft`, for samples that are d apart."""
    return Tensor(np.fft.rfftfreq(n, d).astype(as_dtype(dtype or get_default_dtype()).numpy))


def _shifted(op: str, x: Tensor, axes: Any, of_length: Any) -> Tensor:
    found, _ = _axes(op, x, None, [axes] if isinstance(axes, int) else axes)
    return roll(x, [of_length(x.shape[axis]) for axis in found], found)


def fftshift(x: Tensor, axes: Any = None, name: str | None = None) -> Tensor:
    """The frequency 0 in the middle of the axes, all where `axes` is None."""
    return _shifted("fftshift", x, axes, lambda length: length // 2)


def ifftshift(x: Tensor, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _shifted("ifftshift", x, axes, lambda length: -(length // 2))
