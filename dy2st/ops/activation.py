"""Activations that are operators of their own: one kernel, one line in a Program. sigmoid and tanh are in `ops/unary.py`."""

from __future__ import annotations

import math

import numpy as np

from .blocks import in_blocks
from .cast import cast
from .compare import greater_equal, greater_than, less_equal, less_than, logical_or
from .element_kinds import BOOL, COMPLEX
from .elementwise import add, multiply, negative
from .erf import NARROW_END, erf, erf_array, narrow_erf
from .inplace import define_in_place
from .lowered import elementary
from .lowered.formula import formula
from .registry import define
from .rules import infer_floating, infer_real, quiet, same_as_input
from .select import where
from .unary import exp, sigmoid

# relu: max(x, 0)


def _grad_relu(ctx, g):
    # The output serves as well as the input, and the input may have been overwritten by relu_.
    return (where(less_equal(ctx.outputs[0], 0), 0.0, g),)  # of nan the gradient passes, as in torch


relu = define(
    "relu",
    kernel=lambda x, out=None: np.maximum(x, 0, out=out),
    infer=same_as_input,
    grad=_grad_relu,
    template="np.maximum({0}, {=0})",
    out=True,
    refuses=(BOOL, COMPLEX),
    onnx=lambda g, x: g.Relu(x) if elementary.is_floating(x) else g.Max(x, 0),
)

# relu6: min(max(x, 0), 6)


def _grad_relu6(ctx, g):
    out = ctx.outputs[0]
    return (where(logical_or(less_equal(out, 0), greater_equal(out, 6)), 0.0, g),)


relu6 = define(
    "relu6",
    kernel=lambda x, out=None: np.clip(x, 0, 6, out=out),
    infer=infer_floating("relu6"),
    grad=_grad_relu6,
    out=True,
    onnx=lambda g, x: g.Clip(x, 0, 6),
)

# leaky_relu: x where x > 0, else negative_slope * x


def _kernel_leaky_relu(x, negative_slope):
    return np.where(x > 0, x, x * x.dtype.type(negative_slope))


def _onnx_leaky_relu(g, x, negative_slope):
    slope = g.fixed(negative_slope, "negative_slope")
    return g.LeakyRelu(x, alpha=slope) if x.dtype == "float32" else formula(_kernel_leaky_relu)(g, x, negative_slope=slope)


leaky_relu = define(
    "leaky_relu",
    kernel=_kernel_leaky_relu,
    infer=infer_floating("leaky_relu"),
    grad=lambda ctx, g: (where(greater_than(ctx.inputs[0], 0.0), g, multiply(g, ctx.attrs["negative_slope"])),),
    refuses=(COMPLEX,),
    onnx=_onnx_leaky_relu,
)

# elu: x where x > 0, else alpha * (exp(x) - 1)


def _kernel_elu(x, alpha):
    return np.where(x > 0, x, x.dtype.type(alpha) * np.expm1(np.minimum(x, 0)))


def _grad_elu(ctx, g):
    x, alpha = ctx.inputs[0], ctx.attrs["alpha"]
    is_bent = less_equal(x, 0.0)  # of nan the gradient passes; at 0 the slope is that of the left, and constant
    slope = multiply(exp(where(less_than(x, 0.0), x, 0.0)), alpha)
    return (multiply(g, where(is_bent, slope, 1.0)),)


def _onnx_elu(g, x, alpha):
    alpha = g.fixed(alpha, "alpha")
    return g.Elu(x, alpha=alpha) if x.dtype == "float32" else formula(_kernel_elu)(g, x, alpha=alpha)


elu = define("elu", kernel=_kernel_elu, infer=infer_floating("elu"), grad=_grad_elu, refuses=(COMPLEX,), onnx=_onnx_elu)

# silu (swish): x * sigmoid(x)


def _grad_silu(ctx, g):
    x = ctx.inputs[0]
    s = sigmoid(x)
    return (multiply(g, multiply(s, add(multiply(x, add(negative(s), 1.0)), 1.0))),)


silu = define(
    "silu", kernel=quiet(lambda x: x / (1 + np.exp(-x))), infer=infer_floating("silu"), grad=_grad_silu, onnx=elementary.silu
)

# gelu: x * Phi(x), with Phi the normal distribution; `approximate` uses tanh


def _kernel_gelu(x, approximate=False, out=None):
    if approximate:
        return in_blocks(_gelu_by_tanh, x, x.dtype.type, out)
    if x.dtype.itemsize < 8:
        return in_blocks(_narrow_gelu, x, out=out)
    return np.multiply(0.5 * x, 1 + erf_array(x * math.sqrt(0.5)), out=out)


def _gelu_by_tanh(x):
    kind = x.dtype.type
    return kind(0.5) * x * (1 + np.tanh(kind(math.sqrt(2 / math.pi)) * (x + kind(0.044715) * x * x * x)))


