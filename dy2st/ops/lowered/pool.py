"""Pooling in ONNX: MaxPool and AveragePool where they mean the same; else reductions over windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from .windows import folded, padded, taken

_LEAST = {"uint8": 0, "int8": -(2**7), "int16": -(2**15), "int32": -(2**31), "int64": -(2**63)}
_ONES = (1, 1)
_FEW = 16  # means along an axis, each of which is a node


class Pool:
    """The windows of one pooling over images of `size`: how many there are, and the border that they need."""

    def __init__(
        self, g: Any, size: Sequence, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int], ceil_mode: bool
    ):
        self.g, self.size, self.kernel, self.stride = g, size, kernel, stride
        self.before, self.after = padding[::2], padding[1::2]
        axes = [*zip(size, kernel, stride, self.before, self.after)]
        self.counts = [_count(g, *axis, ceil_mode) for axis in axes]
        over = [g.most((count - 1) * s + k - n - b, a) for count, (n, k, s, b, a) in zip(self.counts, axes)]
        self.border = [self.before[0], over[0], self.before[1], over[1]]
        # onnxruntime counts windows with `ceil_mode` as we do, onnx doesn't: where lengths are known, the border says how many.
        self.ceil_mode = ceil_mode and not all(isinstance(p, int) for p in self.border)
        pads = [known if isinstance(known, int) else given for known, given in zip(self.border, padding)]
        self.pads = [pads[0], pads[2], pads[1], pads[3]]
        self.is_plain = all(p < k for p, k in zip(self.pads, (*kernel, *kernel)))

    def taken(self, x: Any, fill: Any) -> Any:
        """All windows: [N, C, kh, OH, kw, OW]."""
        return taken(self.g, padded(self.g, x, self.border, fill), self.kernel, self.counts, self.stride, _ONES)

    @property
    def attributes(self) -> dict[str, Any]:
        """The geometry as an operator takes it."""
        more = {"ceil_mode": 1} if self.ceil_mode else {}
        return {"kernel_shape": [*self.kernel], "strides": [*self.stride], "pads": self.pads, **more}

    def found(self, by_operator: bool, conditions: Sequence, operator: Callable[[], Any], windows: Callable[[], Any]) -> Any:
        """What an operator gives, where it may be used, the conditions hold and a window fits; elsewhere what windows give."""
        g = self.g
        least = [k - b - a for k, b, a in zip(self.kernel, self.before, self.after)]
        fits = [g.GreaterOrEqual(g.scalar(n), m) for n, m in zip(self.size, least) if not isinstance(n, int)]
        if not by_operator:
            return windows()
        if not (conditions := [*conditions, *fits]):
            return operator()
        (found,) = g.branch(reduce(g.And, conditions), lambda: [operator()], lambda: [windows()])
        return found

    def starts(self, axis: int) -> Any:
        """Where each window begins along an axis."""
        g = self.g
        return g.Sub(g.Mul(g.counting(self.counts[axis]), self.stride[axis]), self.before[axis])

    def divisor(self, exclusive: bool, override: Any, dtype: str) -> Any:
        """By what the sum of each window is divided: one number, or [OH, OW]."""
        g = self.g
        if override is not None:
            return g.cast(g.value(override, dtype), dtype)
        rows, columns = (self._inside(axis, exclusive) for axis in (0, 1))
        return g.cast(g.Mul(g.Unsqueeze(rows, [1]), columns), dtype)

    def _inside(self, axis: int, exclusive: bool) -> Any:
        """For each window along an axis, how many of its places count: on the image and, unless `exclusive`, on the padding."""
        g, start = self.g, self.starts(axis)
        low, high = (0, self.size[axis]) if exclusive else (-self.before[axis], self.size[axis] + self.after[axis])
        return g.Sub(g.Min(g.Add(start, self.kernel[axis]), g.scalar(high)), g.Max(start, low))


def _count(g: Any, size: Any, kernel: int, stride: int, before: int, after: int, ceil_mode: bool) -> Any:
    """How many windows there are; with `ceil_mode` the last one must at least start on the image."""
    room = size + before + after - kernel
    if not ceil_mode:
        return room // stride + 1
    count, starts = (room + stride - 1) // stride + 1, (size + before + stride - 1) // stride
    return g.least(count, g.most(starts, count - 1))


# --- max_pool2d --------------------------------------------------------------------------------------------------------


def max_pool2d(
    g: Any, x: Any, kernel_size: Sequence[int], stride: Sequence[int], padding: Sequence[int], ceil_mode: bool = False
) -> Any:
    """MaxPool, where no element is nan or -inf, of which onnxruntime's gives something else: their sum would be one of these."""
    pool = Pool(g, g.dims(x)[2:], kernel_size, stride, padding, ceil_mode)
    by_operator = pool.is_plain and x.dtype in ("float32", "float64", "float16", "uint8", "int8")
    is_rectified = x.dtype == "float32" and g.is_rectified(x) and isinstance(g.dims(x)[1], int) and not pool.ceil_mode
    are_plain = [] if x.dtype in _LEAST or is_rectified else [g.Greater(g.reduce("ReduceSum", x, None), -np.inf)]
    operator = partial(_of_rectified, g, x, pool) if is_rectified else partial(g.MaxPool, x, **pool.attributes)
    return pool.found(by_operator, are_plain, operator, lambda: _largest(g, pool.taken(x, _least(x.dtype))))


