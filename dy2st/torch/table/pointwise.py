"""Arithmetic and functions element by element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, kind_of, promoted
from .rows import both, in_place, row


def met(*values: Any, floats: bool = False) -> list[Any]:
    """Tensors of the dtype in which the values meet. floats: integers become floats."""
    dtype = promoted(*values)
    if floats and kind_of(dtype) in ("bool", "int"):
        dtype = default_float()
    return [as_dtype(x, dtype) for x in values]


def as_dtype(x: Any, dtype: str) -> Tensor:
    """A tensor or number as a tensor of a dtype."""
    if not isinstance(x, Tensor):
        return api.to_tensor(x, dtype=dtype)
    return x if x.type.dtype == dtype else x.astype(dtype)


def binary(name: str, function: Callable, special: str = "", floats: bool = False, others: tuple[str, ...] = ()) -> None:
    def compute(input: Any, other: Any) -> Any:
        return function(*met(input, other, floats=floats))

    compute.__name__ = name
    both(name, compute, *others)
    in_place(name, compute, *([f"Tensor.__i{special}__"] if special else []))
    if special:
        row(f"Tensor.__{special}__")(compute)
        row(f"Tensor.__r{special}__")(_swapped(compute))


def _swapped(function: Callable) -> Callable:
    def compute(input: Any, other: Any) -> Any:
        return function(other, input)

    compute.__name__ = f"r{function.__name__}"
    return compute


def scaled(name: str, function: Callable, special: str) -> None:
    """input ± alpha * other."""

    def compute(input: Any, other: Any, *, alpha: Any = 1) -> Any:
        a, b = met(input, other)
        return function(a, b if type(alpha) is int and alpha == 1 else b * as_dtype(alpha, b.type.dtype))

    compute.__name__ = name
    both(name, compute)
    in_place(name, compute, f"Tensor.__i{special}__")
    row(f"Tensor.__{special}__")(compute)
    row(f"Tensor.__r{special}__")(_swapped(compute))


scaled("add", lambda a, b: a | b if a.type.dtype == "bool" else a + b, "add")
scaled("sub", lambda a, b: a - b, "sub")
binary("mul", lambda a, b: a & b if a.type.dtype == "bool" else a * b, "mul", others=("multiply", "Tensor.multiply"))
binary("remainder", lambda a, b: a % b, "mod")
both("maximum", lambda input, other: api.maximum(*met(input, other)))
both("minimum", lambda input, other: api.minimum(*met(input, other)))
for _name, _special in dict(eq="eq", ne="ne", lt="lt", le="le", gt="gt", ge="ge").items():
    _compare = {"eq": api.equal, "ne": api.not_equal, "lt": api.less_than, "le": api.less_equal, "gt": api.greater_than, "ge": api.greater_equal}[_name]
    _row = lambda input, other, f=_compare: f(*met(input, other))  # noqa: E731
    _row.__name__ = _name
    both(_name, _row, f"Tensor.__{_special}__")


@row("div", "Tensor.div", "true_divide", "divide", "Tensor.divide", "Tensor.__truediv__")
def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """The quotient, or that rounded: "trunc" to zero, "floor" down."""
    a, b = met(input, other, floats=rounding_mode is None)
    if rounding_mode == "floor":
        return api.floor_divide(a, b)
    found = a / b
    return api.trunc(found).astype(a.type.dtype) if rounding_mode == "trunc" else found


row("Tensor.__rtruediv__")(lambda input, other: div(other, input))
in_place("div", div, "Tensor.__itruediv__")


@row("floor_divide", "Tensor.floor_divide", "Tensor.__floordiv__")
def floor_divide(input: Any, other: Any) -> Any:
    """The quotient rounded down."""
    return api.floor_divide(*met(input, other))


row("Tensor.__rfloordiv__")(lambda input, other: floor_divide(other, input))


@row("pow", "Tensor.pow", "Tensor.__pow__")
def pow_(input: Any, exponent: Any) -> Any:
    """A power."""
    return api.pow(*met(input, exponent))


row("Tensor.__rpow__")(lambda input, other: pow_(other, input))


def unary(name: str, function: Callable, floats: bool = False, others: tuple[str, ...] = ()) -> None:
    def compute(input: Any) -> Any:
        (x,) = met(input, floats=True) if floats else [input]
        return function(x)

    compute.__name__ = name
    both(name, compute, *others)
    in_place(name, compute)


for _name in "exp log log2 log10 log1p expm1 sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh sigmoid erf reciprocal".split():
    unary(_name, getattr(api, _name, None) or getattr(api.nn.functional, _name), floats=True)
for _name in "abs neg sign floor ceil round trunc square".split():
    unary(_name, getattr(api, _name))
row("Tensor.__neg__")(lambda x: -x)
row("Tensor.__abs__")(api.abs)
both("logical_not", lambda input: api.logical_not(input.astype("bool")))
row("Tensor.__invert__", "bitwise_not", "Tensor.bitwise_not")(lambda input: ~input)
for _name, _f in dict(logical_and=api.logical_and, logical_or=api.logical_or, logical_xor=api.logical_xor).items():
    _row = lambda input, other, f=_f: f(as_dtype(input, "bool"), as_dtype(other, "bool"))  # noqa: E731
    _row.__name__ = _name
    both(_name, _row)
binary("bitwise_and", lambda a, b: a & b, "and")
binary("bitwise_or", lambda a, b: a | b, "or")
binary("bitwise_xor", lambda a, b: a ^ b, "xor")


@row("where", "Tensor.where")
def where(condition: Any, input: Any, other: Any) -> Any:
    """`input` where the condition holds, `other` elsewhere."""
    a, b = met(input, other)
    return api.where(condition, a, b)


row("Tensor.where")(lambda self, condition, other: where(condition, self, other))


@row("clamp", "Tensor.clamp", "clip", "Tensor.clip")
def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """Elements not below `min`, nor above `max`."""
    if min is not None:
        input = api.maximum(*met(input, min))
    return input if max is None else api.minimum(*met(input, max))


in_place("clamp", clamp)


@row("masked_fill", "Tensor.masked_fill")
def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """`value` where the mask holds."""
    return api.where(mask, as_dtype(value, input.type.dtype), input)


in_place("masked_fill", masked_fill)
