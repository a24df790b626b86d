"""Images read at any positions, as functions, under Paddle's names. Positions are (x, y) from -1 to 1."""

from __future__ import annotations

from typing import Any

from ...api.checks import floating, operands
from ...api.compare import where
from ...api.creation import arange, ones
from ...api.gathering import take_along_axis
from ...api.joining import stack
from ...api.linalg import matmul
from ...api.manipulation import expand, reshape, unsqueeze
from ...api.math import abs, clip, floor, round
from ...api.shape_args import int_list
from ...errors import ShapeError
from ...ops import views
from ...ops.half import in_float32
from ...runtime.tensors.tensor import Tensor

__all__ = ["affine_grid", "grid_sample"]


def _places(length: Any, align_corners: bool, dtype: Any) -> Tensor:
    """`length` positions from -1 to 1: the ends themselves with `align_corners`, else the centres of as many intervals."""
    steps = arange(0, length, 1, dtype)
    return steps * (2.0 / (length - 1)) - 1.0 if align_corners else (steps * 2.0 + 1.0) / length - 1.0


def affine_grid(theta: Tensor, out_shape: Any, align_corners: bool = True, name: str | None = None) -> Tensor:
    """The positions [N, H, W, 2] that theta [N, 2, 3] maps those of an image of shape out_shape [N, C, H, W] to.

    Places are (x, y) from -1 to 1, at the middles of the outer pixels with `align_corners`, else at their edges. In the dtype of
    theta, the default one for integers. See Jaderberg et al., 2015. ShapeError: another number of lengths.
    """
    theta = floating("affine_grid", theta)
    lengths = int_list("affine_grid", out_shape, "out_shape")
    if len(lengths) != 4:
        raise ShapeError(f"affine_grid: out_shape is [N, C, H, W], not {out_shape}")
    n, _, h, w = lengths
    x = expand(unsqueeze(_places(w, align_corners, theta.dtype), 0), [h, w])
    y = expand(unsqueeze(_places(h, align_corners, theta.dtype), 1), [h, w])
    base = views.reshape(stack([x, y, ones([h, w], theta.dtype)], axis=2), shape=[1, h * w, 3])
    return views.reshape(matmul(base, theta, transpose_y=True), shape=[n, h, w, 2])  # a 0 is a length, and none of another axis


@in_float32
def grid_sample(
    x: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """x [N, C, H, W] read at the positions grid [N, OH, OW, 2], (x, y) from -1 to 1: [N, C, OH, OW].

    mode: bilinear or nearest. Outside the image are zeros, its border, or its reflection (padding_mode: "zeros", "border",
    "reflection"). align_corners: as in `affine_grid`. Dtypes are promoted, integers become the default dtype. ValueError: another
    mode or padding_mode. ShapeError: other numbers of axes.
    """
    op = "grid_sample"
    if mode not in ("bilinear", "nearest"):
        raise ValueError(f"{op}: mode is 'bilinear' or 'nearest', not {mode!r}")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(f"{op}: padding_mode is 'zeros', 'border' or 'reflection', not {padding_mode!r}")
    x, grid = operands(op, floating(op, x), floating(op, grid))
    if x.type.rank != 4 or grid.type.rank != 4:
        raise ShapeError(f"{op} takes an image [N, C, H, W] and positions [N, OH, OW, 2], not {x.type} and {grid.type}")
    column = _in_pixels(grid[:, :, :, 0], x.shape[3], padding_mode, align_corners)
    row = _in_pixels(grid[:, :, :, 1], x.shape[2], padding_mode, align_corners)
    if mode == "nearest":
        return _read(x, round(row), round(column))
    top, left = floor(row), floor(column)
    down, right = row - top, column - left
    return (
        _weighed(x, top, left, (1.0 - down) * (1.0 - right))
        + _weighed(x, top, left + 1.0, (1.0 - down) * right)
        + _weighed(x, top + 1.0, left, down * (1.0 - right))
        + _weighed(x, top + 1.0, left + 1.0, down * right)
    )


def _in_pixels(position: Tensor, length: Any, padding_mode: str, align_corners: bool) -> Tensor:
    at = (position + 1.0) * ((length - 1) / 2) if align_corners else ((position + 1.0) * length - 1.0) / 2
    if padding_mode == "reflection":
        at = _reflected(at, length, align_corners)
    return at if padding_mode == "zeros" else clip(at, 0, length - 1)


def _reflected(at: Tensor, length: Any, align_corners: bool) -> Tensor:
    """Places mirrored into the image: at the middles of its outer pixels with `align_corners`, else at their edges."""
    low = 0.0 if align_corners else -0.5
    span = length - 1 if align_corners else length
    away = abs(at - low)
    turns = floor(away / span)
    rest = away - turns * span
    even = (turns - floor(turns / 2) * 2) < 0.5
    return where(even, rest, span - rest) + low


def _weighed(x: Tensor, row: Tensor, column: Tensor, weight: Tensor) -> Tensor:
    return _read(x, row, column) * unsqueeze(weight, 1)


def _read(x: Tensor, row: Tensor, column: Tensor) -> Tensor:
    """The pixels [N, C, OH, OW] of x at whole positions [N, OH, OW]; outside the image 0."""
    n, c, h, w = x.shape
    oh, ow = row.shape[1:]
    inside = (row >= 0) & (row <= h - 1) & (column >= 0) & (column <= w - 1)
    flat = clip(row, 0, h - 1).astype("int64") * w + clip(column, 0, w - 1).astype("int64")
    positions = expand(reshape(flat, [n, 1, oh * ow]), [n, c, oh * ow])
    found = reshape(take_along_axis(reshape(x, [n, c, h * w]), positions, 2), [n, c, oh, ow])
    return found * unsqueeze(inside, 1).astype(x.dtype)
