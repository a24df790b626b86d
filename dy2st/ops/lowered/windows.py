"""Windows of images [N, C, H, W] in ONNX, for what has no operator of its own: taken by Gather, and added back by scatter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .writes import along


def padded(g: Any, x: Any, padding: Sequence, value: Any = 0) -> Any:
    """A border of `value`; padding: [top, bottom, left, right], ints or lengths. Negative ones take rows away."""
    top, bottom, left, right = padding
    if all(isinstance(p, int) and p == 0 for p in padding):
        return x
    return g.Pad(x, g.ints([0, 0, top, left, 0, 0, bottom, right]), g.const(value, x.dtype))


def taken(g: Any, x: Any, kernel: Sequence, counts: Sequence, stride: Sequence, dilation: Sequence) -> Any:
    """All windows of an image: [N, C, kh, OH, kw, OW]."""
    rows, columns = (lines(g, *each) for each in zip(kernel, counts, stride, dilation))
    return g.Gather(g.Gather(x, rows, axis=2), columns, axis=4)


def lines(g: Any, kernel: Any, count: Any, stride: int, dilation: int) -> Any:
    """Along one axis, where place i of window number j is: int64[kernel, count]."""
    if isinstance(kernel, int) and isinstance(count, int):
        return g.const(np.arange(kernel)[:, None] * dilation + np.arange(count) * stride)
    return g.Add(g.Unsqueeze(g.Mul(g.counting(kernel), dilation), [1]), g.Mul(g.counting(g.positive(count)), stride))


def folded(
    g: Any, parts: Any, kernel: Sequence, counts: Sequence, stride: Sequence, dilation: Sequence, size: Sequence,
    padding: Sequence,
) -> Any:  # fmt: skip
    """The transpose of `taken`: each place of windows [N, C, kh, OH, kw, OW] is added to where it was in an image of `size`."""
    top, bottom, left, right = padding
    height, width = size[0] + top + bottom, size[1] + left + right
    n, c = g.dims(parts)[:2]
    rows, columns = (lines(g, *each) for each in zip(kernel, counts, stride, dilation))
    places = g.Add(g.Unsqueeze(g.Mul(rows, g.scalar(width)), [2, 3]), columns)
    flat = g.reshaped(parts, [n * c, g.product([*kernel, *counts])])
    index = g.Expand(g.Reshape(places, [1, -1]), g.shape_of(flat))
    image = along(g, g.zeros(parts.dtype, [n * c, height * width]), index, flat, 1, "add")
    return padded(g, g.reshaped(image, [n, c, height, width]), [-top, -bottom, -left, -right])
