"""Normalisation as functions, under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

from ...api.checks import real_floating, to_dtype
from ...api.known import of_length
from ...api.shape_args import int_list
from ...errors import ShapeError
from ...ops import norm as norm_ops
from ...ops.cast import assign_
from ...ops.elementwise import add, divide, maximum, multiply
from ...ops.half import in_float32, wide
from ...ops.views import reshape
from ...runtime.tensors.grad_mode import no_grad
from ...runtime.tensors.tensor import Tensor
from .lengths import check_channels

__all__ = ["batch_norm", "layer_norm", "normalize"]


def _scaled(x: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    """x times weight plus bias, in the dtype of x."""
    if weight is not None:
        x = multiply(x, to_dtype(weight, x.dtype.name))
    return x if bias is None else add(x, to_dtype(bias, x.dtype.name))


@in_float32
def layer_norm(
    x: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-05,
    name: str | None = None,
) -> Tensor:
    """x normalised over its last axes (`normalized_shape`), scaled by weight and shifted by bias (Ba et al., 2016).

    normalized_shape: an int, or the lengths of these axes; ShapeError where x has others. weight, bias: tensors of that shape, or
    flat, or None. epsilon: added to the variance. The result has the shape and dtype of x; integers become the default dtype.

    >>> dy2st.nn.functional.layer_norm(dy2st.to_tensor([[1.0, 1.0]]), 2).tolist()
    [[0.0, 0.0]]
    """
    x = real_floating("layer_norm", x)
    tail = int_list("layer_norm", normalized_shape, "normalized_shape")
    if x.type.rank is not None and x.type.rank < len(tail):
        raise ShapeError(f"layer_norm: the last axes of {x.type} aren't the normalized_shape {tail}")
    for axis, length in zip(range(-len(tail), 0), tail):
        x = of_length("layer_norm", x, axis, length, "the last axes aren't the normalized_shape")
    normal = norm_ops.normalize(x, axis=list(range(-len(tail), 0)), epsilon=float(epsilon))[0]
    # Paddle's LayerNorm keeps weight and bias flat.
    shaped = [p if p is None or p.type.rank == len(tail) else reshape(p, shape=tail) for p in (weight, bias)]
    return _scaled(normal, *shaped)


def batch_norm(
    x: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """x [N, C, ...] normalised per channel, then scaled by weight [C] and shifted by bias [C] (Ioffe and Szegedy, 2015).

    In `training` with the statistics of the batch, which also move the running ones, running_mean [C] and running_var [C], in
    place: running = momentum * running + (1 - momentum) * batch (the variance is the biased one, as in Paddle). Otherwise with
    the running statistics; `use_global_stats` decides where it is not None. epsilon: added to the variance. data_format: begins
    with "NC", or else the channels are last. The result has the shape and dtype of x; integers become the default dtype.
    ShapeError: x has fewer than 2 axes.
    """
    x = real_floating("batch_norm", x)
    rank = x.type.rank
    if rank is None or rank < 2:
        raise ShapeError(f"batch_norm takes a tensor [N, C, ...], not {x.type}")
    axis = 1 if data_format.startswith("NC") else rank - 1
    x = check_channels("batch_norm", x, axis, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    use_running = not training if use_global_stats is None else use_global_stats
    if use_running:
        return norm_ops.batch_norm(x, running_mean, running_var, weight, bias, axis=axis, epsilon=float(epsilon))
    others, dtype = [a for a in range(rank) if a != axis], x.dtype.name
    x, weight, bias = map(wide, (x, weight, bias))
    normal, mean, variance = norm_ops.normalize(x, axis=others, epsilon=float(epsilon))
    with no_grad():
        _move(running_mean, mean, momentum)
        _move(running_var, variance, momentum)
    shape = [1 if a != axis else -1 for a in range(rank)]
    return to_dtype(_scaled(normal, *(None if p is None else reshape(p, shape=shape) for p in (weight, bias))), dtype)


def _move(running: Tensor, batch: Tensor, momentum: float) -> None:
    """running = momentum * running + (1 - momentum) * batch, in place."""
    flat = reshape(batch.detach(), shape=[-1])  # type: ignore[attr-defined]
    before = to_dtype(running, flat.dtype.name)
    assign_(running, to_dtype(add(multiply(before, momentum), multiply(flat, 1 - momentum)), running.dtype.name))


def normalize(x: Tensor, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: str | None = None) -> Tensor:
    """x divided by its p-norm along `axis`, or by `epsilon` where that is larger, in the shape and dtype of x.

    p: a number, inf included. Integers become the default dtype. ShapeError: an axis out of range.

    >>> dy2st.nn.functional.normalize(dy2st.to_tensor([[0.0, 4.0]])).tolist()
    [[0.0, 1.0]]
    """
    x = real_floating("normalize", x)
    size = x.norm(p=float(p) if p != math.inf else p, axis=axis, keepdim=True)  # type: ignore[attr-defined]
    return divide(x, maximum(size, epsilon))
