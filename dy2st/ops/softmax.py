"""softmax and log_softmax along one axis, shifted by the maximum so that no exponential overflows."""

from __future__ import annotations

import numpy as np

from .dims import axis_of, float_tensor
from .elementwise import multiply, subtract
from .registry import define
from .unary import exp


def _infer(op: str):
    def infer(x, axis):
        shape = float_tensor(x, op).shape
        if shape:
            axis_of(axis, len(shape), op)
        return x

    return infer


def _kernel_softmax(x, axis, out=None):
    if x.ndim == 0 or not x.size:
        return np.ones_like(x)
    result = np.subtract(x, x.max(axis=axis, keepdims=True), out=out)
    np.exp(result, out=result)
    result /= result.sum(axis=axis, keepdims=True)
    return result


def _total(x, axis):
    from .reduce import reduce_sum

    return reduce_sum(x, axis=axis if x.shape else None, keepdim=True)


def _grad_softmax(ctx, g):
    out, axis = ctx.outputs[0], ctx.attrs["axis"]
    weighted = multiply(g, out)
    return (subtract(weighted, multiply(out, _total(weighted, axis))),)


def _onnx(operator: str, of_one: int):
    """ONNX's operator; without an axis, what it is of one number."""

    def lowering(g, x, axis):
        if x.rank == 0:
            return g.const(of_one, x.dtype)
        return g.node(operator, x, axis=g.fixed(axis, "the axis"))

    return lowering


softmax = define(
    "softmax", kernel=_kernel_softmax, out=True, infer=_infer("softmax"), grad=_grad_softmax, onnx=_onnx("Softmax", 1)
)


def _kernel_log_softmax(x, axis, out=None):
    if x.ndim == 0 or not x.size:
        return np.zeros_like(x)
    shifted = np.subtract(x, x.max(axis=axis, keepdims=True), out=out)
    shifted -= np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    return shifted


def _grad_log_softmax(ctx, g):
    return (subtract(g, multiply(exp(ctx.outputs[0]), _total(g, ctx.attrs["axis"]))),)


log_softmax = define(
    "log_softmax",
    kernel=_kernel_log_softmax,
    out=True,
    infer=_infer("log_softmax"),
    grad=_grad_log_softmax,
    onnx=_onnx("LogSoftmax", 0),
)
