"""Sums, products, quotients, powers."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import kind_of, promoted
from .pointwise import as_dtype, binary, checked_divisor, flat, kind, met, need, operator, past, sloped, swapped, unary
from .rows import before_write, both, everywhere, in_place, refused, row, written


def _scale(x: Any, factor: Any) -> Any:
    """factor * x, in the dtype of x, which the factor must fit."""
    if not isinstance(factor, bool) and isinstance(factor, int) and factor == 1:
        return x
    if kind_of(promoted(x, factor)) != kind(x):
        raise refused(f"for a tensor of {x.type.dtype} the factor {factor!r} must be a number of its kind")
    return x & as_dtype(factor, "bool") if kind(x) == "bool" else x * as_dtype(factor, x.type.dtype)


def _plus(a: Any, b: Any) -> Any:
    return a | b if kind(a) == "bool" else a + b


def _times(a: Any, b: Any) -> Any:
    return a & b if kind(a) == "bool" else a * b


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input + alpha * other."""
    a, b = met(input, other)
    return _plus(a, _scale(b, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input - alpha * other."""
    need("sub", input, other, kinds="int float complex")
    a, b = met(input, other)
    return a - _scale(b, alpha)


everywhere(add, "add")
operator("add", add, "add")
everywhere(sub, "sub", "subtract")
operator("sub", sub, "sub")
row("rsub")(lambda input, other, *, alpha=1: sub(other, input, alpha=alpha))
binary("mul", _times, "multiply", special="mul")


def truncated(a: Any, b: Any) -> Any:
    """The quotient, rounded to zero."""
    if kind(a) != "int":
        return api.trunc(a / b)
    down = api.floor_divide(a, b)
    return down + ((a % b != 0) & ((a < 0) != (b < 0))).astype(a.type.dtype)


_ROUNDED: dict[str, Any] = {"floor": api.floor_divide, "trunc": truncated}


def div(input: Any, other: Any, *, rounding_mode: Any = None) -> Any:
    """The quotient, or that rounded: "trunc" to zero, "floor" down."""
    a, b = met(input, other, floats=rounding_mode is None)
    if rounding_mode is None:
        return a / b
    if kind(a) == "bool":
        raise refused("div of bools can't be rounded; cast one of them first")
    b = checked_divisor(other, a, b)
    return flat(_ROUNDED[rounding_mode](a, b), a, b)


everywhere(div, "div", "divide")
everywhere(lambda input, other: div(input, other), "true_divide")
operator("div", div, "truediv")
row("Tensor.__rdiv__")(swapped(div))
binary("floor_divide", lambda a, b: flat(api.floor_divide(a, b), a, b), special="floordiv", divides=True)


def _fmod(a: Any, b: Any) -> Any:
    """What is left of a division, with the sign of the dividend."""
    if kind(a) == "float":
        found = past(api.copysign(api.abs(a) % api.abs(b), a))
        return sloped(sloped(found, a, lambda: 1.0), b, lambda: -past(api.trunc(a / b)))
    left = a % b
    return api.where((left != 0) & ((a < 0) != (b < 0)), left - b, left)


def _remainder(a: Any, b: Any) -> Any:
    """What is left of a division, with the sign of the divisor; a 0 has the sign of the dividend."""
    if kind(a) != "float":
        return a % b
    left = past(a % b)
    found = api.where(left == 0, api.copysign(left, past(a)), left)
    return sloped(sloped(found, a, lambda: 1.0), b, lambda: -past(api.floor(a / b)))


binary("remainder", _remainder, special="mod", divides=True)
binary("fmod", _fmod, divides=True)
for _name in ("gcd", "lcm"):
    binary(_name, getattr(api, _name), kinds="int", numbers=False)


def _power(a: Any, b: Any) -> Any:
    if kind(a) == "bool":
        return a | ~b
    if kind(a) != "int":
        by_a = lambda: api.where(b == 0, api.zeros_like(a * b), b * api.pow(a, b - 1))  # noqa: E731
        by_b = lambda: api.where((a == 0) & (b >= 0), api.zeros_like(a * b), api.pow(a, b) * api.log(a))  # noqa: E731
        return api.pow(a, b) if kind(a) == "complex" else sloped(sloped(past(api.pow(a, b)), a, by_a), b, by_b)
    one = api.ones_like(a)
    inverse = api.where(a == 1, one, api.where(a == -1, one - (b % 2) * 2, one - one))
    return api.where(b < 0, inverse, api.pow(a, api.maximum(b, one - one)))


def pow_(input: Any, exponent: Any) -> Any:
    """A power; of integers by negative integers, its whole part."""
    if type(exponent) is int and exponent >= 0 and kind_of(promoted(input)) != "bool":
        return api.pow(input, exponent)
    if all(isinstance(x, Tensor) and kind(x) == "bool" for x in (input, exponent)):
        raise refused("pow takes no two tensors of bools; cast one of them first")
    if type(exponent) is int and exponent < 0 and kind_of(promoted(input)) in ("int", "bool"):
        raise refused("integers to the power of a negative int are not allowed; cast the tensor to a floating dtype first")
    return _power(*met(input, exponent))


everywhere(pow_, "pow")
operator("pow", pow_, "pow")


def float_power(input: Any, exponent: Any) -> Any:
    """A power, computed in float64 or complex128."""
    wide = "complex128" if "complex" in (kind_of(promoted(x)) for x in (input, exponent)) else "float64"
    return _power(as_dtype(input, wide), as_dtype(exponent, wide))


both("float_power", float_power)


@row("Tensor.float_power_")
def float_power_(self: Any, exponent: Any) -> Any:
    """A power of float64 or complex128, in place."""
    found = float_power(before_write(self), exponent)
    if found.type.dtype != self.type.dtype:
        raise refused(f"float_power_ gives {found.type.dtype}, which a tensor of {self.type.dtype} can't hold; write x = x ** y")
    return written(self, found, saves=True)


unary("square", lambda x: x * x if kind(x) != "bool" else x.astype("int64"))
unary("abs", lambda x: x if kind(x) == "bool" else api.abs(x), "absolute")
unary("neg", lambda x: -x, "negative")
unary("positive", lambda x: x)
row("Tensor.__neg__")(lambda input: -input)
row("Tensor.__pos__")(lambda input: input)
row("Tensor.__abs__")(lambda input: api.abs(input))


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """input + value * tensor1 * tensor2."""
    need("addcmul", input, tensor1, tensor2, numbers=False)
    x, a, b = met(input, tensor1, tensor2)
    return _plus(x, _scale(_times(a, b), value))


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """input + value * tensor1 / tensor2."""
    need("addcdiv", input, tensor1, tensor2, numbers=False)
    x, a, b = met(input, tensor1, tensor2)
    if kind(x) not in ("float", "complex") or {kind(tensor1), kind(tensor2)} <= {"bool", "int"}:
        raise refused("addcdiv of integers isn't allowed; cast them to a floating dtype first")
    return x + _scale(a, value) / b


def lerp(input: Any, end: Any, weight: Any) -> Any:
    """input + weight * (end - input)."""
    need("lerp", input, end, kinds="float complex", numbers=False)
    if input.type.dtype != end.type.dtype:
        raise refused("lerp takes two tensors of one dtype")
    x, y = input, end
    w = as_dtype(weight, x.type.dtype)
    return api.where(api.abs(w) < 0.5, x + w * (y - x), y - (y - x) * (1 - w))


everywhere(addcmul, "addcmul")
everywhere(addcdiv, "addcdiv")
everywhere(lerp, "lerp")


def _log_add(a: Any, b: Any) -> Any:
    """log(e^a + e^b): the greater and what the smaller adds."""
    if kind(a) == "complex":
        high, low = api.where(a.real() >= b.real(), a, b), api.where(a.real() >= b.real(), b, a)
        return high + api.log1p(api.exp(low - high))
    return api.logaddexp(a, b)


binary("logaddexp", _log_add, kinds="float complex", numbers=False)
_TWO = 0.6931471805599453


def _log_add_2(a: Any, b: Any) -> Any:
    return _log_add(a * _TWO, b * _TWO) / _TWO


binary("logaddexp2", _log_add_2, kinds="float complex", numbers=False)


def ldexp(input: Any, other: Any) -> Any:
    """input * 2 ** other."""
    need("ldexp", input, other, numbers=False)
    if (kind(input), kind(other)) == ("float", "bool"):
        raise refused("ldexp of floats takes exponents of ints or floats, not of bools")
    dtype = met(input, other, floats=True)[0].type.dtype
    wide = "complex128" if kind_of(dtype) == "complex" else "float64"
    return (as_dtype(input, wide) * api.pow(as_dtype(2.0, wide), as_dtype(other, wide))).astype(dtype)


everywhere(ldexp, "ldexp")


def hypot(a: Any, b: Any) -> Any:
    """The length of a vector, whose gradient at (0, 0) isn't a number."""
    a, b = api.broadcast_tensors([a, b])
    length = api.hypot(a, b)
    return sloped(sloped(past(length), a, lambda: a / length), b, lambda: b / length)


binary("hypot", hypot, kinds="float", numbers=False)


def atan2(a: Any, b: Any) -> Any:
    """The angle, whose gradient at (0, 0) is 0; the second derivative there is NaN."""

    def over_square(x: Any) -> Any:
        quotient = x / (a * a + b * b)
        return api.where((a == 0) & (b == 0), api.zeros_like(quotient), quotient)

    return sloped(sloped(past(api.atan2(a, b)), a, lambda: over_square(b)), b, lambda: -over_square(a))


binary("atan2", atan2, "arctan2", floats=True, kinds="bool int float", numbers=False)
binary("copysign", lambda a, b: flat(api.copysign(a, b), b), floats=True, kinds="bool int float")
binary("nextafter", lambda a, b: sloped(flat(api.nextafter(a, b), b), a, lambda: a != b), kinds="float", numbers=False)


def _heaviside(x: Any, at_0: Any) -> Any:
    if x.type.dtype != at_0.type.dtype:
        raise refused("heaviside takes two tensors of one dtype")
    one = api.ones_like(x)
    return api.where(x == 0, at_0, api.where(x > 0, one, api.zeros_like(x)))


row("heaviside", "Tensor.heaviside")(lambda input, values: _heaviside(input, values))
in_place("heaviside", _heaviside)
