"""Values with a gradient that is said beside them, where what computes them has none, or another one.

    y = with_slope(value, x, slope)      # value; by x its gradient is slope, besides what goes through the value itself
"""

from __future__ import annotations

import numpy as np

from ..errors import ShapeError
from .elementwise import _mirrored, multiply
from .registry import define
from .rules import need_tensor, unbroadcast


def _kernel(value: np.ndarray, x: np.ndarray, slope: np.ndarray) -> np.ndarray:
    if np.broadcast_shapes(value.shape, x.shape, slope.shape) != value.shape:
        raise ShapeError(f"with_slope: shapes {list(x.shape)} and {list(slope.shape)} don't broadcast to {list(value.shape)}")
    return np.array(value, order="C")


def _grad(ctx, g):
    return g, unbroadcast(multiply(g, _mirrored(ctx.inputs[2])), ctx.inputs[1]), None


with_slope = define(
    "with_slope",
    kernel=_kernel,
    infer=lambda value, x, slope: need_tensor("with_slope", value),
    grad=_grad,
    grad_ignores=(0, 1),
    shape_only=(1,),
    onnx=lambda g, value, x, slope: g.with_slope(value, x, slope),
    onnx_complex=lambda g, value, x, slope: value,
)
