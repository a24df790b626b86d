"""Pooling of images as functions, under Paddle's names. x is [N, C, H, W], or [N, H, W, C] with data_format="NHWC"."""

from __future__ import annotations

import math
from typing import Any

from ...api.checks import floating, need_tensor
from ...api.known import need_known
from ...ops import pool
from ...runtime.tensors.tensor import Tensor
from .windows import COUNTS, channels_back, channels_first, padding_of, sizes

__all__ = ["adaptive_avg_pool2d", "avg_pool2d", "lp_pool2d", "max_pool2d"]


def geometry(op: str, x: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, rank: int = 2) -> dict[str, Any]:
    """The attributes of a pooling over `rank` spatial axes; `stride` None means windows side by side."""
    kernel = sizes(op, kernel_size, "kernel_size", rank)
    steps = kernel if stride is None else sizes(op, stride, "stride", rank)
    border = padding_of(op, x, padding, kernel, steps, [1] * rank)
    return {"kernel_size": kernel, "stride": steps, "padding": border, "ceil_mode": bool(ceil_mode)}


def lengths(op: str, output_size: Any, rank: int) -> list:
    """The `output_size` of an adaptive pooling for each axis: positive ints, or None to keep a length."""
    need_known(op, output_size=output_size)
    found = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * rank
    if len(found) != rank or not all(s is None or (isinstance(s, int) and s > 0) for s in found):
        raise ValueError(f"{op}: output_size is a positive int or {COUNTS[rank]} (or None), not {output_size!r}")
    return found


def max_pool2d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
    data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The largest element of each window of x [N, C, H, W], or [N, H, W, C] with data_format="NHWC": [N, C, OH, OW].

    kernel_size, stride: an int or two; `stride` None means windows side by side. padding: as in `conv2d`. ceil_mode: whether a
    window that ends outside counts. The result has the dtype and the data_format of x. With `return_mask` also int32 indices into
    the flattened H * W, of the output's shape.

    >>> dy2st.nn.functional.max_pool2d(dy2st.ones([1, 3, 8, 8]), 2).shape
    [1, 3, 4, 4]
    """
    x, last = channels_first("max_pool2d", need_tensor("max_pool2d", x), data_format)
    attrs = geometry("max_pool2d", x, kernel_size, stride, padding, ceil_mode)
    out = channels_back(pool.max_pool2d(x, **attrs), last)
    return (out, channels_back(pool.max_pool2d_indices(x, **attrs).astype("int32"), last)) if return_mask else out


def avg_pool2d(
    x: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
    divisor_override: Any = None, data_format: str = "NCHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of each window of x [N, C, H, W], or [N, H, W, C] with data_format="NHWC": [N, C, OH, OW].

    With `exclusive`, of its elements on the tensor, not of the padding. `divisor_override` stands in place of the size of a whole
    window. kernel_size, stride, padding and ceil_mode as in `max_pool2d`; integers become the default dtype.

    >>> dy2st.nn.functional.avg_pool2d(dy2st.ones([1, 3, 8, 8]), 2).shape
    [1, 3, 4, 4]
    """
    x, last = channels_first("avg_pool2d", floating("avg_pool2d", x), data_format)
    attrs = geometry("avg_pool2d", x, kernel_size, stride, padding, ceil_mode)
    out = pool.avg_pool2d(x, **attrs, exclusive=bool(exclusive), divisor_override=None)
    return channels_back(divided_by(divisor_override, out, attrs["kernel_size"]), last)


def divided_by(divisor: Any, means: Tensor, kernel: list[int]) -> Tensor:
    """The means of windows as if a whole one had `divisor` elements, where that isn't None."""
    if divisor is None:
        return means
    if divisor == 0:
        raise ValueError("divisor_override must not be 0")
    return means * (math.prod(kernel) / divisor)


def lp_pool2d(
    x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    data_format: str = "NCHW", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The root of the sum of each window's elements to the power `norm_type`, a number, inf included; ValueError where 0.

    x, kernel_size, stride, padding, ceil_mode, data_format and the result's shape and dtype as in `avg_pool2d`.
    """
    if norm_type == float("inf"):
        return max_pool2d(x, kernel_size, stride, padding, ceil_mode=ceil_mode, data_format=data_format)
    if norm_type == 0:
        raise ValueError("lp_pool2d: norm_type must not be 0")
    powers, last = channels_first("lp_pool2d", floating("lp_pool2d", x) ** norm_type, data_format)
    attrs = geometry("lp_pool2d", powers, kernel_size, stride, padding, ceil_mode)
    total = pool.avg_pool2d(powers, **attrs, exclusive=False, divisor_override=1)
    return channels_back(total ** (1.0 / norm_type), last)


def adaptive_avg_pool2d(x: Tensor, output_size: Any, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """The mean of `output_size` (an int or two; None keeps a length) windows that cover x [N, C, H, W] evenly.

    data_format: "NCHW" or "NHWC", which the result has, too: [N, C, *output_size], in the dtype of x; integers become the default
    dtype. ValueError: another size.

    >>> dy2st.nn.functional.adaptive_avg_pool2d(dy2st.ones([1, 3, 7, 5]), 1).shape
    [1, 3, 1, 1]
    """
    x, last = channels_first("adaptive_avg_pool2d", floating("adaptive_avg_pool2d", x), data_format)
    return channels_back(pool.adaptive_avg_pool2d(x, output_size=lengths("adaptive_avg_pool2d", output_size, 2)), last)
