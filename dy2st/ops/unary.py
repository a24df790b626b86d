"""Element-wise functions of one tensor."""

from __future__ import annotations

import numpy as np

from .element_kinds import BOOL
from .inplace import define_in_place
from .lowered import complexes, elementary
from .registry import OpDef, define, lookup
from .rules import infer_floating, infer_real, need_tensor, quiet, real_part, same_as_input


def _floating(
    name: str, function, rule, onnx, template: str | None = None, loud: bool = True, ignores=(), onnx_complex=None
) -> OpDef:
    """An operator on floating-point tensors; `rule(ctx, g)` gives the gradient."""
    return define(
        name,
        kernel=function if loud else quiet(function),
        infer=infer_floating(name),
        grad=lambda ctx, g: (rule(ctx, g),),
        template=template or (f"np.{function.__name__}({{0}})" if isinstance(function, np.ufunc) else None),
        out=True,
        grad_ignores=ignores,
        onnx=onnx,
        onnx_complex=onnx_complex,
    )


def _mul(x, y):
    return lookup("multiply")(x, y)


def _div(x, y):
    return lookup("divide")(x, y)


def _add(x, y):
    return lookup("add")(x, y)


def _neg(x):
    return lookup("neg")(x)


exp = _floating(
    "exp",
    np.exp,
    lambda ctx, g: _mul(g, ctx.outputs[0]),
    loud=False,
    ignores=(0,),
    onnx=lambda g, x: g.Exp(x),
    onnx_complex=complexes.exp,
)
expm1 = _floating(
    "expm1", np.expm1, lambda ctx, g: _mul(g, _add(ctx.outputs[0], 1.0)), loud=False, ignores=(0,), onnx=elementary.expm1
)
log = _floating("log", np.log, lambda ctx, g: _div(g, ctx.inputs[0]), loud=False, onnx=lambda g, x: g.Log(x))
log2 = _floating(
    "log2", np.log2, lambda ctx, g: _div(g, _mul(ctx.inputs[0], float(np.log(2.0)))), loud=False, onnx=elementary.logarithm(2)
)
log10 = _floating(
    "log10", np.log10, lambda ctx, g: _div(g, _mul(ctx.inputs[0], float(np.log(10.0)))), loud=False, onnx=elementary.logarithm(10)
)
log1p = _floating("log1p", np.log1p, lambda ctx, g: _div(g, _add(ctx.inputs[0], 1.0)), loud=False, onnx=elementary.log1p)
sqrt = _floating(
    "sqrt", np.sqrt, lambda ctx, g: _div(g, _mul(ctx.outputs[0], 2.0)), loud=False, ignores=(0,), onnx=lambda g, x: g.Sqrt(x)
)


