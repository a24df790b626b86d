"""Complex numbers, under Paddle's names."""

from __future__ import annotations

import math

from ..errors import ShapeError
from ..ops import compare, elementwise, floats, select, unary
from ..ops import complex_numbers as ops
from ..ops.index import getitem
from ..runtime.tensors.tensor import Tensor
from .checks import floating, known_rank, need_tensor, operands
from .creation import zeros_like
from .joining import stack
from .known import of_length
from .math import sign
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "angle",
    "as_complex",
    "as_real",
    "complex",
    "conj",
    "imag",
    "isreal",
    "polar",
    "real",
    "sgn",
    "view_as_complex",
    "view_as_real",
)


def complex(real: Tensor, imag: Tensor, name: str | None = None) -> Tensor:
    """real + i * imag, for two tensors of floats; shapes broadcast. The result is complex64, or complex128 of float64.

    >>> dy2st.complex(dy2st.to_tensor([1.0]), dy2st.to_tensor([2.0])).tolist()
    [(1+2j)]
    """
    return ops.make_complex(*operands("complex", need_tensor("complex", real, "real"), need_tensor("complex", imag, "imag")))


def polar(abs: Tensor, angle: Tensor, name: str | None = None) -> Tensor:
    """The complex numbers with the distance `abs` from 0, in the direction `angle` (radians), two tensors of floats.

    Shapes broadcast; the result is complex64, or complex128 of float64. Integers become the default dtype.
    """
    size, angle = operands("polar", floating("polar", abs), floating("polar", angle))
    return ops.make_complex(elementwise.multiply(size, unary.cos(angle)), elementwise.multiply(size, unary.sin(angle)))


@tensor_method()
def real(x: Tensor, name: str | None = None) -> Tensor:
    """The real part of x: a tensor of its shape, float32 of complex64, float64 of complex128. A copy of real numbers."""
    return ops.real(x) if need_tensor("real", x).dtype.is_complex else x.clone()


@tensor_method()
def imag(x: Tensor, name: str | None = None) -> Tensor:
    """The imaginary part of x: a tensor of its shape, float32 of complex64, float64 of complex128. Of real numbers, zeros."""
    return ops.imag(x) if need_tensor("imag", x).dtype.is_complex else zeros_like(x)


@tensor_method()
def conj(x: Tensor, name: str | None = None) -> Tensor:
    """The conjugate of x; a copy of real numbers. The result has the shape and dtype of x."""
    return ops.conj(x) if need_tensor("conj", x).dtype.is_complex else x.clone()


@tensor_method()
def angle(x: Tensor, name: str | None = None) -> Tensor:
    """The direction in radians: of a complex number as seen from 0, of a real one 0 or pi.

    x: a tensor of any shape, which the result has; it is of floats, of the default dtype for integers.
    """
    if need_tensor("angle", x).dtype.is_complex:
        return elementwise.atan2(ops.imag(x), ops.real(x))
    x = floating("angle", x)
    return select.where(compare.less_than(x, 0), math.pi, elementwise.multiply(x, 0.0))


@tensor_method()
def as_complex(x: Tensor, name: str | None = None) -> Tensor:
    """Complex numbers from a last axis of length 2, their real and imaginary parts: x [..., 2] of floats gives [...].

    ShapeError: another last axis.

    >>> dy2st.as_complex(dy2st.to_tensor([[1.0, 2.0]])).tolist()
    [(1+2j)]
    """
    if known_rank("as_complex", x) == 0:
        raise ShapeError(f"as_complex takes a last axis of length 2, not {x.type}")
    x = of_length("as_complex", x, -1, 2, "the real and the imaginary parts are 2")
    real_part, imaginary = (getitem(x, index=["ellipsis", {"int": i}]) for i in (0, 1))
    return ops.make_complex(real_part, imaginary)


@tensor_method()
def as_real(x: Tensor, name: str | None = None) -> Tensor:
    """The real and imaginary parts along a new last axis of length 2: complex x [...] gives [..., 2] of floats.

    DTypeError: x is real.
    """
    return stack([ops.real(need_tensor("as_real", x)), ops.imag(x)], -1)


@tensor_method()
def view_as_complex(input: Tensor) -> Tensor:
    """As `as_complex` of `input`: the result is a copy."""
    return as_complex(input)


@tensor_method()
def view_as_real(input: Tensor) -> Tensor:
    """As `as_real` of `input`: the result is a copy."""
    return as_real(input)


@tensor_method()
def isreal(x: Tensor, name: str | None = None) -> Tensor:
    """Whether the imaginary part of x is 0, element by element: a bool tensor of the shape of x, which has any dtype."""
    if need_tensor("isreal", x).dtype.is_complex:
        return compare.equal(ops.imag(x), 0.0)
    return x.ones_like(dtype="bool")


@tensor_method()
def sgn(x: Tensor, name: str | None = None) -> Tensor:
    """x / |x|, and 0 at 0; of real numbers the sign. x has any shape and dtype but bool; the result has both."""
    if not need_tensor("sgn", x).dtype.is_complex:
        return sign(x)
    size = floats.hypot(ops.real(x), ops.imag(x))
    none = compare.equal(size, 0.0)
    factor = select.where(none, 0.0, elementwise.divide(1.0, select.where(none, 1.0, size)))
    return ops.make_complex(elementwise.multiply(ops.real(x), factor), elementwise.multiply(ops.imag(x), factor))
