"""Complex numbers and their parts."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from ...ops.complex_views import as_complex, as_real
from .arithmetic import atan2
from .functions import default_floats
from .pointwise import as_dtype, kind
from .rows import both, everywhere, refused, row
from .views import conjugate


def real(input: Any) -> Any:
    """The real part; of real numbers the tensor itself."""
    return as_real(input)[..., 0] if kind(input) == "complex" else input


@row("imag", "Tensor.imag.__get__")
def imag(input: Any) -> Any:
    """The imaginary part."""
    if kind(input) != "complex":
        raise refused(f"imag takes complex numbers, not {input.type.dtype}")
    return as_real(input)[..., 1]


row("real", "Tensor.real.__get__")(real)


@row("Tensor.real.__set__")
def set_real(input: Any, value: Any) -> None:
    """`x.real = value` is written there."""
    real(input)[...] = as_dtype(value, real(input).type.dtype)


@row("Tensor.imag.__set__")
def set_imag(input: Any, value: Any) -> None:
    """`x.imag = value` is written there."""
    imag(input)[...] = as_dtype(value, imag(input).type.dtype)


def conj(input: Any) -> Any:
    """The conjugate; of real numbers the tensor itself."""
    return conjugate(input) if kind(input) == "complex" else input


row("resolve_conj", "Tensor.resolve_conj", "resolve_neg", "Tensor.resolve_neg")(lambda input: input)
row("conj", "Tensor.conj")(conj)
everywhere(lambda input: api.conj(input) if kind(input) == "complex" else input, "conj_physical")


@row("angle", "Tensor.angle")
def angle(input: Any) -> Any:
    """The angle of a complex number; of a real one pi where it is negative."""
    if kind(input) == "complex":
        return atan2(input.imag(), input.real())
    x = default_floats(input)
    return api.where(api.isnan(x), x, api.where(x < 0, api.full_like(x, math.pi), api.zeros_like(x)))


@row("complex")
def complex_(real: Any, imag: Any) -> Any:
    """Complex numbers of their parts."""
    if real.type.dtype != imag.type.dtype:
        raise refused("complex takes two tensors of one dtype")
    return api.complex(real, imag)


@row("polar")
def polar(abs: Any, angle: Any) -> Any:
    """Complex numbers of their sizes and angles."""
    return api.complex(abs * api.cos(angle), abs * api.sin(angle))


row("view_as_real")(lambda input: as_real(input))
row("view_as_complex")(lambda input: as_complex(input))
row("view_as_real_copy")(lambda input: as_real(input).clone())
row("view_as_complex_copy")(lambda input: as_complex(input).clone())


@row("is_conj", "Tensor.is_conj")
def is_conj(input: Any) -> bool:
    """False of real numbers."""
    if kind(input) == "complex":
        raise refused("x.is_conj() tells how torch keeps a conjugate, which is a copy here; leave it out")
    return False


both("is_neg", lambda input: False)
