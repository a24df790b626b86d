"""Transposed convolutions as functions: what the gradient of a convolution does with its input.

x [N, C, *spatial], weight [C, O / groups, *kernel], bias [O] -> [N, O, *spatial]; along each axis the result has
(length - 1) * stride - paddings + dilation * (kernel - 1) + 1 + output_padding elements, or what `output_size` says.
"""

from __future__ import annotations

from typing import Any

from ...api.manipulation import unsqueeze
from ...errors import ShapeError
from ...ops import conv as conv_ops
from ...runtime.tensors.tensor import Tensor
from .conv import biased, prepared
from .windows import channels_back, padding_of, sizes

__all__ = ["conv1d_transpose", "conv2d_transpose"]


def conv1d_transpose(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1, output_size: Any = None, data_format: str = "NCL", name: str | None = None,
) -> Tensor:  # fmt: skip
    """One-dimensional transposed convolution: x [N, C, L] (or [N, L, C]), weight [C, O / groups, k] -> [N, O, OL].

    bias: [O] or None. stride, padding, output_padding, dilation, output_size: an int. data_format: "NCL" or "NLC". groups, the
    length of the result, dtypes and errors as in `conv2d_transpose`.
    """
    op = "conv1d_transpose"
    x, weight, last = prepared(op, x, weight, data_format, 1)
    geometry = _geometry(op, x, weight, stride, padding, output_padding, dilation, output_size)
    out = _transposed(unsqueeze(x, 2), unsqueeze(weight, 2), [([0, 0], 1, 1, 1), *geometry], groups)
    return channels_back(biased(out.squeeze(2), bias, 1), last, 1)


def conv2d_transpose(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    dilation: Any = 1, groups: int = 1, output_size: Any = None, data_format: str = "NCHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """Two-dimensional transposed convolution: x [N, C, H, W] (or [N, H, W, C]), weight [C, O / groups, kh, kw] -> [N, O, OH, OW].

    bias: [O] or None. stride, dilation, output_padding: an int or two; padding, groups and data_format as in `conv2d`. Along each
    axis the result has (length - 1) * stride - paddings + dilation * (kernel - 1) + 1 + output_padding elements, or what
    output_size, an int or two, says. Dtypes are promoted, integers become the default dtype. ValueError: output_size and
    output_padding. ShapeError: an output_size that can't be, or shapes that don't fit.

    >>> dy2st.nn.functional.conv2d_transpose(dy2st.ones([1, 3, 4, 4]), dy2st.ones([3, 2, 2, 2]), stride=2).shape
    [1, 2, 8, 8]
    """
    op = "conv2d_transpose"
    x, weight, last = prepared(op, x, weight, data_format, 2)
    geometry = _geometry(op, x, weight, stride, padding, output_padding, dilation, output_size)
    return channels_back(biased(_transposed(x, weight, geometry, groups), bias, 2), last)


def _transposed(x: Tensor, weight: Tensor, geometry: list, groups: int) -> Tensor:
    borders, steps, gaps, lengths = zip(*geometry)
    return conv_ops.conv2d_input_grad(
        x, weight, input_size=list(lengths), stride=list(steps), padding=[p for b in borders for p in b], dilation=list(gaps),
        groups=int(groups),
    )  # fmt: skip


def _geometry(
    op: str, x: Tensor, weight: Tensor, stride: Any, padding: Any, output_padding: Any, dilation: Any, output_size: Any
) -> list[tuple[list, int, int, Any]]:
    """(paddings, stride, dilation, length of the result) for each spatial axis."""
    kernel = weight.shape[2:]
    rank = len(kernel)
    steps, gaps = sizes(op, stride, "stride", rank), sizes(op, dilation, "dilation", rank)
    border = padding_of(op, x, padding, kernel, steps, gaps)
    extra = sizes(op, output_padding, "output_padding", rank, least=0)
    if output_size is not None and any(extra):
        raise ValueError(f"{op}: give output_size or output_padding, not both")
    wanted = [None] * rank if output_size is None else [output_size] * rank if isinstance(output_size, int) else list(output_size)
    found = []
    for i in range(rank):
        ends = border[2 * i : 2 * i + 2]
        least = (x.shape[2 + i] - 1) * steps[i] - sum(ends) + gaps[i] * (kernel[i] - 1) + 1
        length = least + extra[i] if wanted[i] is None else wanted[i]
        if isinstance(length, int) and isinstance(least, int) and not least <= length < least + max(steps[i], gaps[i]):
            raise ShapeError(
                f"{op}: the length of axis {2 + i} can be from {least} to {least + max(steps[i], gaps[i]) - 1}, not {length}"
            )
        found.append((ends, steps[i], gaps[i], length))
    return found
