"""More element-wise functions of two tensors, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..errors import DTypeError
from ..ops import compare, elementwise, floats, integers, select, unary
from ..ops.cast import cast
from ..runtime.tensors.tensor import Tensor
from .checks import floating, need_tensor, operands, plain_scalar, refuse_positional_out, scalar_kind, to_dtype
from .math import _binary
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "bitwise_left_shift",
    "bitwise_right_shift",
    "copysign",
    "fmax",
    "fmin",
    "gcd",
    "heaviside",
    "hypot",
    "lcm",
    "ldexp",
    "lerp",
    "logaddexp",
    "nextafter",
)

fmax = _binary(floats.fmax, "The larger of x and y, element by element; where one of them is nan, the other one.")
fmin = _binary(floats.fmin, "The smaller of x and y, element by element; where one of them is nan, the other one.")
hypot = _binary(floats.hypot, "sqrt(x * x + y * y) of real numbers, without overflow.", fractions=True)
logaddexp = _binary(floats.logaddexp, "log(exp(x) + exp(y)) of real numbers, without overflow.", fractions=True)
nextafter = _binary(floats.nextafter, "The next real number after x on the way to y.", fractions=True)
gcd = _binary(integers.gcd, "The greatest common divisor of integers.")
lcm = _binary(integers.lcm, "The least common multiple of integers.")


@tensor_method()
def copysign(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The size of x with the sign of y, a Tensor or a number, element by element; of real numbers.

    Shapes broadcast, dtypes are promoted; the result has both, and the default dtype where both hold integers or bools.
    """
    x, y = operands("copysign", x, _as_tensor(y, x), fractions=True)
    size = unary.absolute(x)
    return select.where(floats.signbit(y), elementwise.negative(size), size)


def _as_tensor(y: Any, like: Tensor) -> Tensor:
    from .creation import full

    if isinstance(y, Tensor) or scalar_kind(y) is None:
        return y
    return full([], plain_scalar(y), like.dtype if like.dtype.is_floating else None)


@tensor_method()
def heaviside(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """0 where x < 0, y where x is 0, 1 where x > 0.

    x, y: tensors; shapes broadcast, dtypes are promoted, and the result has both.
    """
    x, y = operands("heaviside", need_tensor("heaviside", x), need_tensor("heaviside", y, "y"))
    return select.where(compare.equal(x, 0), y, cast(compare.greater_than(x, 0), dtype=x.dtype.name))


@tensor_method()
def ldexp(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """x * 2 ** y, element by element. x, y: tensors whose shapes broadcast; y is cast to the dtype of x, which the result has.

    Of an x of integers the default dtype.
    """
    x = floating("ldexp", x)
    return elementwise.multiply(x, elementwise.power(2.0, to_dtype(need_tensor("ldexp", y, "y"), x.dtype.name)))


@tensor_method()
def lerp(x: Tensor, y: Tensor, weight: Any, name: str | None = None) -> Tensor:
    """x + weight * (y - x): between x and y for a weight between 0 and 1.

    x, y: tensors; weight: a number or a Tensor. Shapes broadcast, dtypes are promoted, and the result has both.

    >>> dy2st.lerp(dy2st.to_tensor([0.0]), dy2st.to_tensor([10.0]), 0.25).tolist()
    [2.5]
    """
    x, y = operands("lerp", need_tensor("lerp", x), need_tensor("lerp", y, "y"))
    return elementwise.add(x, elementwise.multiply(elementwise.subtract(y, x), weight))


@tensor_method()
def bitwise_left_shift(x: Tensor, y: Tensor, is_arithmetic: bool = True, out: None = None, name: str | None = None) -> Tensor:
    """The bits of x moved up by y places. x, y: integer tensors, or one of them an int; shapes broadcast, dtypes are promoted.

    The result has the broadcast shape and the promoted dtype. `is_arithmetic` has no effect. TypeError: an `out` that comes by
    its place.
    """
    refuse_positional_out("bitwise_left_shift", out)
    return integers.left_shift(*operands("bitwise_left_shift", x, y))


@tensor_method()
def bitwise_right_shift(x: Tensor, y: Tensor, is_arithmetic: bool = True, out: None = None, name: str | None = None) -> Tensor:
    """The bits of x moved down by y places; the sign stays where `is_arithmetic`. Operands and result as in `bitwise_left_shift`.

    DTypeError: without the sign, another dtype than uint8.
    """
    refuse_positional_out("bitwise_right_shift", out)
    x, y = operands("bitwise_right_shift", x, y)
    if not is_arithmetic and x.dtype.name != "uint8":
        raise DTypeError(f"bitwise_right_shift: without the sign it is for uint8, not for {x.dtype.name}; cast x first")
    return integers.right_shift(x, y)


@tensor_method("__lshift__")
def _shifted_left(x: Tensor, y: Any) -> Tensor:
    return bitwise_left_shift(x, y)


@tensor_method("__rshift__")
def _shifted_right(x: Tensor, y: Any) -> Tensor:
    return bitwise_right_shift(x, y)


@tensor_method("__rlshift__")
def _shifting_left(x: Tensor, y: Any) -> Tensor:
    return integers.left_shift(*operands("<<", y, x))


@tensor_method("__rrshift__")
def _shifting_right(x: Tensor, y: Any) -> Tensor:
    return integers.right_shift(*operands(">>", y, x))
