"""Pooling: the greatest elements, or the means, of windows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import dy2st as api

from ...ops import pool
from ..dtypes import kind_of
from .arithmetic import truncated
from .axes import rank_of
from .pointwise import as_dtype
from .rows import counted, of_lengths, refused, row
from .spatial import batched, ints

F = api.nn.functional


def _count(length: Any, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> Any:
    """How many windows there are along an axis; with `ceil_mode` each starts on the tensor or on the padding before it."""
    room = length + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return room // stride + 1
    count = -(-room // stride) + 1
    return count - ((count - 1) * stride >= length + padding)


def greatest(x: Any, axis: int, starts: Any, stops: Any, width: Any, dilation: int = 1) -> tuple[Any, Any]:
    """The greatest element of each window along an axis, and where it is: the first of equal ones.

    starts, stops: [windows] integers, which may lie outside of x; width: how many places the longest window has.
    """
    length, rank = x.shape[axis], rank_of(x)
    places = api.unsqueeze(starts, 1) + api.arange(0, width, 1, "int64") * dilation
    inside = (places >= 0) & (places < api.unsqueeze(stops, 1))
    shape = [*x.shape[:axis], *places.shape, *x.shape[axis + 1 :]]
    found = api.reshape(api.index_select(x, api.reshape(api.clip(places, 0, length - 1), [-1]), axis), shape)
    wide = [1] * (rank - 1 - axis)
    found = api.where(api.reshape(inside, [*places.shape, *wide]), found, api.full_like(found, _lowest(x)))
    best = api.argmax(found, axis=axis + 1, keepdim=True)
    values = api.squeeze(api.take_along_axis(found, best, axis + 1), axis + 1)
    where = api.squeeze(best, axis + 1) * dilation + api.reshape(starts, [-1, *wide])
    return values, api.where(where < 0, where % dilation, where)


def _lowest(x: Any) -> Any:
    return -math.inf if kind_of(x.type.dtype) == "float" else api.iinfo(x.type.dtype).min


def _axis_by_axis(x: Any, windows: list[tuple]) -> tuple[Any, Any]:
    """The greatest elements of windows over all spatial axes, and where they are in the flattened axes.

    windows: starts, stops, width and dilation, as in `greatest`, for each spatial axis.
    """
    where: Any = None
    size: Any = 1
    for axis, window in reversed(list(enumerate(windows, start=2))):
        length = x.shape[axis]
        x, at = greatest(x, axis, *window)
        where = at if where is None else at * size + api.take_along_axis(where, at, axis)
        size = size * length
    return x, where


def _of_windows(x: Any, kernel: list, stride: list, padding: list, dilation: list, ceil_mode: bool) -> tuple[Any, Any]:
    """The greatest elements of windows of one size, and where they are in the flattened spatial axes."""
    if len(kernel) == 1:
        values, places = _of_windows(api.unsqueeze(x, 2), [1, *kernel], [1, *stride], [0, *padding], [1, *dilation], ceil_mode)
        return api.squeeze(values, 2), api.squeeze(places, 2)
    if len(kernel) == 2 and dilation == [1, 1]:
        border = [p for one in padding for p in (one, one)]
        attrs = {"kernel_size": kernel, "stride": stride, "padding": border, "ceil_mode": bool(ceil_mode)}
        return pool.max_pool2d(x, **attrs), pool.max_pool2d_indices(x, **attrs)
    windows = []
    for i, length in enumerate(x.shape[2:]):
        count = _count(length, kernel[i], stride[i], padding[i], dilation[i], ceil_mode)
        starts = api.arange(0, count, 1, "int64") * stride[i] - padding[i]
        windows.append((starts, api.full_like(starts, length), kernel[i], dilation[i]))
    return _axis_by_axis(x, windows)


def _max_pool(rank: int) -> None:
    name = f"max_pool{rank}d"

    def with_indices(
        input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
        return_indices: bool = True,
    ) -> Any:  # fmt: skip
        steps = kernel_size if stride is None or stride in ([], ()) else stride
        geometry = [ints(x, rank) for x in (kernel_size, steps, padding, dilation)]
        if any(2 * p > k for k, p in zip(geometry[0], geometry[2])):
            raise refused(f"the padding of {name} is at most half of its window, not {padding} of {kernel_size}")
        return batched(_of_windows, input, rank, *geometry, ceil_mode)

    def without(
        input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ) -> Any:
        return with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)[0]

    def functional(
        input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:  # fmt: skip
        found = with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
        return found if return_indices else found[0]

    for function in (with_indices, without, functional):
        function.__name__ = name
    low = "max_pool1d_with_indices" if rank == 1 else f"_C._nn.{name}_with_indices"
    row(f"nn.functional.{name}_with_indices", low)(with_indices)
    row(name)(without)
    row(f"nn.functional.{name}")(functional)


def _sums(x: Any, kernel: list, stride: list, padding: list, ceil_mode: bool) -> Any:
    """The sums of windows, of volumes within images first."""
    if len(kernel) == 1:
        return api.squeeze(_sums(api.unsqueeze(x, 2), [1, *kernel], [1, *stride], [0, *padding], ceil_mode), 2)
    if len(kernel) == 3:
        n, c, depth, *image = x.shape
        x = _sums(api.reshape(x, [n, c * depth, *image]), kernel[1:], stride[1:], padding[1:], ceil_mode)
        h, w = x.shape[2:]
        x = api.reshape(x, [n, c, depth, h * w])
        x = _sums(x, [kernel[0], 1], [stride[0], 1], [padding[0], 0], ceil_mode)
        return api.reshape(x, [n, c, x.shape[2], h, w])
    border = [p for one in padding for p in (one, one)]
    attrs = {"kernel_size": kernel, "stride": stride, "padding": border, "ceil_mode": bool(ceil_mode)}
    return pool.avg_pool2d(x, **attrs, exclusive=True, divisor_override=1)


def _avg_pool(rank: int, name: str, function: Callable) -> None:
    def compute(
        input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: Any = None,
    ) -> Any:  # fmt: skip
        if kind_of(input.type.dtype) != "float":
            if rank == 3:
                raise refused(f"{name} takes floats, not {input.type.dtype}; write x.double()")
            return of_integers(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        steps = kernel_size if stride is None or stride in ([], ()) else stride
        kernel, steps, border = (ints(x, rank) for x in (kernel_size, steps, padding))
        if divisor_override is not None:
            return batched(_sums, input, rank, kernel, steps, border, ceil_mode) / divisor_override
        more = {"ceil_mode": ceil_mode, "exclusive": not count_include_pad}
        return batched(lambda x: function(x, kernel, steps, border, **more), input, rank)

    def of_integers(x: Any, kernel: Any, stride: Any, padding: Any, ceil_mode: bool, has_border: bool, divisor: Any) -> Any:
        """The sums of the high and low halves of integers are exact in float64, and put together they overflow as int64 does."""
        place = (kernel, stride, padding, ceil_mode, has_border)
        wide, ones = as_dtype(x, "int64"), api.ones_like(x, dtype="float64")
        halves = (as_dtype(half, "float64") for half in (wide >> 32, wide & 0xFFFFFFFF, ones))
        high, low, count = (compute(half, *place, 1) for half in halves)
        total = high.astype("int64") * (1 << 32) + low.astype("int64")
        return truncated(total, api.round(count / compute(ones, *place, divisor)).astype("int64")).astype(x.type.dtype)

    compute.__name__ = name
    row(f"nn.functional.{name}")(compute)


def _adaptive_avg_pool(rank: int, name: str, function: Callable) -> None:
    def compute(input: Any, output_size: Any) -> Any:
        size = ints(output_size, rank)
        return batched(lambda x: function(x, size[0] if rank == 1 else size), input, rank)

    compute.__name__ = name
    row(name if rank == 1 else f"_C._nn.{name}", f"nn.functional.{name}")(compute)


def _evenly(length: Any, count: Any) -> tuple:
    """`count` windows that cover an axis."""
    count = length if count is None else count
    steps = api.arange(0, count, 1, "int64")
    return steps * length // count, -(-(steps + 1) * length // count), -(-length // count) + 1, 1


def _adaptive_max_pool(rank: int) -> None:
    name = f"adaptive_max_pool{rank}d"

    def with_indices(input: Any, output_size: Any, return_indices: bool = True) -> Any:
        size = ints(output_size, rank)
        return batched(lambda x: _axis_by_axis(x, [_evenly(n, size[i]) for i, n in enumerate(x.shape[2:])]), input, rank)

    def functional(input: Any, output_size: Any, return_indices: bool = False) -> Any:
        found = with_indices(input, output_size)
        return found if return_indices else found[0]

    with_indices.__name__ = functional.__name__ = name
    row(f"nn.functional.{name}_with_indices", name if rank == 1 else f"_C._nn.{name}")(with_indices)
    row(f"nn.functional.{name}")(functional)


def _put_back(x: Any, indices: Any, lengths: list) -> Any:
    """Zeros of these lengths with the elements of x [N, C, *spatial] at their places in the flattened spatial axes."""
    n, c, *counts = x.shape
    flat = [n, c, math.prod(counts)]
    zeros = api.zeros([n, c, math.prod(lengths)], x.type.dtype)
    places = counted(api.reshape(indices, flat), zeros.shape[2], "max_unpool")
    found = api.put_along_axis(zeros, places, api.reshape(x, flat), 2)
    return api.reshape(found, [n, c, *lengths])


def _max_unpool(rank: int) -> None:
    name = f"max_unpool{rank}d"

    def compute(input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Any:
        kernel, steps, border = (ints(x, rank) for x in (kernel_size, kernel_size if stride is None else stride, padding))
        lengths = [(n - 1) * steps[i] - 2 * border[i] + kernel[i] for i, n in enumerate(input.shape[-rank:])]
        if output_size is not None:
            wanted = list(output_size)[-rank:]
            if len(output_size) not in (rank, rank + 2) or any(abs(w - n) >= s for w, n, s in zip(wanted, lengths, steps)):
                raise ValueError(f"{name}: output_size {list(output_size)} doesn't fit; each length is about {lengths}")
            lengths = wanted
        indices = of_lengths(indices, input.shape, f"{name}: indices have the shape of the input")
        if rank_of(input) == rank + 2:
            return _put_back(input, indices, lengths)
        return api.squeeze(_put_back(api.unsqueeze(input, 0), api.unsqueeze(indices, 0), lengths), 0)

    compute.__name__ = name
    row(f"nn.functional.{name}")(compute)


for _rank in (1, 2, 3):
    _max_pool(_rank)
    _avg_pool(_rank, f"avg_pool{_rank}d", getattr(F, f"avg_pool{_rank}d"))
    _adaptive_avg_pool(_rank, f"adaptive_avg_pool{_rank}d", getattr(F, f"adaptive_avg_pool{_rank}d"))
    _adaptive_max_pool(_rank)
    _max_unpool(_rank)
