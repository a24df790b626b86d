"""Pooling: the largest, the mean or the norm of the elements of windows.

Images and lines without gaps are pooled by one operator. All else is folded along one spatial axis after the other: in each step,
the elements that all windows have at one place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....ops import compare, elementwise, pool, reduce, select, unary
from ....ops.creation import arange, full
from ....ops.padding import pad
from ....ops.put_along_axis import put_along_axis
from ....ops.views import reshape, transpose, unsqueeze
from ....runtime.tensors.tensor import Tensor
from ..axes import size_of
from ..registry import Ints, node
from ..slices import at, part
from ..values import few
from ..windows import Windows, windows_of


def _is_plain(windows: Windows, x: Tensor) -> bool:
    """Whether one operator pools such windows: of lines or images, without gaps."""
    is_line_or_image = len(windows.kernel) in (1, 2) and all(d == 1 for d in windows.dilations)
    return is_line_or_image and windows.has_known_borders and x.dtype.name in ("float32", "float64")


def _pooled(op: Callable, x: Tensor, windows: Windows, **more: Any) -> Tensor:
    """By one operator; a line is an image of height 1."""
    borders = [n for border in windows.borders for n in border]
    line = len(windows.kernel) == 1
    if line:
        found = op(
            unsqueeze(x, axis=[2]), kernel_size=[1, *windows.kernel], stride=[1, *windows.strides], padding=[0, 0, *borders],
            ceil_mode=windows.ceil_mode, **more,
        )  # fmt: skip
        return at(found, 2, 0)
    return op(
        x, kernel_size=windows.kernel, stride=windows.strides, padding=borders, ceil_mode=windows.ceil_mode, **more
    )


def _places(x: Tensor, windows: Windows, axis: int) -> list[Tensor]:
    """For each place in a window along a spatial axis of a bordered tensor, the elements that all windows have there."""
    stride, gap, count = windows.strides[axis], windows.dilations[axis], windows.counts()[axis]
    starts = [k * gap for k in range(few(windows.kernel[axis], "the length of the kernel"))]
    return [part(x, axis + 2, start, start + (count - 1) * stride + 1, stride) for start in starts]


def _folded(x: Tensor, windows: Windows, function: Callable) -> Tensor:
    """A bordered tensor folded along each spatial axis."""
    for axis in range(len(windows.kernel)):
        first, *others = _places(x, windows, axis)
        for other in others:
            first = function(first, other)
        x = first
    return x


def _lowest(x: Tensor) -> Any:
    return float("-inf") if x.dtype.is_floating else int(np.iinfo(x.dtype.numpy).min)


@node("MaxPool", folds=False)
def max_pool(
    x: Tensor, *, kernel_shape: Any, auto_pad: str = "NOTSET", ceil_mode: int = 0, dilations: Any = None, pads: Any = None,
    storage_order: int = 0, strides: Any = None, outputs: int = 1,
) -> Any:  # fmt: skip
    """The largest elements, and where they are among all elements of x, counted along rows or along columns."""
    windows = windows_of(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    if outputs == 1 and _is_plain(windows, x):
        return _pooled(pool.max_pool2d, x, windows)
    if outputs == 1:
        return _folded(windows.bordered(x, _lowest(x)), windows, elementwise.maximum)
    return _with_places(windows.bordered(x, _lowest(x)), windows.bordered(_numbers(x, storage_order), 0), windows)


def _numbers(x: Tensor, by_columns: int) -> Tensor:
    """A number for each element of x."""
    lengths = x.shape
    row = arange(start=0, end=size_of(lengths), step=1, dtype="int64")
    if not by_columns:
        return reshape(row, shape=lengths)
    turned = reshape(row, shape=[*lengths[:2], *reversed(lengths[2:])])
    return transpose(turned, perm=[0, 1, *reversed(range(2, len(lengths)))])


def _with_places(x: Tensor, numbers: Tensor, windows: Windows) -> tuple[Tensor, Tensor]:
    """The first of the largest elements, in the order of rows: so the last axis is folded first."""
    for axis in reversed(range(len(windows.kernel))):
        (best, *others), (where, *numbered) = _places(x, windows, axis), _places(numbers, windows, axis)
        for other, number in zip(others, numbered):
            is_larger = compare.greater_than(other, best)
            best, where = select.where(is_larger, other, best), select.where(is_larger, number, where)
        x, numbers = best, where
    return x, numbers


@node("AveragePool", folds=False)
def average_pool(
    x: Tensor, *, kernel_shape: Any, auto_pad: str = "NOTSET", ceil_mode: int = 0, count_include_pad: int = 0,
    dilations: Any = None, pads: Any = None, strides: Any = None,
) -> Tensor:  # fmt: skip
    windows = windows_of(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    if _is_plain(windows, x):
        return _pooled(pool.avg_pool2d, x, windows, exclusive=not count_include_pad, divisor_override=None)
    total = _folded(windows.bordered(x, 0), windows, elementwise.add)
    return elementwise.divide(total, _counted(x, windows, count_include_pad))


def _counted(x: Tensor, windows: Windows, with_border: int) -> Tensor:
    """How many elements of each window count: those of x, and with the border those of that; none that hang over."""
    ones = full(shape=[1, 1, *windows.lengths], fill_value=1, dtype=x.dtype.name)
    borders = [list(border) for border in windows.borders]
    ones = pad(ones, pads=[[0, 0], [0, 0], *borders], mode="constant", value=1 if with_border else 0)
    over = pad(ones, pads=[[0, 0], [0, 0], *([0, n] for n in windows.overhang())], mode="constant", value=0)
    return _folded(over, windows, elementwise.add)


@node("LpPool", folds=False)
def norm_pool(
    x: Tensor, *, kernel_shape: Any, auto_pad: str = "NOTSET", ceil_mode: int = 0, dilations: Any = None, p: float = 2,
    pads: Any = None, strides: Any = None,
) -> Tensor:  # fmt: skip
    """The root of the sum of powers."""
    windows = windows_of(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    powers = elementwise.power(unary.absolute(x), float(p))
    return elementwise.power(_folded(windows.bordered(powers, 0), windows, elementwise.add), 1 / p)


def _spatial(x: Tensor) -> tuple[int, ...]:
    return tuple(range(2, x.ndim))


@node("GlobalAveragePool", folds=False)
def average(x: Tensor) -> Tensor:
    return reduce.reduce_mean(x, axis=_spatial(x), keepdim=True)


@node("GlobalMaxPool", folds=False)
def largest(x: Tensor) -> Tensor:
    return reduce.reduce_max(x, axis=_spatial(x), keepdim=True)


@node("GlobalLpPool", folds=False)
def norm(x: Tensor, *, p: float = 2) -> Tensor:
    powers = elementwise.power(unary.absolute(x), float(p))
    return elementwise.power(reduce.reduce_sum(powers, axis=_spatial(x), keepdim=True), 1 / p)


@node("MaxUnpool", folds=False)
def max_unpool(
    x: Tensor, indices: Tensor, output_shape: Ints | None = None, *, kernel_shape: Any, pads: Any = None, strides: Any = None
) -> Tensor:
    """The elements where they were before they were pooled, zeros elsewhere; filled up to a shape that is asked for."""
    windows = windows_of(x, kernel_shape, strides, None, pads, "NOTSET")
    inner = [
        (n - 1) * s + k - before - after
        for n, s, k, (before, after) in zip(windows.lengths, windows.strides, windows.kernel, windows.borders)
    ]
    shape = [*x.shape[:2], *inner]
    empty = full(shape=[size_of(shape)], fill_value=0, dtype=x.dtype.name)
    found = put_along_axis(empty, reshape(indices, shape=[-1]), reshape(x, shape=[-1]), axis=0, reduce="assign")
    found = reshape(found, shape=shape)
    if output_shape is None:
        return found
    return pad(found, pads=[[0, wanted - n] for n, wanted in zip(shape, output_shape)], mode="constant", value=0)
