"""Convolutions (correlations, as everywhere in deep learning) as functions, under Paddle's names.

x [N, C, *spatial], weight [O, C / groups, *kernel], bias [O] -> [N, O, *spatial]. `padding` is an int, ints for the axes or
their two ends, pairs, "same" or "valid". All are composed of `conv2d`: a line is an image of height 1, and a volume is
the sum over the depth of the kernel of images.
"""

from __future__ import annotations

from typing import Any

from ...api.checks import need_tensor, operands
from ...api.known import known_length
from ...api.manipulation import reshape, transpose, unsqueeze
from ...api.slicing import strided_slice
from ...errors import ShapeError
from ...ops import conv as conv_ops
from ...runtime.tensors.tensor import Tensor
from .common import pad
from .windows import channels_back, channels_first, padding_of, sizes

__all__ = ["conv1d", "conv2d", "conv3d"]


def biased(out: Tensor, bias: Tensor | None, rank: int) -> Tensor:
    """`out` [N, O, *spatial] with bias [O] added to its channels."""
    return out if bias is None else out + reshape(bias, [1, -1] + [1] * rank)


def prepared(op: str, x: Any, weight: Any, data_format: str, rank: int) -> tuple[Tensor, Tensor, bool]:
    """Input and weight in one dtype, the input with its channels first, and whether they were last."""
    x, last = channels_first(op, need_tensor(op, x), data_format, rank)
    x, weight = operands(op, x, need_tensor(op, weight, "weight"), fractions=True)
    if weight.type.rank not in (rank + 2, None):
        raise ShapeError(f"{op}: weight must have {rank + 2} axes, unlike {weight.type}")
    return x, weight, last


def conv1d(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NCL", name: str | None = None,
) -> Tensor:  # fmt: skip
    """One-dimensional convolution: x [N, C, L] (or [N, L, C]), weight [O, C / groups, k], bias [O] or None -> [N, O, OL].

    stride, dilation: an int. padding, groups, dtypes and errors as in `conv2d`. data_format: "NCL" or "NLC"; the result has it,
    too.
    """
    x, weight, last = prepared("conv1d", x, weight, data_format, 1)
    step, gap = sizes("conv1d", stride, "stride", 1), sizes("conv1d", dilation, "dilation", 1)
    border = padding_of("conv1d", x, padding, weight.shape[2:], step, gap)
    out = conv_ops.conv2d(
        unsqueeze(x, 2), unsqueeze(weight, 2), stride=[1, *step], padding=[0, 0, *border], dilation=[1, *gap], groups=int(groups)
    )
    return channels_back(biased(out.squeeze(2), bias, 1), last, 1)


def conv2d(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NCHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Two-dimensional convolution: x [N, C, H, W] (or [N, H, W, C]), weight [O, C / groups, kh, kw] -> [N, O, OH, OW].

    bias: [O] or None. stride, dilation: an int or two. padding: an int, ints for the axes or their two ends, pairs, "same" or
    "valid". groups: how many groups of channels are convolved by themselves. data_format: "NCHW" or "NHWC"; the result has it,
    too. Dtypes are promoted, integers become the default dtype. OH is (H + paddings - dilation * (kh - 1) - 1) // stride + 1.
    ShapeError: shapes that don't fit. ValueError: another padding, stride or data_format. TypeError: no ints.

    >>> dy2st.nn.functional.conv2d(dy2st.ones([1, 3, 8, 8]), dy2st.ones([4, 3, 3, 3]), padding=1, stride=2).shape
    [1, 4, 4, 4]
    """
    x, weight, last = prepared("conv2d", x, weight, data_format, 2)
    step, gap = sizes("conv2d", stride, "stride"), sizes("conv2d", dilation, "dilation")
    border = padding_of("conv2d", x, padding, weight.shape[2:], step, gap)
    out = conv_ops.conv2d(x, weight, stride=step, padding=border, dilation=gap, groups=int(groups))
    return channels_back(biased(out, bias, 2), last)


def conv3d(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NCDHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Three-dimensional convolution: x [N, C, D, H, W] (or [N, D, H, W, C]) -> [N, O, OD, OH, OW].

    weight: [O, C / groups, kd, kh, kw]. bias: [O] or None. stride, dilation: an int or three. padding, groups, dtypes and errors
    as in `conv2d`. data_format: "NCDHW" or "NDHWC"; the result has it, too.
    """
    x, weight, last = prepared("conv3d", x, weight, data_format, 3)
    step, gap = sizes("conv3d", stride, "stride", 3), sizes("conv3d", dilation, "dilation", 3)
    border = padding_of("conv3d", x, padding, weight.shape[2:], step, gap)
    x = pad(x, [0, 0, 0, 0, *border[:2], 0, 0, 0, 0])
    kernel, depth = known_length("conv3d", weight, 2), x.shape[2]
    layers = (depth - gap[0] * (kernel - 1) - 1) // step[0] + 1
    flat = {"stride": step[1:], "padding": border[2:], "dilation": gap[1:], "groups": int(groups)}
    out: Any = None
    for k in range(kernel):
        start = k * gap[0]
        slab = strided_slice(x, [2], [start], [start + (layers - 1) * step[0] + 1], [step[0]])
        image = conv_ops.conv2d(_as_images(slab), weight[:, :, k], **flat)
        out = image if out is None else out + image
    volume = reshape(out, [x.shape[0], layers, weight.shape[0], *out.shape[2:]])
    return channels_back(biased(transpose(volume, [0, 2, 1, 3, 4]), bias, 3), last, 3)


def _as_images(x: Tensor) -> Tensor:
    """[N, C, D, H, W] as [N * D, C, H, W]."""
    n, c, d, h, w = x.shape
    return reshape(transpose(x, [0, 2, 1, 3, 4]), [n * d, c, h, w])
