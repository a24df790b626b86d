"""Fourier transforms, under the names of `paddle.fft`.

n, s: the lengths along the axes, to which x is cut or filled up with zeros. norm: "backward" scales the inverse by 1/n, "forward"
the other direction, "ortho" both by its root.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype, get_default_dtype
from ..errors import DTypeError, ShapeError
from ..ops import complex_numbers
from ..ops import fft as transforms
from ..runtime.tensors.tensor import Tensor
from .checks import floating, known_rank, need_tensor, to_dtype
from .joining import roll
from .known import need_known
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
    rank = known_rank(op, x)
    lengths = None if s is None else int_list(op, s, "s")
    if axes is None:
        axes = range(rank) if lengths is None else range(rank - len(lengths), rank)
    found = axis_list(op, list(axes) if isinstance(axes, range) else axes, rank)
    if lengths is not None and len(lengths) != len(found):
        raise ValueError(f"{op}: {len(lengths)} lengths for {len(found)} axes")
    if any(isinstance(n, int) and n < 1 for n in lengths or ()):
        raise ShapeError(f"{op}: a length must be positive, unlike one of {lengths}")
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
    """The Fourier transform of x along `axis`, as complex numbers in the shape of x: complex128 for float64, else complex64.

    x: a tensor of real or complex numbers. n: the length along the axis, to which x is cut or filled up with zeros; that of x
    where None. norm: "backward" scales the inverse by 1/n, "forward" this direction, "ortho" both by its root; ValueError for
    another. ShapeError: an axis out of range, or the number of axes is unknown.

    >>> dy2st.fft.fft(dy2st.to_tensor([1.0, 0.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return _c2c("fft", x, None if n is None else [n], [axis], norm, True)


def ifft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `fft`, complex. x, n, axis, norm, the result's shape and dtype and the errors as in `fft`."""
    return _c2c("ifft", x, None if n is None else [n], [axis], norm, False)


def rfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of real numbers x along `axis`: the first n // 2 + 1 of its complex numbers, which tell the others.

    As `fft`: n, norm, dtypes and errors; the result is that long there. DTypeError: complex x.

    >>> dy2st.fft.rfft(dy2st.to_tensor([1.0, 0.0, 0.0, 0.0])).shape
    [3]
    """
    return _r2c("rfft", x, None if n is None else [n], [axis], norm)


def irfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `rfft`: n real numbers along `axis`, 2 * (length - 1) of them where n is None.

    x: a tensor as `rfft` gives it. norm and errors as in `fft`; the result is float64 for complex128, else float32.
    """
    return _c2r("irfft", x, None if n is None else [n], [axis], norm)


def hfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of what `ihfft` gives of n real numbers along `axis`: these; 2 * (length - 1) of them where n is None.

    As `irfft`: x, norm, the result's dtype, the errors.
    """
    return _c2r("hfft", _conj(x), None if n is None else [n], [axis], transforms.ADJOINT[_norm("hfft", norm)])


def ihfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse transform of real numbers x along `axis`: the first n // 2 + 1 of its complex numbers.

    As `rfft`: norm, errors.
    """
    half = _r2c("ihfft", x, None if n is None else [n], [axis], transforms.ADJOINT[_norm("ihfft", norm)])
    return complex_numbers.conj(half)


def fftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The Fourier transform of x along several axes, all where `axes` is None, as complex numbers.

    s: the lengths along the axes, as `n` of `fft`; with s alone, along as many axes at the end. x, norm, dtypes as in `fft`.
    ValueError: another number of lengths, an axis twice, another norm. ShapeError: an axis out of range, or the number of axes is
    unknown.
    """
    return _c2c("fftn", x, s, axes, norm, True)


def ifftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `fftn`, complex. x, s, axes, norm, the result and the errors as in `fftn`."""
    return _c2c("ifftn", x, s, axes, norm, False)


def rfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of real numbers x along several axes, of the last of them n // 2 + 1 numbers; complex.

    As `fftn`: s, axes, norm. DTypeError: complex x.
    """
    return _r2c("rfftn", x, s, axes, norm)


def irfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `rfftn`: real numbers; along the last axis as many as `s` says, 2 * (length - 1) where None.

    As `fftn`: x, axes, norm.
    """
    return _c2r("irfftn", x, s, axes, norm)


def hfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of what `ihfftn` gives: real numbers. As `irfftn`: x, s, axes, norm."""
    return _c2r("hfftn", _conj(x), s, axes, transforms.ADJOINT[_norm("hfftn", norm)])


def ihfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse transform of real numbers x along several axes, of the last of them n // 2 + 1 numbers.

    As `rfftn`: s, axes, norm.
    """
    return complex_numbers.conj(_r2c("ihfftn", x, s, axes, transforms.ADJOINT[_norm("ihfftn", norm)]))


def fft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """The Fourier transform of x along two axes, complex. As `fftn`: s, axes, norm."""
    return fftn(x, s, axes, norm)


def ifft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `fft2`, complex. As `ifftn`: x, s, axes, norm."""
    return ifftn(x, s, axes, norm)


def rfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of real numbers x along two axes, complex. As `rfftn`: s, axes, norm."""
    return rfftn(x, s, axes, norm)


def irfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse of `rfft2`, real. As `irfftn`: x, s, axes, norm."""
    return irfftn(x, s, axes, norm)


def hfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """The transform of what `ihfft2` gives: real numbers. As `hfftn`: x, s, axes, norm."""
    return hfftn(x, s, axes, norm)


def ihfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Tensor:
    """The inverse transform of real numbers x along two axes, complex. As `ihfftn`: s, axes, norm."""
    return ihfftn(x, s, axes, norm)


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """The frequencies of the n numbers of `fft`, for samples that are `d` apart.

    The result is a vector [n] in `dtype`, the default one where None.

    >>> dy2st.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    need_known("fftfreq", n=n, d=d)
    return Tensor(np.fft.fftfreq(n, d).astype(as_dtype(dtype or get_default_dtype()).numpy))


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """The frequencies of the numbers of `rfft`, for n samples that are `d` apart: a vector [n // 2 + 1] in `dtype`.

    dtype: the default one where None.
    """
    need_known("rfftfreq", n=n, d=d)
    return Tensor(np.fft.rfftfreq(n, d).astype(as_dtype(dtype or get_default_dtype()).numpy))


def _shifted(op: str, x: Tensor, axes: Any, of_length: Any) -> Tensor:
    found, _ = _axes(op, x, None, axes if axes is None or isinstance(axes, (list, tuple)) else [axes])
    return roll(x, [of_length(x.shape[axis]) for axis in found], found)


def fftshift(x: Tensor, axes: Any = None, name: str | None = None) -> Tensor:
    """x with the frequency 0 in the middle of `axes`, an int or a list, all where None: a tensor of its shape and dtype.

    ShapeError: an axis out of range, or the number of axes is unknown. ValueError: an axis twice.

    >>> dy2st.fft.fftshift(dy2st.arange(4)).tolist()
    [2, 3, 0, 1]
    """
    return _shifted("fftshift", x, axes, lambda length: length // 2)


def ifftshift(x: Tensor, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`: x, axes, the result and the errors as in `fftshift`."""
    return _shifted("ifftshift", x, axes, lambda length: -(length // 2))
