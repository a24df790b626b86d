"""conv2d as a function, under Paddle's name."""

from __future__ import annotations

from typing import Any

from ...api.checks import need_tensor, operands
from ...errors import ShapeError
from ...ops import conv as conv_ops
from ...ops.elementwise import add
from ...ops.views import reshape
from ...runtime.tensor import Tensor
from .windows import channels_back, channels_first, padding_of, pair

__all__ = ["conv2d"]


def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """Two-dimensional convolution (a correlation, as everywhere in deep learning).

    x [N, C, H, W] (or [N, H, W, C]), weight [O, C / groups, kh, kw], bias [O] -> [N, O, OH, OW]. `padding` is an int, two ints,
    four ints [top, bottom, left, right], pairs, "same" or "valid".
    """
    x, last = channels_first("conv2d", need_tensor("conv2d", x), data_format)
    x, weight = operands("conv2d", x, need_tensor("conv2d", weight, "weight"), fractions=True)
    if weight.type.rank not in (4, None):
        raise ShapeError(f"conv2d: weight must be [out, in / groups, kh, kw], not {weight.type}")
    stride, dilation = pair("conv2d", stride, "stride"), pair("conv2d", dilation, "dilation")
    border = padding_of("conv2d", x, padding, weight.shape[2:], stride, dilation)
    out = conv_ops.conv2d(x, weight, stride=stride, padding=border, dilation=dilation, groups=int(groups))
    if bias is not None:
        out = add(out, reshape(bias, shape=[1, -1, 1, 1]))
    return channels_back(out, last)
