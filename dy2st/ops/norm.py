"""Normalisation: `normalize`, of which layer and batch normalisation are composed, and batch_norm with given statistics."""

from __future__ import annotations

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType
from .dims import agree, axes_of, axis_of, float_tensor
from .elementwise import add, multiply, subtract
from .lowered import norm as lowered
from .registry import define
from .rules import need_tensor
from .unary import rsqrt

# --- normalize: (x - mean) / sqrt(variance + epsilon), with the (biased) statistics over `axis` ------------------------


def _infer_normalize(x, axis, epsilon):
    """The normalised tensor, and mean and variance with the axes `axis` kept at length 1."""
    shape = float_tensor(x, "normalize").shape
    if shape is None:
        return x, x, x
    axes = axes_of(axis, len(shape), "normalize")
    statistic = TensorType(x.dtype, tuple(1 if at in axes else d for at, d in enumerate(shape)))
    return x, statistic, statistic


def _kernel_normalize(x, axis, epsilon):
    axes = tuple(axis)
    mean = x.mean(axis=axes, keepdims=True, dtype=x.dtype)
    centred = x - mean
    count = x.size // max(mean.size, 1)
    variance = np.multiply(centred, centred).sum(axis=axes, keepdims=True, dtype=x.dtype) / x.dtype.type(max(count, 1))
    centred *= 1 / np.sqrt(variance + x.dtype.type(epsilon))
    return centred, mean, variance


def _grad_normalize(ctx, g, g_mean=None, g_variance=None):
    """(g - mean(g) - y * mean(g * y)) / sqrt(variance + epsilon), with y the result; and what the statistics add."""
    from .reduce import reduce_mean

    x, (y, mean, variance), axis = ctx.inputs[0], ctx.outputs, tuple(ctx.attrs["axis"])
    total = None
    if g is not None:
        average = reduce_mean(g, axis=axis, keepdim=True)
        along = multiply(y, reduce_mean(multiply(g, y), axis=axis, keepdim=True))
        total = multiply(subtract(subtract(g, average), along), rsqrt(add(variance, ctx.attrs["epsilon"])))
    if g_mean is not None:
        total = _plus(total, _share(g_mean, x, axis))
    if g_variance is not None:
        total = _plus(total, multiply(multiply(subtract(x, mean), _share(g_variance, x, axis)), 2.0))
    return (total,)


def _share(g, x, axis):
    """The gradient of a mean over `axis`, for each element."""
    from .like import spread

    return spread(g, x, axis=axis, keepdim=True, mean=True)


def _plus(a, b):
    return b if a is None else add(a, b)


normalize = define(
    "normalize",
    kernel=_kernel_normalize,
    infer=_infer_normalize,
    grad=_grad_normalize,
    grad_of_some=True,
    onnx=lowered.normalize,
)

# --- batch_norm with given statistics ----------------------------------------------------------------------------------


def _infer_batch_norm(x, mean, variance, weight, bias, axis, epsilon):
    """mean, variance, weight and bias have one number for each channel (an index along `axis`); weight and bias may be None."""
    shape = float_tensor(x, "batch_norm").shape
    if shape is None:
        return x
    channels = shape[axis_of(axis, len(shape), "batch_norm")]
    for name, type_ in (("mean", mean), ("variance", variance), ("weight", weight), ("bias", bias)):
        if isinstance(type_, TensorType) and type_.shape is not None:
            if len(type_.shape) != 1 or not agree(type_.shape[0], channels):
                raise ShapeError(f"batch_norm: the {name} is {type_}, but {x} has {channels} channels along axis {axis}")
    return need_tensor("batch_norm", x)


def _kernel_batch_norm(x, mean, variance, weight, bias, axis, epsilon, out=None):
    channels = (x.shape[axis],)
    if any(each is not None and each.shape != channels for each in (mean, variance, weight, bias)):
        raise ShapeError(f"batch_norm: statistics, weight and bias have the shape {list(channels)}, as x has so many channels")
    scale = 1 / np.sqrt(variance + variance.dtype.type(epsilon))
    if weight is not None:
        scale = scale * weight
    shift = -mean * scale if bias is None else bias - mean * scale
    shape = [1] * x.ndim
    shape[axis] = -1
    result = np.multiply(x, scale.astype(x.dtype).reshape(shape), out=out)
    result += shift.astype(x.dtype).reshape(shape)
    return result


def _grad_batch_norm(ctx, g):
    from .reduce import reduce_sum
    from .views import reshape

    x, mean, variance, weight, bias = ctx.inputs
    rank = len(x.shape)
    axis = ctx.attrs["axis"] % rank
    others = tuple(a for a in range(rank) if a != axis)

    def wide(statistic):
        return reshape(statistic, shape=[-1 if a == axis else 1 for a in range(rank)])

    inverse = rsqrt(add(variance, ctx.attrs["epsilon"]))
    scale = inverse if weight is None else multiply(inverse, weight)
    g_sum = reduce_sum(g, axis=others, keepdim=False)
    dot = reduce_sum(multiply(g, subtract(x, wide(mean))), axis=others, keepdim=False)
    g_x = multiply(g, wide(scale))
    g_mean = multiply(multiply(g_sum, scale), -1.0)
    g_variance = multiply(multiply(dot, multiply(scale, multiply(inverse, inverse))), -0.5)
    g_weight = None if weight is None else multiply(dot, inverse)
    return g_x, g_mean, g_variance, g_weight, None if bias is None else g_sum


batch_norm = define(
    "batch_norm",
    kernel=_kernel_batch_norm,
    infer=_infer_batch_norm,
    grad=_grad_batch_norm,
    out=True,
    onnx=lowered.batch_norm,
)
