"""Element-wise arithmetic, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..dtypes import dtype_name
from ..ops import compare, complex_numbers, elementwise, floats, select, unary
from ..ops.cast import cast as _cast
from ..ops.erf import erf as _erf
from ..ops.registry import OpDef
from ..runtime.tensors.tensor import Tensor
from .checks import floating, in_place_value, need_tensor, operands, plain_scalar, scalar_kind, to_dtype
from .family_docs import BROADCAST, FLOAT, FLOAT_OR_COMPLEX, FRACTIONS, NUMBERS
from .tensor_methods import attach, published, tensor_method

__all__ = (  # fmt: skip
    "abs",
    "abs_",
    "acos",
    "add",
    "add_",
    "asin",
    "atan",
    "atan2",
    "cast",
    "ceil",
    "ceil_",
    "clip",
    "clip_",
    "cos",
    "cosh",
    "divide",
    "divide_",
    "erf",
    "exp",
    "exp_",
    "expm1",
    "floor",
    "floor_",
    "floor_divide",
    "floor_divide_",
    "floor_mod",
    "log",
    "log10",
    "log1p",
    "log2",
    "maximum",
    "minimum",
    "mod",
    "mod_",
    "multiply",
    "multiply_",
    "neg",
    "neg_",
    "pow",
    "pow_",
    "reciprocal",
    "reciprocal_",
    "remainder",
    "remainder_",
    "round",
    "round_",
    "rsqrt",
    "rsqrt_",
    "scale",
    "scale_",
    "sigmoid",
    "sigmoid_",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "sqrt_",
    "square",
    "subtract",
    "subtract_",
    "tan",
    "tanh",
    "tanh_",
    "trunc",
)


def _binary(definition: OpDef, doc: str, fractions: bool = False):
    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        return definition(*operands(definition.name, x, y, fractions))

    return published(function, definition.name, f"{doc}\n\n{BROADCAST}{FRACTIONS if fractions else ''}.")




def _scaled(definition: OpDef, doc: str):
    def function(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1) -> Tensor:
        y = y if isinstance(alpha, int) and alpha == 1 else y * alpha
        return definition(*operands(definition.name, x, y))

    return published(function, definition.name, f"{doc}\n\n{BROADCAST}. alpha: a number, or a tensor that broadcasts to y.")


add = _scaled(elementwise.add, "x + alpha * y, element by element.")
subtract = _scaled(elementwise.subtract, "x - alpha * y, element by element.")
multiply = _binary(elementwise.multiply, "x * y, element by element.")
floor_divide = _binary(elementwise.floor_divide, "x // y, element by element: the quotient rounded down; not of complex numbers.")
remainder = _binary(elementwise.remainder, "x % y, element by element, with the sign of y; not of complex numbers.")
mod = floor_mod = remainder
maximum = _binary(elementwise.maximum, "The larger of x and y, element by element; nan where either is nan.")
minimum = _binary(elementwise.minimum, "The smaller of x and y, element by element; nan where either is nan.")
pow = _binary(elementwise.power, "x to the power y, element by element.")
attach(remainder, "mod", "floor_mod")


@tensor_method()
def divide(x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None) -> Tensor:
    """x / y, element by element; integers give the default floating dtype. Shapes broadcast; dtypes are promoted.

    x, y: tensors, one of them may be a Python number. rounding_mode: "floor" for the quotient rounded down, "trunc" for it
    without its fraction; both keep integers; ValueError for another. The result has the broadcast shape.

    >>> dy2st.divide(dy2st.to_tensor([7, -7]), 2, rounding_mode="trunc").tolist()
    [3, -3]
    """
    if rounding_mode is None:
        return elementwise.divide(*operands("divide", x, y, fractions=True))
    x, y = operands("divide", x, y)
    if rounding_mode == "floor":
        return elementwise.floor_divide(x, y)
    if rounding_mode != "trunc":
        raise ValueError(f'divide: rounding_mode is None, "floor" or "trunc", not {rounding_mode!r}')
    quotient = elementwise.floor_divide(x, y)
    if quotient.dtype.is_floating:
        return unary.trunc(elementwise.divide(x, y))
    # Towards 0: one more than rounded down, where the quotient is negative and leaves a rest.
    rest = compare.not_equal(elementwise.multiply(quotient, y), x)
    return elementwise.add(quotient, _cast(compare.logical_and(rest, compare.less_than(quotient, 0)), dtype=quotient.dtype.name))


def _in_place(definition: OpDef, doc: str):
    def function(x: Tensor, y: Any, name: str | None = None) -> Tensor:
        definition(x, in_place_value(definition.name, x, y))
        return x

    doc = (
        f"{doc} Writes into x, whose shape and dtype stay, and returns it.\n\n"
        "y: a number, or a tensor that broadcasts to the shape of x and takes its dtype. DTypeError: x has no room for numbers\n"
        "of the kind of y, such as fractions in integers."
    )
    return published(function, definition.name, doc)


add_ = _in_place(elementwise.add_, "x + y in place.")
subtract_ = _in_place(elementwise.subtract_, "x - y in place.")
multiply_ = _in_place(elementwise.multiply_, "x * y in place.")
divide_ = _in_place(elementwise.divide_, "x / y in place.")
floor_divide_ = _in_place(elementwise.floor_divide_, "x // y in place.")
remainder_ = _in_place(elementwise.remainder_, "x % y in place.")
pow_ = _in_place(elementwise.pow_, "x to the power y in place.")
mod_ = remainder_
attach(mod_, "mod_")


def _unary(definition: OpDef, doc: str, fractions: bool = True, about: str = FLOAT_OR_COMPLEX):
    def function(x: Tensor, name: str | None = None) -> Tensor:
        return definition(floating(definition.name, x) if fractions else need_tensor(definition.name, x))

    return published(function, definition.name, f"{doc} Element by element.\n\n{about}")


exp = _unary(unary.exp, "e to the power x.")
expm1 = _unary(unary.expm1, "exp(x) - 1, exact near 0.")
log = _unary(unary.log, "The natural logarithm.")
log2 = _unary(unary.log2, "The logarithm to base 2.")
log10 = _unary(unary.log10, "The logarithm to base 10.")
log1p = _unary(unary.log1p, "log(1 + x), exact near 0.")
sqrt = _unary(unary.sqrt, "The square root.")
rsqrt = _unary(unary.rsqrt, "1 / sqrt(x).")
reciprocal = _unary(unary.reciprocal, "1 / x.")
sin = _unary(unary.sin, "The sine, x in radians.")
cos = _unary(unary.cos, "The cosine, x in radians.")
tan = _unary(unary.tan, "The tangent, x in radians.")
asin = _unary(unary.asin, "The inverse sine, in radians.")
acos = _unary(unary.acos, "The inverse cosine, in radians.")
atan = _unary(unary.atan, "The inverse tangent, in radians.")
sinh = _unary(unary.sinh, "The hyperbolic sine.")
cosh = _unary(unary.cosh, "The hyperbolic cosine.")
tanh = _unary(unary.tanh, "The hyperbolic tangent.")
sigmoid = _unary(unary.sigmoid, "1 / (1 + exp(-x)).")


def _rounding(definition: OpDef, doc: str):
    def function(x: Tensor, name: str | None = None) -> Tensor:
        dtype = need_tensor(definition.name, x).dtype
        return definition(x) if dtype.is_floating or dtype.is_complex else _cast(x, dtype=dtype.name)

    doc = f"{doc} x has any shape; the result has its shape and dtype. Integers and bools stay. DTypeError: complex x."
    return published(function, definition.name, doc)


floor = _rounding(unary.floor, "The largest integer not above x.")
ceil = _rounding(unary.ceil, "The smallest integer not below x.")
trunc = _rounding(unary.trunc, "x without its fraction.")
sign = _unary(unary.sign, "-1, 0 or 1.", fractions=False, about=NUMBERS)
neg = _unary(elementwise.negative, "-x.", fractions=False, about=NUMBERS)
square = _unary(unary.square, "x * x.", fractions=False, about=NUMBERS)
erf = _unary(_erf, "The error function.", about=FLOAT)


def _unary_in_place(definition: OpDef):
    def function(x: Tensor, name: str | None = None) -> Tensor:
        definition(need_tensor(definition.name, x))
        return x

    doc = f"`{definition.name[:-1]}` in place: writes into x, whose shape and dtype stay, and returns it."
    return published(function, definition.name, doc)


exp_ = _unary_in_place(unary.exp_)
sqrt_ = _unary_in_place(unary.sqrt_)
rsqrt_ = _unary_in_place(unary.rsqrt_)
reciprocal_ = _unary_in_place(unary.reciprocal_)
tanh_ = _unary_in_place(unary.tanh_)
sigmoid_ = _unary_in_place(unary.sigmoid_)
floor_ = _unary_in_place(unary.floor_)
ceil_ = _unary_in_place(unary.ceil_)
abs_ = _unary_in_place(unary.abs_)
neg_ = _unary_in_place(elementwise.neg_)


@tensor_method("abs", "__abs__")
def abs(x: Tensor, name: str | None = None) -> Tensor:
    """The absolute value, element by element; of complex numbers the distance from 0.

    x has any shape; the result has it, and the dtype of x, that of its parts where x is complex.
    """
    if need_tensor("abs", x).dtype.is_complex:
        return floats.hypot(complex_numbers.real(x), complex_numbers.imag(x))
    return unary.absolute(x)


@tensor_method()
def round(x: Tensor, decimals: int = 0, name: str | None = None) -> Tensor:
    """x, of any shape, rounded to `decimals` places, halves to even; the result has the shape and dtype of x.

    Integers stay as they are.

    >>> dy2st.round(dy2st.to_tensor([0.5, 1.5, 2.25]), 1).tolist()
    [0.5, 1.5, 2.200000047683716]
    """
    if not need_tensor("round", x).dtype.is_floating and not x.dtype.is_complex:
        return _cast(x, dtype=x.dtype.name)
    if decimals == 0:
        return unary.round_(x)
    factor = 10.0**decimals
    return elementwise.divide(unary.round_(elementwise.multiply(x, factor)), factor)


@tensor_method()
def round_(x: Tensor, name: str | None = None) -> Tensor:
    """`round` in place, to 0 places: writes into x, whose shape and dtype stay, and returns it."""
    unary.round__(need_tensor("round_", x))
    return x


@tensor_method()
def scale(
    x: Tensor, scale: Any = 1.0, bias: Any = 0.0, bias_after_scale: bool = True, act: str | None = None, name: str | None = None
) -> Tensor:
    """scale * x + bias, or scale * (x + bias) where not `bias_after_scale`; the result has the shape and the dtype of x.

    scale, bias: real numbers or 0-d Tensors, TypeError for others; bias may be complex where x is. act: "relu", "sigmoid",
    "softmax" or "tanh" of that; ValueError for another name.

    >>> dy2st.scale(dy2st.to_tensor([1.0, 2.0]), 2.0, 1.0).tolist()
    [3.0, 5.0]
    """
    need_tensor("scale", x)
    result = unary.scale(x, scale=_real("scale", scale), bias=_number("scale", bias), bias_after_scale=bool(bias_after_scale))
    return result if act is None else _activated(result, act)


@tensor_method()
def scale_(
    x: Tensor, scale: Any = 1.0, bias: Any = 0.0, bias_after_scale: bool = True, act: str | None = None, name: str | None = None
) -> Tensor:
    """`scale` in place: writes into x, whose shape and dtype stay, and returns it. With `act`, a new tensor is returned."""
    need_tensor("scale_", x)
    unary.scale_(x, scale=_real("scale_", scale), bias=_number("scale_", bias), bias_after_scale=bool(bias_after_scale))
    return x if act is None else _activated(x, act)


def _activated(x: Any, act: str) -> Tensor:
    if act not in ("relu", "sigmoid", "softmax", "tanh"):
        raise ValueError(f"scale: act is 'relu', 'sigmoid', 'softmax', 'tanh' or None, not {act!r}")
    return getattr(x, act)()


def _number(op: str, value: Any) -> Any:
    """A bound or factor as an attribute: a Python number, staged or not, or a 0-d Tensor."""
    if value is None or isinstance(value, Tensor) or scalar_kind(value) is not None:
        return plain_scalar(value)
    raise TypeError(f"{op} takes numbers or 0-d Tensors, not {value!r}")


def _real(op: str, value: Any) -> Any:
    """The same, which is not complex."""
    found = _number(op, value)
    if scalar_kind(found) == "complex" or isinstance(found, Tensor) and found.dtype.is_complex:
        raise TypeError(f"{op} takes a real factor, not the complex {found!r}; write x * factor")
    return found


@tensor_method()
def atan2(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The angle of the point (y, x), element by element: the arctangent of x / y in the right quadrant.

    x, y: tensors or numbers, one of them a tensor; shapes broadcast and dtypes are promoted. The result is float64 where both
    hold integers or bools.
    """
    x, y = operands("atan2", x, y)
    if not any(part.dtype.is_floating or part.dtype.is_complex for part in (x, y) if isinstance(part, Tensor)):
        x, y = (to_dtype(part, "float64") if isinstance(part, Tensor) else part for part in (x, y))
    return elementwise.atan2(x, y)


