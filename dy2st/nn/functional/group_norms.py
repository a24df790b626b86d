"""Normalisation over other groups of elements than a batch's or a row's, as functions, under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

from ...api.checks import real_floating
from ...api.known import need_known, of_multiple
from ...api.manipulation import reshape, transpose
from ...api.math import rsqrt
from ...api.reduce import mean
from ...api.shape_args import int_list
from ...errors import ShapeError
from ...ops import norm as norm_ops
from ...ops.half import in_float32
from ...runtime.tensors.tensor import Tensor
from .common import pad
from .lengths import check_channels
from .pooling import avg_pool2d

__all__ = ["group_norm", "instance_norm", "local_response_norm", "rms_norm"]

FORMATS = ("NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC")


def _channels_first(op: str, x: Any, data_format: str, least: int) -> tuple[Tensor, int, bool]:
    """x as [N, C, ...], its number of axes, and whether the channels were last."""
    x = real_floating(op, x)
    if data_format not in FORMATS:
        raise ValueError(f"{op}: data_format is one of {', '.join(FORMATS)}, not {data_format!r}")
    rank = x.type.rank
    if rank is None or rank < least:
        raise ShapeError(f"{op} takes a tensor of at least {least} axes [N, C, ...], not {x.type}")
    last = data_format[-1] == "C" and data_format != "NC"
    return (transpose(x, [0, rank - 1, *range(1, rank - 1)]) if last else x), rank, last


def _back(x: Tensor, rank: int, last: bool) -> Tensor:
    return transpose(x, [0, *range(2, rank), 1]) if last else x


def _per_channel(x: Tensor, weight: Tensor | None, bias: Tensor | None, rank: int) -> Tensor:
    """x [N, C, ...] scaled by weight [C] and shifted by bias [C]."""
    wide = [1, -1] + [1] * (rank - 2)
    if weight is not None:
        x = x * reshape(weight, wide)
    return x if bias is None else x + reshape(bias, wide)


@in_float32
def group_norm(
    x: Tensor, num_groups: int, epsilon: float = 1e-05, weight: Tensor | None = None, bias: Tensor | None = None,
    data_format: str = "NCHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Each sample of x [N, C, ...] normalised in `num_groups` groups of channels, then scaled and shifted per channel.

    weight, bias: [C] or None. epsilon: added to the variance. data_format: one of NC, NCL, NCHW, NCDHW, NLC, NHWC, NDHWC;
    ValueError for another, or where the channels don't divide. The result has the shape and dtype of x; integers become the
    default dtype. See Wu and He, 2018. ShapeError: x has fewer than 2 axes.
    """
    x, rank, last = _channels_first("group_norm", x, data_format, 2)
    need_known("group_norm", num_groups=num_groups)
    channels = x.shape[1]
    if isinstance(channels, int) and channels % num_groups:
        raise ValueError(f"group_norm: {channels} channels don't divide into {num_groups} groups")
    x = of_multiple("group_norm", x, 1, num_groups)
    x = check_channels("group_norm", x, 1, weight=weight, bias=bias)
    grouped = reshape(x, [x.shape[0], num_groups, channels // num_groups, *x.shape[2:]])
    normal = norm_ops.normalize(grouped, axis=list(range(2, rank + 1)), epsilon=float(epsilon))[0]
    return _back(_per_channel(reshape(normal, x.shape), weight, bias, rank), rank, last)


@in_float32
def instance_norm(
    x: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.9, eps: float = 1e-05,
    data_format: str = "NCHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Each channel of each sample of x [N, C, ...] normalised, then scaled and shifted per channel (Ulyanov et al., 2016).

    weight, bias: [C] or None. eps: added to the variance. data_format as in `group_norm`. The result has the shape and dtype of
    x. As in Paddle, `running_mean`, `running_var`, `use_input_stats` and `momentum` have no effect. ShapeError: x has fewer than
    3 axes.
    """
    x, rank, last = _channels_first("instance_norm", x, data_format, 3)
    x = check_channels("instance_norm", x, 1, weight=weight, bias=bias)
    normal = norm_ops.normalize(x, axis=list(range(2, rank)), epsilon=float(eps))[0]
    return _back(_per_channel(normal, weight, bias, rank), rank, last)


@in_float32
def rms_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float = 1e-05, name: str | None = None
) -> Tensor:
    """`input` divided by the root of the mean of its squares over the last axes (`normalized_shape`), scaled by weight.

    normalized_shape: an int, or the lengths of these axes. weight: a tensor of their shape, or None. eps: added to the mean. The
    result has the shape and dtype of input; integers become the default dtype. See Zhang and Sennrich, 2019.
    """
    x = real_floating("rms_norm", input)
    tail = int_list("rms_norm", normalized_shape, "normalized_shape")
    scale = rsqrt(mean(x * x, axis=list(range(-len(tail), 0)), keepdim=True) + eps)
    return x * scale if weight is None else x * scale * weight


@in_float32
def local_response_norm(
    x: Tensor, size: int, alpha: float = 0.0001, beta: float = 0.75, k: float = 1.0, data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """x / (k + alpha * mean of the squares of `size` neighbouring channels) ** beta (Krizhevsky et al., 2012).

    x: [N, C, ...], or channels last as data_format says, which is as in `group_norm`; the result has its shape and dtype. size:
    an int; alpha, beta, k: numbers. ShapeError: x has fewer than 3 axes.
    """
    x, rank, last = _channels_first("local_response_norm", x, data_format, 3)
    n, channels = x.shape[:2]
    squares = pad(reshape(x * x, [n, 1, channels, math.prod(x.shape[2:])]), [0, 0, size // 2, (size - 1) // 2])
    means = reshape(avg_pool2d(squares, [size, 1], 1), x.shape)
    return _back(x / (means * alpha + k) ** beta, rank, last)
