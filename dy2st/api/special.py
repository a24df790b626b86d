"""More element-wise functions of one tensor, under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

from ..errors import DTypeError
from ..ops import compare, complex_numbers, elementwise, floats, select, unary
from ..ops import special as ops
from ..runtime.tensors.tensor import Tensor
from .checks import floating, need_tensor
from .family_docs import FLOAT
from .known import need_known
from .math import _unary, clip
from .tensor_methods import attach, tensor_method

__all__ = (  # fmt: skip
    "acosh",
    "asinh",
    "atanh",
    "deg2rad",
    "digamma",
    "erfinv",
    "frac",
    "frexp",
    "gammaln",
    "isneginf",
    "isposinf",
    "lgamma",
    "logit",
    "multigammaln",
    "nan_to_num",
    "polygamma",
    "positive",
    "rad2deg",
    "signbit",
    "sinc",
    "stanh",
)

asinh = _unary(unary.asinh, "The inverse hyperbolic sine.")
acosh = _unary(unary.acosh, "The inverse hyperbolic cosine.")
atanh = _unary(unary.atanh, "The inverse hyperbolic tangent.")
erfinv = _unary(ops.erfinv, "The inverse of the error function.", about=FLOAT)
lgamma = gammaln = _unary(ops.lgamma, "The logarithm of the absolute value of the gamma function.", about=FLOAT)
signbit = _unary(
    floats.signbit,
    "Whether x is negative, -0.0 included.",
    fractions=False,
    about="x: a tensor of any shape, no complex numbers; the result is a bool tensor of its shape.",
)
attach(gammaln, "gammaln")


@tensor_method()
def digamma(x: Tensor, name: str | None = None) -> Tensor:
    """The derivative of `lgamma`, element by element. x: a tensor of any shape, of floats; the result has its shape and dtype.

    Integers and bools are cast to the default dtype.
    """
    return ops.polygamma(floating("digamma", x), n=0)


@tensor_method()
def polygamma(x: Tensor, n: int, name: str | None = None) -> Tensor:
    """The derivative number `n` of `digamma`, element by element; from n = 2 on nan for negative x.

    x: a tensor of any shape, of floats (integers are cast to the default dtype); the result has its shape and dtype. ValueError:
    n isn't an int from 0 on.
    """
    need_known("polygamma", n=n)
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"polygamma: n must be an int that isn't negative, not {n!r}")
    return ops.polygamma(floating("polygamma", x), n=n)


@tensor_method()
def multigammaln(x: Tensor, p: int, name: str | None = None) -> Tensor:
    """The logarithm of the gamma function of `p` dimensions, element by element, for x > (p - 1) / 2.

    x: a tensor of any shape, of floats (integers are cast to the default dtype); the result has its shape and dtype. ValueError:
    p isn't a positive int.
    """
    need_known("multigammaln", p=p)
    if not isinstance(p, int) or p < 1:
        raise ValueError(f"multigammaln: p must be a positive int, not {p!r}")
    x = floating("multigammaln", x)
    total = lgamma(x)
    for i in range(1, p):
        total = total + lgamma(x - 0.5 * i)
    return total + 0.25 * p * (p - 1) * math.log(math.pi)


@tensor_method()
def frexp(x: Tensor, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The mantissa, in [0.5, 1), and the exponent with x = mantissa * 2 ** exponent, both in the shape and dtype of x.

    x: a tensor of any shape, of floats; integers are cast to the default dtype.
    """
    return floats.frexp(floating("frexp", x))


@tensor_method()
def deg2rad(x: Tensor, name: str | None = None) -> Tensor:
    """x, in degrees, in radians: a tensor of the shape and dtype of x, of the default dtype where x holds integers."""
    return elementwise.multiply(floating("deg2rad", x), math.pi / 180)


@tensor_method()
def rad2deg(x: Tensor, name: str | None = None) -> Tensor:
    """x, in radians, in degrees: a tensor of the shape and dtype of x, of the default dtype where x holds integers."""
    return elementwise.multiply(floating("rad2deg", x), 180 / math.pi)