def _rsqrt(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    return np.divide(1, np.sqrt(x), out=out)


def _cube(x):
    return _mul(x, _mul(x, x))


rsqrt = _floating(
    "rsqrt",
    _rsqrt,
    lambda ctx, g: _mul(_mul(g, -0.5), _cube(ctx.outputs[0])),
    onnx=lambda g, x: g.Reciprocal(g.Sqrt(x)),
    template="1 / np.sqrt({0})",
    loud=False,
    ignores=(0,),
)
reciprocal = _floating(
    "reciprocal",
    np.reciprocal,
    lambda ctx, g: _neg(_mul(g, _mul(ctx.outputs[0], ctx.outputs[0]))),
    onnx=lambda g, x: g.Reciprocal(x),
    onnx_complex=complexes.reciprocal,
    loud=False,
    ignores=(0,),
)

sin = _floating("sin", np.sin, lambda ctx, g: _mul(g, cos(ctx.inputs[0])), onnx=lambda g, x: g.Sin(x))
cos = _floating("cos", np.cos, lambda ctx, g: _neg(_mul(g, sin(ctx.inputs[0]))), onnx=lambda g, x: g.Cos(x))
tan = _floating(
    "tan", np.tan, lambda ctx, g: _mul(g, _add(_mul(ctx.outputs[0], ctx.outputs[0]), 1.0)), ignores=(0,), onnx=elementary.tan
)
asin = _floating(
    "asin", np.arcsin, lambda ctx, g: _mul(g, rsqrt(_one_minus_square(ctx.inputs[0]))), loud=False, onnx=elementary.asin
)
acos = _floating(
    "acos", np.arccos, lambda ctx, g: _neg(_mul(g, rsqrt(_one_minus_square(ctx.inputs[0])))), loud=False, onnx=elementary.acos
)
atan = _floating("atan", np.arctan, lambda ctx, g: _div(g, _add(_mul(ctx.inputs[0], ctx.inputs[0]), 1.0)), onnx=elementary.atan)
sinh = _floating("sinh", np.sinh, lambda ctx, g: _mul(g, cosh(ctx.inputs[0])), loud=False, onnx=elementary.sinh)
cosh = _floating("cosh", np.cosh, lambda ctx, g: _mul(g, sinh(ctx.inputs[0])), loud=False, onnx=elementary.cosh)
tanh = _floating(
    "tanh", np.tanh, lambda ctx, g: _mul(g, _one_minus_square(ctx.outputs[0])), ignores=(0,), onnx=lambda g, x: g.Tanh(x)
)
asinh = _floating(
    "asinh", np.arcsinh, lambda ctx, g: _mul(g, rsqrt(_add(_mul(ctx.inputs[0], ctx.inputs[0]), 1.0))), onnx=elementary.asinh
)
acosh = _floating(
    "acosh", np.arccosh, lambda ctx, g: _mul(g, rsqrt(_neg(_one_minus_square(ctx.inputs[0])))), loud=False, onnx=elementary.acosh
)
atanh = _floating(
    "atanh", np.arctanh, lambda ctx, g: _div(g, _one_minus_square(ctx.inputs[0])), loud=False, onnx=elementary.atanh
)


def _one_minus_square(x):
    return _add(_neg(_mul(x, x)), 1.0)


def _sigmoid(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    result = np.exp(np.negative(x, out=out), out=out)
    result = np.add(result, 1, out=out)
    return np.reciprocal(result, out=out)


sigmoid = _floating(
    "sigmoid",
    _sigmoid,
    lambda ctx, g: _mul(g, _mul(ctx.outputs[0], _add(_neg(ctx.outputs[0]), 1.0))),
    onnx=elementary.sigmoid,
    template="np.reciprocal({=1} + np.exp(-{0}))",
    loud=False,
    ignores=(0,),
)


def _step(name: str, function, infer, onnx, refuses=()) -> OpDef:
    """An operator that is constant between jumps: its gradient is zero."""
    return define(
        name,
        kernel=function,
        infer=infer,
        grad=lambda ctx, g: (_mul(g, 0.0),),
        template=f"np.{function.__name__}({{0}})",
        out=True,
        grad_ignores=(0,),
        refuses=refuses,
        onnx=onnx,
    )


floor = _step("floor", np.floor, infer_real("floor"), lambda g, x: g.Floor(x))
ceil = _step("ceil", np.ceil, infer_real("ceil"), lambda g, x: g.Ceil(x))
trunc = _step("trunc", np.trunc, infer_real("trunc"), elementary.trunc)
round_ = _step("round", np.rint, infer_floating("round"), lambda g, x: g.Round(x))
sign = _step("sign", np.sign, same_as_input, elementary.sign, refuses=(BOOL,))
absolute = define(
    "abs",
    kernel=np.absolute,
    infer=lambda x: real_part(need_tensor("abs", x)),
    grad=lambda ctx, g: (_mul(g, sign(ctx.inputs[0])),),
    template="np.absolute({0})",
    out=True,
    onnx=lambda g, x: g.Abs(x),
    onnx_complex=complexes.absolute,
)
square = define(
    "square",
    kernel=lambda x, out=None: np.square(x, out=out),
    infer=same_as_input,
    grad=lambda ctx, g: (_mul(_mul(g, 2.0), ctx.inputs[0]),),
    template="np.square({0})",
    out=True,
    refuses=(BOOL,),
    onnx=lambda g, x: g.Mul(x, x),
    onnx_complex=complexes.square,
)


def _scale(x: np.ndarray, scale=1.0, bias=0.0, bias_after_scale: bool = True, out: np.ndarray | None = None) -> np.ndarray:
    kind = x.dtype.type
    if bias_after_scale:
        return np.add(np.multiply(x, kind(scale), out=out), kind(bias), out=out)
    return np.multiply(np.add(x, kind(bias), out=out), kind(scale), out=out)


def _onnx_scale(g, x, scale=1.0, bias=0.0, bias_after_scale=True):
    return g.Add(g.Mul(x, scale), bias) if bias_after_scale else g.Mul(g.Add(x, bias), scale)


# scale * x + bias, or scale * (x + bias).
scale = define(
    "scale",
    kernel=_scale,
    infer=lambda x, scale=1.0, bias=0.0, bias_after_scale=True: same_as_input(x),
    grad=lambda ctx, g: (_mul(g, ctx.attrs.get("scale", 1.0)),),
    out=True,
    grad_ignores=(0,),
    onnx=_onnx_scale,
    onnx_complex=complexes.scale,
)

exp_ = define_in_place(exp)
sqrt_ = define_in_place(sqrt)
rsqrt_ = define_in_place(rsqrt)
reciprocal_ = define_in_place(reciprocal)
tanh_ = define_in_place(tanh)
sigmoid_ = define_in_place(sigmoid)
floor_ = define_in_place(floor)
ceil_ = define_in_place(ceil)
round__ = define_in_place(round_)
abs_ = define_in_place(absolute)
scale_ = define_in_place(scale)
