"""Convolutions in ONNX: Conv and ConvTranspose, which onnxruntime computes in float32; others as products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .integer_sums import added
from .windows import folded, padded, taken

_BY_CONV = ("float32", "float16")


def conv2d(
    g: Any, x: Any, weight: Any, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], groups: int
) -> Any:
    """Conv."""
    if x.dtype in _BY_CONV:
        top, bottom, left, right = padding
        return g.Conv(x, weight, strides=[*stride], pads=[top, left, bottom, right], dilations=[*dilation], group=groups)
    (n, _, *size), (out, per_group, *kernel) = g.dims(x), g.dims(weight)
    counts = [_count(*each) for each in zip(size, kernel, stride, dilation, padding[::2], padding[1::2])]
    rows = g.reshaped(weight, [groups, out // groups, g.product([per_group, *kernel])])
    found = g.MatMul(rows, _columns(g, padded(g, x, padding), kernel, counts, stride, dilation, groups))
    return g.reshaped(found, [n, out, *counts])


def _count(size: Any, kernel: int, stride: int, dilation: int, before: int, after: int) -> Any:
    return (size + before + after - dilation * (kernel - 1) - 1) // stride + 1


def _columns(g: Any, x: Any, kernel: Sequence, counts: Sequence, stride: Sequence, dilation: Sequence, groups: int) -> Any:
    """[N, groups, C / groups * kh * kw, OH * OW]: the windows as columns."""
    n, c = g.dims(x)[:2]
    found = g.Transpose(taken(g, x, kernel, counts, stride, dilation), perm=[0, 1, 2, 4, 3, 5])
    return g.reshaped(found, [n, groups, g.product([c // groups, *kernel]), g.product(counts)])


def input_grad(
    g: Any, slope: Any, weight: Any, input_size: Sequence, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    groups: int,
) -> Any:  # fmt: skip
    """ConvTranspose, cut or filled to the size of the input."""
    size = [g.whole(d) for d in input_size]
    (n, out, *counts), (_, per_group, *kernel) = g.dims(slope), g.dims(weight)
    counts = [g.positive(count) for count in counts]
    if slope.dtype not in _BY_CONV:
        length = g.product([per_group, *kernel])
        rows = g.Transpose(g.reshaped(weight, [groups, out // groups, length]), perm=[0, 2, 1])
        columns = g.MatMul(rows, g.reshaped(slope, [n, groups, out // groups, g.product(counts)]))
        parts = g.Transpose(g.reshaped(columns, [n, per_group * groups, *kernel, *counts]), perm=[0, 1, 2, 4, 3, 5])
        return folded(g, parts, kernel, counts, stride, dilation, size, padding)
    # How far the windows reach beyond the end of the input; negative where they end before it.
    before = [padding[0], padding[2]]
    over = [(c - 1) * s + (k - 1) * d + 1 - b - n for c, s, k, d, b, n in zip(counts, stride, kernel, dilation, before, size)]
    geometry = {"strides": [*stride], "dilations": [*dilation], "group": groups}
    if all(isinstance(o, int) and n > 0 and o + n > 0 for o, n in zip(over, size)):
        pads, more = [max(o, 0) for o in over], [max(-o, 0) for o in over]
        return g.ConvTranspose(slope, weight, pads=[*before, *pads], output_padding=more, **geometry)
    return padded(g, g.ConvTranspose(slope, weight, **geometry), [-before[0], -over[0], -before[1], -over[1]])


def weight_grad(
    g: Any, x: Any, slope: Any, kernel_size: Sequence, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    groups: int,
) -> Any:  # fmt: skip
    """For each image a product of matrices, and the sum of them."""
    kernel = [g.whole(d) for d in kernel_size]
    (c, (n, out, *counts)) = g.dims(x)[1], g.dims(slope)
    columns = _columns(g, padded(g, x, padding), kernel, counts, stride, dilation, groups)
    rows = g.reshaped(slope, [n, groups, out // groups, g.product(counts)])
    found = added(g, g.MatMul(rows, g.Transpose(columns, perm=[0, 1, 3, 2])), [0])
    return g.reshaped(found, [out, c // groups, *kernel])
