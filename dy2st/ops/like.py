"""Operators that gradient rules are made of: shapes taken from another tensor, known or not."""

from __future__ import annotations

import numpy as np

from ..ir.types import TensorType
from .lowered import broadcasting
from .registry import define
from .rules import as_shape, dims_of, need_tensor, reduced_shape


def sum_array_to(g: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """`g` summed over the axes along which broadcasting `shape` to `g.shape` repeats; always new memory."""
    extra = g.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(i + extra for i, d in enumerate(shape) if d == 1 and g.shape[i + extra] != 1)
    return np.add.reduce(g, axis=axes, dtype=g.dtype).reshape(shape) if axes else g.reshape(shape).copy()


sum_to = define(
    "sum_to",
    kernel=lambda g, shape: sum_array_to(g, as_shape(shape)),
    in_words=True,
    infer=lambda g, shape: TensorType(need_tensor("sum_to", g).dtype, dims_of(shape)),
    grad=lambda ctx, h: (broadcast_like(h, ctx.inputs[0]),),
    onnx=lambda g, x, shape: broadcasting.summed_to(g, x, g.ints(shape)),
)

sum_like = define(
    "sum_like",
    kernel=lambda g, x: sum_array_to(g, x.shape),
    in_words=True,
    infer=lambda g, x: TensorType(need_tensor("sum_like", g).dtype, need_tensor("sum_like", x).shape),
    grad=lambda ctx, h: (broadcast_like(h, ctx.inputs[0]), None),
    shape_only=(1,),
    like=(1,),
    onnx=lambda g, x, like: broadcasting.summed_to(g, x, g.shape_of(like)),
)

broadcast_like = define(
    "broadcast_like",
    kernel=lambda g, x: np.broadcast_to(g, x.shape).copy(),
    infer=lambda g, x: TensorType(need_tensor("broadcast_like", g).dtype, need_tensor("broadcast_like", x).shape),
    grad=lambda ctx, h: (sum_like(h, ctx.inputs[0]), None),
    shape_only=(1,),
    like=(1,),
    onnx=lambda g, x, like: g.Expand(x, g.shape_of(like)),
)


def _spread(g: np.ndarray, x: np.ndarray, axis, keepdim: bool, mean: bool = False) -> np.ndarray:
    if not keepdim:
        g = np.expand_dims(g, tuple(range(x.ndim)) if axis is None else axis)
    if mean:
        g = g / g.dtype.type(x.size // max(g.size, 1))
    return np.broadcast_to(g, x.shape).copy()


def _spread_grad(ctx, h):
    from .reduce import reduce_mean, reduce_sum

    reduce = reduce_mean if ctx.attrs.get("mean") else reduce_sum
    return reduce(h, axis=ctx.attrs["axis"], keepdim=ctx.attrs["keepdim"]), None


def _infer_spread(g, x, axis, keepdim, mean=False) -> TensorType:
    reduced_shape("spread", need_tensor("spread", x).shape, axis, keepdim)
    return TensorType(need_tensor("spread", g).dtype, x.shape)


# The values `g` of a reduction of `x`, repeated over the axes that were reduced; with `mean`, divided by their number.
spread = define(
    "spread", kernel=_spread, infer=_infer_spread, grad=_spread_grad, shape_only=(1,), like=(1,), onnx=broadcasting.spread
)
