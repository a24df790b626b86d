"""Pooling as functions, under Paddle's names. x is [N, C, H, W], or [N, H, W, C] with data_format="NHWC"."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, need_tensor
from ...ops import pool
from ...runtime.tensor import Tensor
from .windows import channels_back, channels_first, padding_of, pair

__all__ = ["adaptive_avg_pool2d", "avg_pool2d", "max_pool2d"]


def _geometry(op: str, x: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool) -> dict[str, Any]:
    kernel = pair(op, kernel_size, "kernel_size")
    steps = kernel if stride is None else pair(op, stride, "stride")
    border = padding_of(op, x, padding, kernel, steps, [1, 1])
    return {"kernel_size": kernel, "stride": steps, "padding": border, "ceil_mode": bool(ceil_mode)}


def max_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """The largest element of each window; `stride` None means windows side by side.

    With `return_mask` also int64 indices into the flattened H * W, of the output's shape.
    """
    x, last = channels_first("max_pool2d", need_tensor("max_pool2d", x), data_format)
    geometry = _geometry("max_pool2d", x, kernel_size, stride, padding, ceil_mode)
    out = channels_back(pool.max_pool2d(x, **geometry), last)
    return (out, channels_back(pool.max_pool2d_indices(x, **geometry), last)) if return_mask else out


def avg_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: Any = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Tensor:
    """The mean of each window; with `exclusive`, of its elements on the tensor, not of the padding."""
    x, last = channels_first("avg_pool2d", floating("avg_pool2d", x), data_format)
    geometry = _geometry("avg_pool2d", x, kernel_size, stride, padding, ceil_mode)
    out = pool.avg_pool2d(x, **geometry, exclusive=bool(exclusive), divisor_override=divisor_override)
    return channels_back(out, last)


def adaptive_avg_pool2d(x: Tensor, output_size: Any, data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """The mean of `output_size` (an int or two; None keeps a length) windows that cover the tensor evenly."""
    x, last = channels_first("adaptive_avg_pool2d", floating("adaptive_avg_pool2d", x), data_format)
    sizes = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size, output_size]
    if len(sizes) != 2 or not all(s is None or (isinstance(s, int) and s > 0) for s in sizes):
        raise ValueError(f"adaptive_avg_pool2d: output_size is a positive int or two (or None), not {output_size!r}")
    return channels_back(pool.adaptive_avg_pool2d(x, output_size=sizes), last)
