"""Adaptive maximum pooling, and its way back: windows of different lengths, taken one axis after the other."""

from __future__ import annotations

from typing import Any

from ...api.checks import need_tensor
from ...api.creation import zeros
from ...api.gathering import take_along_axis
from ...api.joining import stack
from ...api.manipulation import reshape, unsqueeze
from ...api.placing import put_along_axis
from ...api.reduce import argmax
from ...errors import ShapeError
from ...ops import views
from ...ops.index import getitem
from ...runtime.tensors.tensor import Tensor
from .pooling import geometry, lengths
from .windows import channels_first

__all__ = ["adaptive_max_pool1d", "adaptive_max_pool2d", "max_unpool1d", "max_unpool2d"]


def _largest(x: Tensor, axis: int, count: int | None) -> tuple[Tensor, Tensor]:
    """The largest of each of `count` windows that cover `axis` evenly, and its index along the axis."""
    length = x.shape[axis]
    count = length if count is None else count
    values, indices = [], []
    for i in range(count):
        start, stop = i * length // count, -(-((i + 1) * length) // count)
        window = getitem(x, index=[{"slice": [None, None, None]}] * axis + [{"slice": [start, stop, None]}])
        index = unsqueeze(argmax(window, axis=axis), axis)
        values.append(take_along_axis(window, index, axis).squeeze(axis))
        indices.append(index.squeeze(axis) + start)
    return stack(values, axis), stack(indices, axis)


def adaptive_max_pool2d(x: Tensor, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """The largest element of each of `output_size` (an int or two) windows that cover x [N, C, H, W] evenly.

    The result is [N, C, *output_size], in the dtype of x. With `return_mask` also int32 indices into the flattened H * W.
    ValueError: another size.
    """
    op = "adaptive_max_pool2d"
    x, _ = channels_first(op, need_tensor(op, x), "NCHW")
    height, width = lengths(op, output_size, 2)
    in_rows, columns = _largest(x, 3, width)
    out, rows = _largest(in_rows, 2, height)
    if not return_mask:
        return out
    return out, (rows * x.shape[3] + take_along_axis(columns, rows, 2)).astype("int32")


def adaptive_max_pool1d(x: Tensor, output_size: int, return_mask: bool = False, name: str | None = None) -> Any:
    """The largest element of each of `output_size` windows that cover x [N, C, L] evenly.

    The result is [N, C, output_size], in the dtype of x; with `return_mask` also where it is (int32). ValueError: another size
    than a positive int.
    """
    op = "adaptive_max_pool1d"
    x, _ = channels_first(op, need_tensor(op, x), "NCL", 1)
    out, indices = _largest(x, 2, lengths(op, output_size, 1)[0])
    return (out, indices.astype("int32")) if return_mask else out


def max_unpool2d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: str = "NCHW",
    output_size: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Zeros with the elements of x [N, C, H, W] where `indices`, given by max_pool2d(return_mask=True), says.

    kernel_size, stride, padding: those of the pooling. The result has the smallest fitting size, or the last two lengths of
    output_size; in the dtype of x. ValueError: a data_format but "NCHW". ShapeError: another output_size.
    """
    op = "max_unpool2d"
    if data_format != "NCHW":
        raise ValueError(f"{op}: data_format is 'NCHW', not {data_format!r}")
    x, _ = channels_first(op, need_tensor(op, x), data_format)
    attrs = geometry(op, x, kernel_size, stride, padding, False)
    kernel, steps, border = attrs["kernel_size"], attrs["stride"], attrs["padding"]
    n, c, *image = x.shape
    size = [(d - 1) * steps[i] - 2 * border[2 * i] + kernel[i] for i, d in enumerate(image)]
    if output_size is not None:
        size = list(output_size)[-2:]
        if len(size) != 2:
            raise ShapeError(f"{op}: output_size is two ints, or one for each axis, not {output_size!r}")
    flat = zeros([n, c, size[0] * size[1]], x.dtype)
    indices = reshape(need_tensor(op, indices, "indices").astype("int64"), [n, c, image[0] * image[1]])
    put = put_along_axis(flat, indices, reshape(x, [n, c, image[0] * image[1]]), 2)
    return views.reshape(put, shape=[n, c, *size])  # a 0 among them is a length, and none of another axis


def max_unpool1d(
    x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: str = "NCL",
    output_size: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Zeros with the elements of x [N, C, L] where `indices`, given by max_pool1d(return_mask=True), says.

    kernel_size, stride, padding: those of the pooling. The result has the smallest fitting length, or the last of output_size; in
    the dtype of x. ValueError: a data_format but "NCL".
    """
    op = "max_unpool1d"
    if data_format != "NCL":
        raise ValueError(f"{op}: data_format is 'NCL', not {data_format!r}")
    x, _ = channels_first(op, need_tensor(op, x), data_format, 1)
    attrs = geometry(op, x, kernel_size, stride, padding, False, 1)
    length = (x.shape[2] - 1) * attrs["stride"][0] - 2 * attrs["padding"][0] + attrs["kernel_size"][0]
    size = [1, length if output_size is None else list(output_size)[-1]]
    return max_unpool2d(unsqueeze(x, 2), unsqueeze(indices, 2), 1, output_size=size).squeeze(2)
