"""Element-wise arithmetic of two operands: tensors of one dtype, or a tensor and a Python number."""

from __future__ import annotations

import math

import numpy as np

from ..ir.types import FLOAT, TensorType
from .compare import equal, greater_than, less_than
from .complex_numbers import conj
from .element_kinds import BOOL, COMPLEX
from .inplace import define_in_place
from .lowered import complexes, elementary, integers
from .registry import OpDef, define
from .rules import broadcast_grad, infer_broadcast, is_tensor, quiet, same_as_input
from .select import where
from .unary import log


def binary(
    name: str,
    function,
    template: str = "",
    dx=None,
    dy=None,
    floating: bool = False,
    loud: bool = True,
    ignores=(),
    refuses=(),
    onnx=None,
    onnx_complex=None,
    raises=(),
    safe_on=None,
) -> OpDef:
    """An operator on two tensors that broadcast; without a template, its source is a call of the function."""
    return define(
        name,
        kernel=function if loud else quiet(function),
        infer=infer_broadcast(name, floating=floating),
        grad=broadcast_grad(dx, dy) if dx or dy else None,
        template=template or f"np.{function.__name__}({{0}}, {{1}})",
        out=True,
        grad_ignores=ignores,
        refuses=refuses,
        onnx=onnx,
        onnx_complex=onnx_complex,
        raises=raises,
        safe_on=safe_on,
    )


add = binary("add", np.add, "{0} + {1}", lambda ctx, g: g, lambda ctx, g: g, ignores=(0, 1), onnx=lambda g, x, y: g.Add(x, y))
subtract = binary(
    "subtract",
    np.subtract,
    "{0} - {1}",
    lambda ctx, g: g,
    lambda ctx, g: negative(g),
    ignores=(0, 1),
    refuses=(BOOL,),
    onnx=lambda g, x, y: g.Sub(x, y),
)
multiply = binary(
    "multiply",
    np.multiply,
    "{0} * {1}",
    lambda ctx, g: multiply(g, _mirrored(ctx.inputs[1])),
    lambda ctx, g: multiply(g, _mirrored(ctx.inputs[0])),
    onnx=lambda g, x, y: g.Mul(x, y),
    onnx_complex=complexes.multiply,
)


def _mirrored(x):
    """The conjugate of what is complex; x itself otherwise."""
    if is_tensor(x):
        return conj(x) if x.dtype.is_complex else x
    return x.conjugate() if isinstance(x, complex) else x


divide = binary(
    "divide",
    np.divide,
    "{0} / {1}",
    lambda ctx, g: divide(g, ctx.inputs[1]),
    lambda ctx, g: negative(divide(multiply(g, ctx.inputs[0]), multiply(ctx.inputs[1], ctx.inputs[1]))),
    floating=True,
    loud=False,
    onnx=lambda g, x, y: g.Div(x, y),
    onnx_complex=complexes.divide,
)
negative = define(
    "neg",
    kernel=np.negative,
    infer=same_as_input,
    grad=lambda ctx, g: (negative(g),),
    template="-{0}",
    out=True,
    grad_ignores=(0,),
    refuses=(BOOL,),
    onnx=lambda g, x: g.Neg(x),
)


# The quotient rounded down and what is left, as Python's // and %: the remainder has the sign of the divisor.
floor_divide = binary("floor_divide", np.floor_divide, loud=False, refuses=(BOOL, COMPLEX), onnx=integers.floor_divide)
remainder = binary(
    "remainder",
    np.remainder,
    "np.remainder({0}, {1})",
    lambda ctx, g: g,
    lambda ctx, g: negative(multiply(g, floor_divide(ctx.inputs[0], ctx.inputs[1]))),
    loud=False,
    refuses=(BOOL, COMPLEX),
    onnx=integers.remainder,
)


def _pow_dx(ctx, g):
    x, y = ctx.inputs
    if isinstance(y, (int, float)):
        return multiply(g, 0.0) if y == 0 else multiply(multiply(g, y), power(x, y - 1))
    slope = multiply(power(x, subtract(y, 1)), y) if is_tensor(y) else multiply(power(x, y - 1), y)
    return multiply(g, where(equal(y, 0), 0.0, slope)) if is_tensor(y) else multiply(g, slope)


def _pow_dy(ctx, g):
    x, out = ctx.inputs[0], ctx.outputs[0]
    base = log(x) if is_tensor(x) else -math.inf if x == 0 else math.log(x)
    return multiply(g, where(equal(out, 0.0), 0.0, multiply(out, base)))


def _has_fractions(type_) -> bool:
    return type_ == FLOAT or isinstance(type_, TensorType) and not type_.dtype.startswith(("int", "uint"))


power = binary(
    "pow",
    np.power,
    "np.power({0}, {1})",
    _pow_dx,
    _pow_dy,
    loud=False,
    refuses=(BOOL,),
    onnx=integers.power,
    raises=("ValueError",),  # of ints to the power of negative ones
    safe_on=_has_fractions,
)


def _share(wins, at: int):
    """The gradient of the operand that is chosen; of two equal ones each has half of it, as in Paddle and torch."""

    def rule(ctx, g):
        own, other = ctx.inputs[at], ctx.inputs[1 - at]
        return where(wins(own, other), g, where(equal(own, other), multiply(g, 0.5), 0.0))

    return rule


maximum = binary(
    "maximum",
    np.maximum,
    "np.maximum({0}, {1})",
    _share(greater_than, 0),
    _share(greater_than, 1),
    onnx=lambda g, x, y: g.Max(x, y),
)
minimum = binary(
    "minimum",
    np.minimum,
    "np.minimum({0}, {1})",
    _share(less_than, 0),
    _share(less_than, 1),
    onnx=lambda g, x, y: g.Min(x, y),
)


def _atan2_rule(sign, other: int):
    def rule(ctx, g):
        squares = (multiply(x, x) if is_tensor(x) else x * x for x in ctx.inputs)
        part = divide(ctx.inputs[other], add(*squares))
        return multiply(g, part if sign > 0 else negative(part))

    return rule


atan2 = binary(
    "atan2",
    np.arctan2,
    "np.arctan2({0}, {1})",
    _atan2_rule(1, 1),
    _atan2_rule(-1, 0),
    floating=True,
    refuses=(COMPLEX,),
    onnx=elementary.atan2,
)

add_ = define_in_place(add)
subtract_ = define_in_place(subtract)
multiply_ = define_in_place(multiply)
divide_ = define_in_place(divide)
floor_divide_ = define_in_place(floor_divide)
remainder_ = define_in_place(remainder)
pow_ = define_in_place(power)
neg_ = define_in_place(negative)
