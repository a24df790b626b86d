"""Activations that weigh one part of a tensor by another, by learned slopes or by chance. Integers become floats."""

from __future__ import annotations

from typing import Any

from ...api.checks import check_axis, floating, known_rank, need_tensor
from ...api.compare import where
from ...api.gathering import take_along_axis
from ...api.joining import split
from ...api.known import need_known, of_length, of_multiple
from ...api.manipulation import reshape, squeeze
from ...api.math import log, sigmoid
from ...api.random import uniform
from ...api.reduce import argmax
from ...errors import ShapeError
from ...ops.creation import one_hot
from ...ops.views import transpose
from ...runtime.tensors.tensor import Tensor
from .activation import silu, softmax

__all__ = ["glu", "gumbel_softmax", "maxout", "prelu", "rrelu", "swiglu"]


def glu(x: Tensor, axis: int = -1, name: str | None = None) -> Tensor:
    """The first half of x along `axis`, times sigmoid of the second (Dauphin et al., 2017).

    x: a tensor of any shape, integers become the default dtype; the result has its dtype and half its length there. ShapeError:
    an axis out of range, or of odd length.
    """
    x = floating("glu", x)
    check_axis("glu", x, axis)
    value, gate = split(x, 2, axis)
    return value * sigmoid(gate)


def swiglu(x: Tensor, y: Tensor | None = None, name: str | None = None) -> Tensor:
    """silu(x) * y, whose shapes broadcast; without y, of the two halves of x along its last axis (Shazeer, 2020).

    Dtypes are promoted, integers become the default dtype, and the result has that.
    """
    x = floating("swiglu", x)
    if y is None:
        x, y = split(x, 2, -1)
    return silu(x) * y


def maxout(x: Tensor, groups: int, axis: int = 1, name: str | None = None) -> Tensor:
    """The largest of each `groups` neighbouring channels of x [N, C, H, W] (axis 1) or [N, H, W, C] (axis 3 or -1).

    The result has C / groups channels, in the dtype of x; integers become the default dtype. See Goodfellow et al., 2013.
    ValueError: another axis, or channels that don't divide. ShapeError: x hasn't 4 axes.
    """
    x = floating("maxout", x)
    if axis not in (1, 3, -1):
        raise ValueError(f"maxout: axis is 1 (NCHW), 3 or -1 (NHWC), not {axis}")
    if x.type.rank not in (4, None):
        raise ShapeError(f"maxout takes a tensor of 4 axes, not {x.type}")
    axis %= 4
    need_known("maxout", groups=groups)
    channels = x.shape[axis]
    if isinstance(channels, int) and channels % groups:
        raise ValueError(f"maxout: {channels} channels don't divide into groups of {groups}")
    x = of_multiple("maxout", x, axis, groups)
    shape = [*x.shape[:axis], channels // groups, groups, *x.shape[axis + 1 :]]
    parts = reshape(x, shape)
    largest = argmax(parts, axis=axis + 1, keepdim=True)  # of equal ones the first, which has all of the gradient
    return squeeze(take_along_axis(parts, largest, axis + 1), axis + 1)


def prelu(x: Tensor, weight: Tensor, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """x where x > 0, else weight * x: one weight [1], or one for each channel [C] (He et al., 2015).

    x: [N, C, ...], or any shape for one weight; channels last where data_format[1] isn't "C". The result has its shape and dtype;
    integers become the default dtype. ShapeError: a weight for each channel, and x has no channels.
    """
    x, weight = floating("prelu", x), need_tensor("prelu", weight, "weight")
    if weight.type.rank == 1 and weight.type.shape != (1,):
        rank = known_rank("prelu", x)
        if rank < 2:
            weight = of_length("prelu", weight, 0, 1, "a weight for each channel takes a tensor [N, C, ...]")
            return where(x > 0, x, x * weight)
        at = 1 if data_format[1] == "C" else rank - 1
        weight = reshape(weight, [-1 if a == at else 1 for a in range(rank)])
    return where(x > 0, x, x * weight)


def rrelu(
    x: Tensor, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, training: bool = True, name: str | None = None
) -> Tensor:
    """x where x >= 0, else x times a slope, drawn from [lower, upper) in training and (lower + upper) / 2 otherwise.

    x: a tensor of any shape; the result has its shape and dtype, the default dtype for integers. See Xu et al., 2015. TypeError:
    lower or upper is no float. ValueError: they aren't in order in [0, 1].
    """
    x = floating("rrelu", x)
    if not isinstance(lower, float) or not isinstance(upper, float):
        raise TypeError("rrelu: lower and upper must be floats")
    if not 0 <= lower <= upper <= 1:
        raise ValueError(f"rrelu: lower and upper must be in order and in [0, 1], not {lower} and {upper}")
    slope = uniform(x.shape, x.dtype, lower, upper) if training else (lower + upper) / 2
    return where(x >= 0, x, x * slope)


def gumbel_softmax(
    x: Tensor, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None
) -> Tensor:
    """A sample from the classes with logits x along `axis`, as probabilities; nearer to one class the lower `temperature` is.

    With `hard` as a 1 and zeros, through which gradients flow as through the probabilities (Jang et al., 2017). x: a tensor of
    any shape; the result has its shape and dtype, the default dtype for integers. ShapeError: an axis out of range.
    """
    x = floating("gumbel_softmax", x)
    check_axis("gumbel_softmax", x, axis)
    noise = -log(-log(uniform(x.shape, x.dtype, 1e-20, 1.0)))
    soft = softmax((x + noise) / temperature, axis)
    return soft + (_one_hot_of_largest(soft, axis) - soft).detach() if hard else soft


def _one_hot_of_largest(x: Tensor, axis: int) -> Any:
    rank = len(x.shape)
    found = one_hot(argmax(x, axis=axis), num_classes=x.shape[axis], dtype=x.dtype.name)
    perm = list(range(rank - 1))
    perm.insert(axis % rank, rank - 1)
    return transpose(found, perm=perm)