def _of_rectified(g: Any, x: Any, pool: Pool) -> Any:
    """MaxPool of elements that are nan or at least 0, of whose average a window with nan alone has nan.

    The negative average, rectified, is nan there, and else 0. All nodes are such as onnxruntime has kernels of blocked channels
    for, so that a network stays in that layout: a branch on the sum costs ResNet-18 a tenth of its time.
    """
    average = g.AveragePool(x, **pool.attributes)
    negative = g.Conv(average, g.filled("float32", -1, [g.dims(x)[1], 1, 1, 1]), group=g.dims(x)[1])
    return g.Add(g.MaxPool(x, **pool.attributes), g.Relu(negative))


def _least(dtype: str) -> Any:
    return _LEAST.get(dtype, -np.inf)


def _largest(g: Any, windows: Any) -> Any:
    """The maximum of each window; nan where it has one."""
    found = g.reduce("ReduceMax", windows, [2, 4])
    if windows.dtype in _LEAST:
        return found
    has_nan = g.reduce("ReduceMax", g.cast(g.IsNaN(windows), "uint8"), [2, 4])
    return g.Where(g.cast(has_nan, "bool"), np.nan, found)


def max_pool2d_indices(
    g: Any, x: Any, kernel_size: Sequence[int], stride: Sequence[int], padding: Sequence[int], ceil_mode: bool = False
) -> Any:
    """The first place on the image that is as large as its window's maximum."""
    size = g.dims(x)[2:]
    pool = Pool(g, size, kernel_size, stride, padding, ceil_mode)
    if not pool.is_plain:
        g.refuse("a window may lie on the padding alone; take a padding shorter than the window")
    windows = pool.taken(x, _least(x.dtype))
    on_image = g.cast(pool.taken(g.filled("uint8", 1, [1, 1, *size]), 0), "bool")
    largest = g.Equal(windows, g.Unsqueeze(_largest(g, windows), [2, 4]))
    if x.dtype not in _LEAST:
        largest = g.Or(largest, g.IsNaN(windows))
    candidates = g.Transpose(g.cast(g.And(largest, on_image), "uint8"), perm=[0, 1, 3, 5, 2, 4])
    shape = [*g.dims(x)[:2], *pool.counts, kernel_size[0] * kernel_size[1]]
    place = g.place("ArgMax", g.reshaped(candidates, shape), -1)
    row = g.Add(g.Div(place, kernel_size[1]), g.Unsqueeze(pool.starts(0), [1]))
    column = g.Add(g.Mod(place, kernel_size[1]), pool.starts(1))
    return g.Add(g.Mul(row, g.scalar(size[1])), column)


# --- avg_pool2d ----------------------------------------------------------------------------------------------------------


