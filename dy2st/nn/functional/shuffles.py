"""Elements of images put elsewhere: pixels into channels and back, windows into columns and back, as functions."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, need_tensor
from ...api.creation import zeros
from ...api.joining import stack
from ...api.known import is_known, larger, need_known, of_length, of_multiple
from ...api.manipulation import reshape, transpose
from ...errors import ShapeError
from ...ops.half import in_float32
from ...runtime.tensors.tensor import Tensor
from .common import pad
from .windows import channels_back, channels_first, sizes

__all__ = ["channel_shuffle", "fold", "pixel_shuffle", "pixel_unshuffle", "unfold"]


def _factor(op: str, value: Any, what: str) -> int:
    need_known(op, **{what: value})
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{op}: {what} must be an int, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{op}: {what} must be positive, not {value}")
    return value


def pixel_shuffle(x: Tensor, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """[N, C * r * r, H, W] -> [N, C, H * r, W * r]: the channels of a pixel become its neighbours (Shi et al., 2016).

    upscale_factor: r. data_format: "NCHW", or "NHWC" for channels last. The result has the dtype of x. ValueError: r isn't
    positive, or the channels aren't a multiple of r * r. TypeError: r is no int.

    >>> dy2st.nn.functional.pixel_shuffle(dy2st.ones([1, 4, 2, 2]), 2).shape
    [1, 1, 4, 4]
    """
    r = _factor("pixel_shuffle", upscale_factor, "upscale_factor")
    x, last = channels_first("pixel_shuffle", need_tensor("pixel_shuffle", x), data_format)
    n, c, h, w = x.shape
    if isinstance(c, int) and c % (r * r):
        raise ValueError(f"pixel_shuffle: {c} channels aren't a multiple of {r} * {r}")
    x = of_multiple("pixel_shuffle", x, 1, r * r)
    parts = transpose(reshape(x, [n, c // (r * r), r, r, h, w]), [0, 1, 4, 2, 5, 3])
    return channels_back(reshape(parts, [n, c // (r * r), h * r, w * r]), last)


def pixel_unshuffle(x: Tensor, downscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """[N, C, H * r, W * r] -> [N, C * r * r, H, W]: what `pixel_shuffle` does, taken back.

    downscale_factor: r. x, data_format, the dtype and the errors as in `pixel_shuffle`.
    """
    r = _factor("pixel_unshuffle", downscale_factor, "downscale_factor")
    x, last = channels_first("pixel_unshuffle", need_tensor("pixel_unshuffle", x), data_format)
    n, c, h, w = x.shape
    parts = transpose(reshape(x, [n, c, h // r, r, w // r, r]), [0, 1, 3, 5, 2, 4])
    return channels_back(reshape(parts, [n, c * r * r, h // r, w // r]), last)


def channel_shuffle(x: Tensor, groups: int, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """The channels of x [N, C, H, W] (or [N, H, W, C]) in `groups` rows, read by columns (Zhang et al., 2017).

    data_format: "NCHW" or "NHWC". The result has the shape and dtype of x. ValueError: groups isn't positive. TypeError: it is no
    int.
    """
    groups = _factor("channel_shuffle", groups, "groups")
    x, last = channels_first("channel_shuffle", need_tensor("channel_shuffle", x), data_format)
    n, c, h, w = x.shape
    mixed = transpose(reshape(x, [n, groups, c // groups, h, w]), [0, 2, 1, 3, 4])
    return channels_back(reshape(mixed, [n, c, h, w]), last)


# --- windows as columns: each position in a window is a strided part of the image, so no element meets another one -------------


def _sides(op: str, padding: Any) -> list:
    """[top, left, bottom, right], from an int, [rows, columns], or these four."""
    need_known(op, paddings=padding)
    sides = [padding] * 4 if isinstance(padding, int) else list(padding) * (2 if len(padding) == 2 else 1)
    if len(sides) != 4:
        raise ValueError(f"{op}: paddings is an int, two or four ints, not {padding}")
    return sides


def _places(kernel: int, stride: int, dilation: int) -> list[slice]:
    """Where along an axis each position in a window lies, in all windows."""
    ends = [-(kernel - 1 - i) * dilation or None for i in range(kernel)]
    return [slice(i * dilation, end, stride) for i, end in enumerate(ends)]


def _holding(x: Tensor, axis: int, kernel: int, dilation: int) -> Tensor:
    """x, into which a window fits along an axis; ShapeError as of `of_length`."""
    least = (kernel - 1) * dilation + 1
    return of_length("unfold", x, axis, larger(x.shape[axis], least), f"a window of {kernel} (dilation {dilation}) doesn't fit")


def unfold(
    x: Tensor, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1, name: str | None = None
) -> Tensor:
    """Each window of x [N, C, H, W] as a column: [N, C * kh * kw, windows], in the dtype of x; integers become the default dtype.

    kernel_sizes, strides, dilations: an int or two. paddings: an int, two, or four: [top, left, bottom, right]; ValueError for
    others. ShapeError: no window fits.

    >>> dy2st.nn.functional.unfold(dy2st.ones([1, 3, 4, 4]), 2).shape
    [1, 12, 9]
    """
    x, _ = channels_first("unfold", floating("unfold", x), "NCHW")
    kernel, stride = sizes("unfold", kernel_sizes, "kernel_sizes"), sizes("unfold", strides, "strides")
    dilation, (top, left, bottom, right) = sizes("unfold", dilations, "dilations"), _sides("unfold", paddings)
    x = pad(x, [left, right, top, bottom]) if any((left, right, top, bottom)) else x
    rows, columns = (_places(*each) for each in zip(kernel, stride, dilation))
    for i in range(2):
        x = _holding(x, 2 + i, kernel[i], dilation[i])
    x = stack([x[:, :, at] for at in rows], axis=2)
    x = stack([x[..., at] for at in columns], axis=3)
    n, c, kh, kw, height, width = x.shape
    return reshape(x, [n, c * kh * kw, height * width])


@in_float32
def fold(
    x: Tensor, output_sizes: Any, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The sum of windows that are given as columns, x [N, C * kh * kw, windows], at their positions: [N, C, *output_sizes].

    output_sizes: an int or two. kernel_sizes, strides, paddings, dilations, the dtype and the errors as in `unfold`. ShapeError:
    another number of axes.
    """
    x = floating("fold", x)
    if x.type.rank not in (3, None):
        raise ShapeError(f"fold takes a tensor [N, C * kh * kw, windows], not {x.type}")
    kernel, stride = sizes("fold", kernel_sizes, "kernel_sizes"), sizes("fold", strides, "strides")
    dilation, (top, left, bottom, right) = sizes("fold", dilations, "dilations"), _sides("fold", paddings)
    size = sizes("fold", output_sizes, "output_sizes") if is_known(output_sizes) else list(output_sizes)
    x = of_multiple("fold", x, 1, kernel[0] * kernel[1])
    n, c = x.shape[0], x.shape[1] // (kernel[0] * kernel[1])
    long = [size[0] + top + bottom, size[1] + left + right]
    counts = [(long[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in range(2)]
    x = reshape(x, [n, c, *kernel, *counts])
    rows, columns = (_places(*each) for each in zip(kernel, stride, dilation))
    lines = [x[:, :, :, i] for i in range(kernel[1])]
    x = _summed(lines, [n, c, kernel[0], counts[0], long[1]], [(Ellipsis, at) for at in columns])
    images = [x[:, :, i] for i in range(kernel[0])]
    x = _summed(images, [n, c, *long], [(Ellipsis, at, slice(None)) for at in rows])
    return x[:, :, top : long[0] - bottom, left : long[1] - right]


def _summed(parts: list[Tensor], shape: list, places: list) -> Tensor:
    """The sum of parts, each at its place in zeros."""
    total = zeros(shape, dtype=parts[0].dtype)
    for part, place in zip(parts, places):
        total[place] = total[place] + part
    return total
