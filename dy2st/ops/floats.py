"""Functions of floating-point numbers as they are written: sign, exponent, neighbour; and what takes care of nan and overflow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..ir.types import TensorType, Type
from .compare import equal, greater_equal, less_equal, logical_or, not_equal
from .element_kinds import COMPLEX
from .elementwise import binary, divide, multiply, negative, power, subtract
from .lowered import elementary, neighbours
from .registry import OpDef, define
from .rules import is_tensor, need_floating, need_real, need_tensor
from .select import where
from .unary import sigmoid


def _choice(name: str, function: np.ufunc, operator: str, comes_first: Callable) -> OpDef:
    def is_first(ctx):
        x, y = ctx.inputs
        return logical_or(comes_first(x, y), not_equal(y, y)) if is_tensor(y) else comes_first(x, y)

    def lowering(g, x, y):
        x, y = g.alike(x, y)
        found = g.node(operator, x, y)
        return g.Where(g.IsNaN(x), y, g.Where(g.IsNaN(y), x, found)) if elementary.is_floating(x) else found

    return binary(
        name,
        function,
        "",
        lambda ctx, g: where(is_first(ctx), g, 0.0),
        lambda ctx, g: where(is_first(ctx), 0.0, g),
        loud=False,
        onnx=lowering,
    )


# The larger and the smaller of the two; where one of them is nan, the other one. Of equal ones, the first has the gradient.
fmax, fmin = _choice("fmax", np.fmax, "Max", greater_equal), _choice("fmin", np.fmin, "Min", less_equal)


def _share(ctx, at: int):
    """The operand over the result; 0 where both are 0."""
    none = equal(ctx.outputs[0], 0.0)
    return where(none, 0.0, divide(ctx.inputs[at], where(none, 1.0, ctx.outputs[0])))


hypot = binary(
    "hypot",
    np.hypot,
    "",
    lambda ctx, g: multiply(g, _share(ctx, 0)),
    lambda ctx, g: multiply(g, _share(ctx, 1)),
    floating=True,
    loud=False,
    refuses=(COMPLEX,),
    onnx=elementary.hypot,
)
logaddexp = binary(
    "logaddexp",
    np.logaddexp,
    "",
    lambda ctx, g: multiply(g, sigmoid(subtract(*ctx.inputs))),
    lambda ctx, g: multiply(g, sigmoid(subtract(*ctx.inputs[::-1]))),
    floating=True,
    loud=False,
    refuses=(COMPLEX,),
    onnx=elementary.logaddexp,
)
# The next number after x on the way to y.
nextafter = binary("nextafter", np.nextafter, floating=True, loud=False, refuses=(COMPLEX,), onnx=neighbours.nextafter)
signbit = define(
    "signbit",
    kernel=np.signbit,
    infer=lambda x: TensorType("bool", need_tensor("signbit", x).shape),
    template="np.signbit({0})",
    out=True,
    refuses=(COMPLEX,),
    onnx=elementary.signbit,
)


def _frexp(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mantissa, exponent = np.frexp(x)
    return np.asarray(mantissa), np.asarray(exponent, x.dtype)


def _infer_frexp(x: Type) -> tuple:
    tensor = need_real("frexp", need_floating("frexp", x))
    return tensor, tensor


def _frexp_grad(ctx, g, _exponent) -> tuple:
    return (multiply(g, power(2.0, negative(ctx.outputs[1]))),)


# The mantissa in [0.5, 1) and the exponent, both in the dtype of x = mantissa * 2 ** exponent.
frexp = define("frexp", kernel=_frexp, infer=_infer_frexp, grad=_frexp_grad, grad_ignores=(0,), onnx=neighbours.frexp)