def _narrow_gelu(x):
    phi = narrow_erf(x * math.sqrt(0.5))
    phi += 1.0
    far = x < -NARROW_END * math.sqrt(2.0)  # where the rest of 3e-8 would count beside a large x
    if far.any():
        phi[far] = _far_below(x[far])
    phi *= x
    phi *= 0.5
    return phi


def _far_below(x):
    """1 + erf(x / sqrt(2)) by three terms of its asymptotic series. The relative error is 0.05% at -5.5, and less below."""
    square = x * x
    return math.sqrt(2.0 / math.pi) * np.exp(-0.5 * square) * (1.0 - (1.0 - 3.0 / square) / square) / -x


def _grad_gelu(ctx, g):
    from .unary import tanh

    x, c = ctx.inputs[0], math.sqrt(2 / math.pi)
    if ctx.attrs.get("approximate", False):
        square = multiply(x, x)
        t = tanh(multiply(multiply(x, add(multiply(square, 0.044715), 1.0)), c))
        inner = multiply(add(multiply(square, 3 * 0.044715), 1.0), c)
        bend = multiply(multiply(x, inner), add(negative(multiply(t, t)), 1.0))
        return (multiply(g, multiply(add(add(t, 1.0), bend), 0.5)),)
    phi = multiply(add(erf(multiply(x, math.sqrt(0.5))), 1.0), 0.5)
    density = multiply(exp(multiply(multiply(x, x), -0.5)), 1 / math.sqrt(2 * math.pi))
    return (multiply(g, add(phi, multiply(x, density))),)


def _onnx_gelu(g, x, approximate=False):
    """From opset 20 on ONNX has it; before, onnxruntime knows it by the formula of erf."""
    if g.opset >= 20 and x.dtype != "float64":
        return g.Gelu(x, approximate="tanh" if approximate else "none")
    if approximate:
        return formula(_gelu_by_tanh)(g, x)
    if x.dtype == "float16":
        return g.cast(_onnx_gelu(g, g.cast(x, "float32")), "float16")
    phi = g.Add(erf.onnx(g, g.Div(x, math.sqrt(2))), 1)
    return g.Mul(g.Mul(x, 0.5), phi)


gelu = define("gelu", kernel=quiet(_kernel_gelu), infer=infer_real("gelu"), grad=_grad_gelu, out=True, onnx=_onnx_gelu)

# hardsigmoid: clip(slope * x + offset, 0, 1); hardswish: x * clip(x / 6 + 1 / 2, 0, 1)


def _kernel_hardsigmoid(x, slope, offset):
    return np.clip(x * x.dtype.type(slope) + x.dtype.type(offset), 0, 1)


def _grad_hardsigmoid(ctx, g):
    out = ctx.outputs[0]
    inside = multiply(
        cast(greater_than(out, 0.0), dtype=g.dtype.name), cast(greater_than(negative(out), -1.0), dtype=g.dtype.name)
    )
    return (multiply(multiply(g, inside), ctx.attrs["slope"]),)


hardsigmoid = define(
    "hardsigmoid",
    kernel=_kernel_hardsigmoid,
    infer=infer_floating("hardsigmoid"),
    grad=_grad_hardsigmoid,
    onnx=formula(_kernel_hardsigmoid),
)


def _kernel_hardswish(x):
    return x * np.clip(x + 3, 0, 6) / 6


def _grad_hardswish(ctx, g):
    x = ctx.inputs[0]
    middle = where(less_than(x, 3.0), add(multiply(x, 1 / 3), 0.5), 1.0)  # at 3, and for nan, 1
    return (multiply(g, where(less_equal(x, -3.0), 0.0, middle)),)


hardswish = define(
    "hardswish",
    kernel=_kernel_hardswish,
    infer=infer_floating("hardswish"),
    grad=_grad_hardswish,
    onnx=formula(_kernel_hardswish),
)

# softplus: log(1 + exp(beta * x)) / beta; x itself where beta * x > threshold


def _kernel_softplus(x, beta, threshold):
    scaled = x * x.dtype.type(beta)
    soft = (np.maximum(scaled, 0) + np.log1p(np.exp(-np.abs(scaled)))) / x.dtype.type(beta)
    return np.where(scaled > threshold, x, soft)


def _grad_softplus(ctx, g):
    scaled = multiply(ctx.inputs[0], ctx.attrs["beta"])
    return (multiply(g, where(greater_than(scaled, ctx.attrs["threshold"]), 1.0, sigmoid(scaled))),)


def _onnx_softplus(g, x, beta, threshold):
    if x.dtype == "float64":
        return formula(_kernel_softplus)(g, x, beta=beta, threshold=threshold)
    scaled = g.Mul(x, beta)
    return g.Where(g.Greater(scaled, threshold), x, g.Div(g.Softplus(scaled), beta))


softplus = define(
    "softplus",
    kernel=_kernel_softplus,
    infer=infer_floating("softplus"),
    grad=_grad_softplus,
    onnx=_onnx_softplus,
)

relu_ = define_in_place(relu)