@tensor_method()
def clip(x: Tensor, min: Any = None, max: Any = None, name: str | None = None) -> Tensor:
    """The values of x, of any shape, moved into [min, max]; either bound may be None. The result has the shape of x.

    min, max: numbers or 0-d Tensors; TypeError for others. The result has the dtype of x; the default dtype where x holds
    integers and a bound is a float.

    >>> dy2st.clip(dy2st.to_tensor([-1.0, 0.5, 2.0]), 0.0, 1.0).tolist()
    [0.0, 0.5, 1.0]
    """
    low, high = _number("clip", min), _number("clip", max)
    x = floating("clip", x) if _is_float(low) or _is_float(high) else need_tensor("clip", x)
    return select.clip(x, min=low, max=high)


def _is_float(bound: Any) -> bool:
    return bound.dtype.is_floating if isinstance(bound, Tensor) else scalar_kind(bound) == "float"


@tensor_method()
def clip_(x: Tensor, min: Any = None, max: Any = None, name: str | None = None) -> Tensor:
    """`clip` in place: writes into x, whose shape and dtype stay, and returns it. DTypeError: x of integers, a bound a float."""
    low, high = (None if bound is None else in_place_value("clip_", x, _number("clip_", bound)) for bound in (min, max))
    select.clip_(need_tensor("clip_", x), min=low, max=high)
    return x


@tensor_method("cast", "astype")
def cast(x: Tensor, dtype: Any) -> Tensor:
    """x, of any shape, in another dtype: always a new tensor; floating-point to integer drops the fraction.

    dtype: a dtype of dy2st, of NumPy, or the name of one; DTypeError for another.

    >>> dy2st.cast(dy2st.to_tensor([1.7, -1.7]), "int64").tolist()
    [1, -1]
    """
    return _cast(need_tensor("cast", x), dtype=dtype_name(dtype))