@tensor_method()
def positive(x: Tensor, name: str | None = None) -> Tensor:
    """x itself, shape and dtype, which must be a tensor of numbers. DTypeError: a tensor of bools."""
    if need_tensor("positive", x).dtype.name == "bool":
        raise DTypeError("positive takes a tensor of numbers, not of bools")
    return x


@tensor_method()
def frac(x: Tensor, name: str | None = None) -> Tensor:
    """The fraction of x, with its sign; 0 for integers.

    x: a tensor of any shape, not complex; the result has its shape and dtype.
    """
    if need_tensor("frac", x).dtype.is_integer:
        return x.zeros_like()
    return elementwise.subtract(x, unary.trunc(x))


@tensor_method()
def logit(x: Tensor, eps: float | None = None, name: str | None = None) -> Tensor:
    """log(x / (1 - x)); x is moved into [eps, 1 - eps] first where `eps` is given, and else nan outside [0, 1].

    x: a tensor of any shape, of floats (integers are cast to the default dtype); the result has its shape and dtype.
    """
    x = floating("logit", x)
    if eps is not None:
        x = clip(x, eps, 1 - eps)
    return unary.log(elementwise.divide(x, elementwise.subtract(1.0, x)))


@tensor_method()
def sinc(x: Tensor, name: str | None = None) -> Tensor:
    """sin(pi * x) / (pi * x), and 1 at 0.

    x: a tensor of any shape, float or complex (integers are cast to the default dtype); the result has its shape and dtype.
    """
    turns = elementwise.multiply(floating("sinc", x), math.pi)
    none = compare.equal(turns, 0.0)
    turns = select.where(none, 1.0, turns)  # keeps the gradient at 0 a number
    return select.where(none, 1.0, elementwise.divide(unary.sin(turns), turns))


@tensor_method()
def stanh(x: Tensor, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Tensor:
    """scale_b * tanh(scale_a * x), the two scales being numbers.

    x: a tensor of any shape, float or complex (integers are cast to the default dtype); the result has its shape and dtype.
    """
    return elementwise.multiply(unary.tanh(elementwise.multiply(floating("stanh", x), scale_a)), scale_b)


@tensor_method()
def nan_to_num(
    x: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None
) -> Tensor:
    """x with numbers in place of nan, inf and -inf; where None is given, the largest and the smallest number of the dtype.

    x: a tensor of any shape and dtype, which the result has, too; x itself where it holds integers or bools. Of complex numbers,
    the real and the imaginary parts. nan, posinf, neginf: floats.

    >>> dy2st.nan_to_num(dy2st.to_tensor([float("nan"), 1.0])).tolist()
    [0.0, 1.0]
    """
    if need_tensor("nan_to_num", x).dtype.is_complex:
        parts = (nan_to_num(part(x), nan, posinf, neginf) for part in (complex_numbers.real, complex_numbers.imag))
        return complex_numbers.make_complex(*parts)
    if not x.dtype.is_floating:
        return x
    ends = _finite_ends(x)
    found = select.where(compare.isnan(x), float(nan), x)
    found = select.where(compare.equal(x, math.inf), ends[1] if posinf is None else float(posinf), found)
    return select.where(compare.equal(x, -math.inf), ends[0] if neginf is None else float(neginf), found)


def _finite_ends(x: Tensor) -> tuple[float, float]:
    """The smallest and the largest number of a floating-point dtype."""
    from .limits import finfo

    return finfo(x.dtype).min, finfo(x.dtype).max


def _is_infinite(op: str, x: Any, infinity: float) -> Tensor:
    if need_tensor(op, x).dtype.is_floating:
        return compare.equal(x, infinity)
    return x.zeros_like(dtype="bool")


@tensor_method()
def isposinf(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x, a tensor of any shape and dtype, is inf, element by element: a bool tensor of its shape."""
    return _is_infinite("isposinf", x, math.inf)


@tensor_method()
def isneginf(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x, a tensor of any shape and dtype, is -inf, element by element: a bool tensor of its shape."""
    return _is_infinite("isneginf", x, -math.inf)