def avg_pool2d(
    g: Any, x: Any, kernel_size: Sequence[int], stride: Sequence[int], padding: Sequence[int], ceil_mode: bool = False,
    exclusive: bool = True, divisor_override: Any = None,
) -> Any:  # fmt: skip
    """AveragePool."""
    pool = Pool(g, g.dims(x)[2:], kernel_size, stride, padding, ceil_mode)
    counts_alike = exclusive or pool.border == [*padding] or not ceil_mode
    by_operator = pool.is_plain and counts_alike and x.dtype in ("float32", "float16") and divisor_override is None

    def summed() -> Any:
        total = g.reduce("ReduceSum", pool.taken(x, 0), [2, 4])
        return g.Div(total, pool.divisor(exclusive, divisor_override, x.dtype))

    operator = partial(g.AveragePool, x, count_include_pad=int(not exclusive), **pool.attributes)
    return pool.found(by_operator, [], operator, summed)


def avg_pool2d_grad(
    g: Any, slope: Any, input_size: Sequence, kernel_size: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    ceil_mode: bool = False, exclusive: bool = True, divisor_override: Any = None,
) -> Any:  # fmt: skip
    """Each window's share added to all of its places."""
    pool = Pool(g, [g.whole(d) for d in input_size], kernel_size, stride, padding, ceil_mode)
    shares = g.Unsqueeze(g.Div(slope, pool.divisor(exclusive, divisor_override, slope.dtype)), [2, 4])
    parts = g.Expand(shares, [1, 1, kernel_size[0], 1, kernel_size[1], 1])
    return folded(g, parts, kernel_size, pool.counts, stride, _ONES, pool.size, pool.border)


# --- adaptive_avg_pool2d -------------------------------------------------------------------------------------------------


def adaptive_avg_pool2d(g: Any, x: Any, output_size: Sequence) -> Any:
    """The mean where one element is left, else of each stretch; the run fails without elements.

    Of open lengths it is a product with matrices that average stretches, in which NaN and infinity spread.
    """
    size = g.dims(x)[2:]
    wanted = [n if s is None else g.whole(s) for s, n in zip(output_size, size)]
    if wanted == [1, 1]:
        found = g.GlobalAveragePool(x) if x.dtype == "float32" else g.reduce("ReduceMean", x, [2, 3], True)
        area = g.product(size)
        return found if isinstance(area, int) else g.checked(found, g.Greater(g.scalar(area), 0))
    if all(isinstance(n, int) and 0 < n and isinstance(s, int) and 0 < s <= _FEW for n, s in zip(size, wanted)):
        for axis, (n, s) in enumerate(zip(size, wanted), 2):
            x = x if n == s else g.Concat(*(_mean(g, x, axis, *ends) for ends in stretches(n, s)), axis=axis)
        return x
    size = [g.positive(n) for n in size]
    rows, columns = (_averaging(g, n, s, x.dtype) for n, s in zip(size, wanted))
    return g.MatMul(g.MatMul(rows, x), g.Transpose(columns, perm=[1, 0]))


def stretches(size: int, length: int) -> list[tuple[int, int]]:
    """What each of `length` means is taken of: from floor(i * size / length) to ceil((i + 1) * size / length)."""
    return [(i * size // length, -(-(i + 1) * size // length)) for i in range(length)]


def _mean(g: Any, x: Any, axis: int, start: int, stop: int) -> Any:
    part = g.Slice(x, [start], [stop], [axis])
    return part if stop - start == 1 else g.reduce("ReduceMean", part, [axis], True)


def adaptive_avg_pool2d_grad(g: Any, slope: Any, input_size: Sequence) -> Any:
    """The same matrices from the other side."""
    rows, columns = (_averaging(g, g.whole(n), s, slope.dtype) for n, s in zip(input_size, g.dims(slope)[2:]))
    return g.MatMul(g.MatMul(g.Transpose(rows, perm=[1, 0]), slope), columns)


def _averaging(g: Any, size: Any, length: Any, dtype: str) -> Any:
    """[length, size]: row i averages the stretch from floor(i * size / length) to ceil((i + 1) * size / length)."""
    rows, columns = g.Unsqueeze(g.counting(length), [1]), g.counting(size)
    size, length = g.scalar(size), g.scalar(g.most(length, 1))
    start = g.Div(g.Mul(rows, size), length)
    stop = g.Div(g.Add(g.Mul(g.Add(rows, 1), size), g.Sub(length, 1)), length)
    inside = g.And(g.GreaterOrEqual(columns, start), g.Less(columns, stop))
    return g.Where(inside, g.Reciprocal(g.cast(g.Sub(stop, start), dtype)), 0)
