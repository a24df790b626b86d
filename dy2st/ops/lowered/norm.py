"""Normalisation in ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def normalize(g: Any, x: Any, axis: Sequence[int], epsilon: float) -> tuple:
    """The normalised tensor, mean and variance: LayerNormalization over the last axes, where their lengths are known."""
    rank = g.rank_of(x)
    axes = sorted(a % rank for a in axis)
    count = g.product(g.dim(x, a) for a in axes)
    mean = _mean(g, x, axes, count)
    centred = g.Sub(x, mean)
    variance = _mean(g, g.Mul(centred, centred), axes, g.most(count, 1))
    shape = [x.shape[a] for a in axes]
    if x.dtype == "float32" and axes == [*range(rank - len(axes), rank)] and all(isinstance(d, int) and d for d in shape):
        y = g.LayerNormalization(x, np.ones(shape, "float32"), axis=axes[0], epsilon=epsilon)
    else:
        y = g.Mul(centred, g.Reciprocal(g.Sqrt(g.Add(variance, g.const(epsilon, x.dtype)))))
    return y, mean, variance


def _mean(g: Any, x: Any, axes: Sequence[int], count: Any) -> Any:
    """The sum over axes divided by a count: nan of nothing, where ReduceMean gives 0."""
    if isinstance(count, int) and count > 0:
        return g.reduce("ReduceMean", x, axes, True)
    return g.Div(g.reduce("ReduceSum", x, axes, True), g.cast(g.scalar(count), x.dtype))


def batch_norm(g: Any, x: Any, mean: Any, variance: Any, weight: Any, bias: Any, axis: int, epsilon: float) -> Any:
    """BatchNormalization of float32 along the second axis; its epsilon is too coarse for float64."""
    rank = g.rank_of(x)
    if axis % rank == 1 and all(v.dtype == "float32" for v in (x, mean, variance, weight, bias) if not g.is_none(v)):
        ones, zeros = (g.filled("float32", value, g.dims(variance)) for value in (1, 0))
        scale, shift = (other if g.is_none(v) else v for v, other in ((weight, ones), (bias, zeros)))
        return g.BatchNormalization(x, scale, shift, mean, variance, epsilon=epsilon)
    scale = g.Reciprocal(g.Sqrt(g.Add(variance, g.const(epsilon, variance.dtype))))
    if not g.is_none(weight):
        scale = g.Mul(scale, weight)
    shift = g.Neg(g.Mul(mean, scale))
    if not g.is_none(bias):
        shift = g.Add(bias, shift)
    shape = [-1 if a == axis % rank else 1 for a in range(rank)]
    scale, shift = (g.Reshape(g.cast(v, x.dtype), shape) for v in (scale, shift))
    return g.Add(g.Mul(x, scale), shift)
