"""The names of dy2st.fft. Written by `python tests/support/stubs.py`."""

from dy2st.api.fourier import fftfreq as fftfreq
from dy2st.api.fourier import fftshift as fftshift
from dy2st.api.fourier import ifftshift as ifftshift
from dy2st.api.fourier import rfftfreq as rfftfreq
from dy2st.runtime.tensors.tensor import Tensor
from typing import Any

def fft(x: Tensor, n: Any = None, axis: int = -1, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Fourier transform of x along `axis`, as complex numbers in the shape of x: complex128 for float64, else complex64."""

def fft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Fourier transform of x along two axes, complex. As `fftn`: s, axes, norm."""

def fftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The Fourier transform of x along several axes, all where `axes` is None, as complex numbers."""

def hfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of what `ihfft` gives of n real numbers along `axis`: these; 2 * (length - 1) of them where n is None."""

def hfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of what `ihfft2` gives: real numbers. As `hfftn`: x, s, axes, norm."""

def hfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of what `ihfftn` gives: real numbers. As `irfftn`: x, s, axes, norm."""

def ifft(x: Tensor, n: Any = None, axis: int = -1, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of `fft`, complex. x, n, axis, norm, the result's shape and dtype and the errors as in `fft`."""

def ifft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of `fft2`, complex. As `ifftn`: x, s, axes, norm."""

def ifftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of `fftn`, complex. x, s, axes, norm, the result and the errors as in `fftn`."""

def ihfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse transform of real numbers x along `axis`: the first n // 2 + 1 of its complex numbers."""

def ihfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse transform of real numbers x along two axes, complex. As `ihfftn`: s, axes, norm."""

def ihfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse transform of real numbers x along several axes, of the last of them n // 2 + 1 numbers."""

def irfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of `rfft`: n real numbers along `axis`, 2 * (length - 1) of them where n is None."""

def irfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of `rfft2`, real. As `irfftn`: x, s, axes, norm."""

def irfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse of `rfftn`: real numbers; along the last axis as many as `s` says, 2 * (length - 1) where None."""

def rfft(x: Tensor, n: Any = None, axis: int = -1, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of real numbers x along `axis`: the first n // 2 + 1 of its complex numbers, which tell the others."""

def rfft2(x: Tensor, s: Any = None, axes: Any = (-2, -1), norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of real numbers x along two axes, complex. As `rfftn`: s, axes, norm."""

def rfftn(x: Tensor, s: Any = None, axes: Any = None, norm: str = 'backward', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The transform of real numbers x along several axes, of the last of them n // 2 + 1 numbers; complex."""
