"""Element by element: arithmetic, comparisons, bits, functions of one tensor."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ....ops import compare, elementwise, integers, select, unary
from ....ops.cast import cast
from ....ops.erf import erf
from ....ops.registry import OpDef
from ....runtime.tensors.tensor import Tensor
from ..registry import node

UNARY = {
    "Exp": unary.exp, "Log": unary.log, "Sqrt": unary.sqrt, "Reciprocal": unary.reciprocal, "Abs": unary.absolute,
    "Neg": elementwise.negative, "Sign": unary.sign, "Floor": unary.floor, "Ceil": unary.ceil, "Round": unary.round_,
    "Sin": unary.sin, "Cos": unary.cos, "Tan": unary.tan, "Asin": unary.asin, "Acos": unary.acos, "Atan": unary.atan,
    "Sinh": unary.sinh, "Cosh": unary.cosh, "Tanh": unary.tanh, "Asinh": unary.asinh, "Acosh": unary.acosh,
    "Atanh": unary.atanh, "Erf": erf, "Sigmoid": unary.sigmoid, "Not": compare.logical_not, "BitwiseNot": compare.bitwise_not,
    "IsNaN": compare.isnan,
}  # fmt: skip
BINARY = {
    "Add": elementwise.add, "Sub": elementwise.subtract, "Mul": elementwise.multiply, "And": compare.logical_and,
    "Or": compare.logical_or, "Xor": compare.logical_xor, "BitwiseAnd": compare.bitwise_and, "BitwiseOr": compare.bitwise_or,
    "BitwiseXor": compare.bitwise_xor, "Equal": compare.equal, "Less": compare.less_than, "Greater": compare.greater_than,
    "LessOrEqual": compare.less_equal, "GreaterOrEqual": compare.greater_equal,
}  # fmt: skip


def _of_one(function: OpDef) -> Any:
    def computed(x: Tensor) -> Tensor:
        return function(x)

    return computed


def _of_two(function: OpDef) -> Any:
    def computed(a: Tensor, b: Tensor) -> Tensor:
        return function(a, b)

    return computed


for _name, _function in UNARY.items():
    node(_name)(_of_one(_function))
for _name, _function in BINARY.items():
    node(_name, since=7)(_of_two(_function))


@node("Div", since=7)
def divide(a: Tensor, b: Tensor) -> Tensor:
    """Of integers, the quotient without its fraction."""
    if not a.dtype.is_integer:
        return elementwise.divide(a, b)
    quotient = elementwise.floor_divide(a, b)
    if a.dtype.name.startswith("u"):
        return quotient
    rest = elementwise.subtract(a, elementwise.multiply(quotient, b))
    rounded_down = compare.logical_and(compare.not_equal(rest, 0), compare.logical_xor(a < 0, b < 0))
    return elementwise.add(quotient, cast(rounded_down, dtype=a.dtype.name))


@node("Mod")
def modulo(a: Tensor, b: Tensor, *, fmod: int = 0) -> Tensor:
    """What is left: with the sign of the divisor, as in Python; with `fmod` that of the dividend, as in C."""
    if not fmod:
        return elementwise.remainder(a, b)
    if a.dtype.name.startswith("u"):
        return elementwise.remainder(a, b)
    rest = elementwise.remainder(unary.absolute(a), unary.absolute(b))
    return select.where(a < 0, elementwise.negative(rest), rest)


@node("Pow", since=7)
def power(base: Tensor, exponent: Tensor) -> Tensor:
    """In the dtype of the base; an integer to the power of a fraction is computed with fractions."""
    dtype = base.dtype.name
    if exponent.dtype.name == dtype:
        return elementwise.power(base, exponent)
    if base.dtype.is_floating:
        return elementwise.power(base, cast(exponent, dtype=dtype))
    common = "float64" if exponent.dtype.is_floating else "int64"
    return cast(elementwise.power(cast(base, dtype=common), cast(exponent, dtype=common)), dtype=dtype)


@node("Sum")
def total(*xs: Tensor) -> Tensor:
    return reduce(elementwise.add, xs)


@node("Mean")
def mean(*xs: Tensor) -> Tensor:
    return elementwise.divide(reduce(elementwise.add, xs), float(len(xs)))


@node("Max")
def maximum(*xs: Tensor) -> Tensor:
    return reduce(elementwise.maximum, xs)


@node("Min")
def minimum(*xs: Tensor) -> Tensor:
    return reduce(elementwise.minimum, xs)


@node("Clip", since=11)
def clip(x: Tensor, least: Tensor | None = None, most: Tensor | None = None) -> Tensor:
    found = x if least is None else elementwise.maximum(x, least)
    return found if most is None else elementwise.minimum(found, most)


@node("Clip")
def clip_to_numbers(x: Tensor, *, min: float | None = None, max: float | None = None) -> Tensor:
    return select.clip(x, min=min, max=max)


@node("Where")
def where(condition: Tensor, a: Tensor, b: Tensor) -> Tensor:
    return select.where(condition, a, b)


@node("IsInf")
def is_infinite(x: Tensor, *, detect_negative: int = 1, detect_positive: int = 1) -> Tensor:
    found = compare.isinf(x)
    if not detect_positive:
        found = compare.logical_and(found, x < 0)
    return found if detect_negative else compare.logical_and(found, x > 0)


@node("BitShift")
def bit_shift(x: Tensor, by: Tensor, *, direction: str) -> Tensor:
    return (integers.left_shift if direction == "LEFT" else integers.right_shift)(x, by)
