"""Images, lines and volumes in another size, as functions, under Paddle's names.

An axis is resized after the other: each element of the result is a weighed sum of its neighbours in the input.
"""

from __future__ import annotations

from typing import Any

from ...api.checks import floating
from ...api.converted import converted
from ...api.creation import arange
from ...api.gathering import index_select
from ...api.manipulation import reshape
from ...api.math import clip, floor
from ...api.shape_args import int_list
from ...errors import ShapeError
from ...ops.half import in_float32
from ...runtime.tensors.tensor import Tensor
from .pooling import adaptive_avg_pool2d
from .pooling_lines import adaptive_avg_pool1d, adaptive_avg_pool3d
from .windows import FORMATS, channels_back, channels_first

__all__ = ["interpolate", "upsample"]

AXES = {"nearest": (2, 3), "linear": (1,), "bilinear": (2,), "bicubic": (2,), "trilinear": (3,), "area": (1, 2, 3)}
AREA: dict[int, Any] = {1: adaptive_avg_pool1d, 2: adaptive_avg_pool2d, 3: adaptive_avg_pool3d}


@in_float32
def interpolate(
    x: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False,
    align_mode: int = 0, data_format: str | None = None, recompute_scale_factor: bool | None = None, antialias: bool = False,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """x [N, C, *spatial] with the spatial lengths `size`, or `scale_factor` times its own.

    mode: nearest (images, volumes), linear (lines), bilinear or bicubic (images; Keys, 1981), trilinear (volumes), area (the
    mean). With `align_corners` the first and last elements of input and output coincide; otherwise elements are intervals, whose
    centres count, or, with align_mode=1, their starts. data_format: channels first where None. recompute_scale_factor: whether
    the ratio is that of the lengths. The result has the dtype of x; integers become the default dtype. ValueError: not just one
    of size and scale_factor, another mode, or numbers that don't fit. ShapeError: a mode for other numbers of axes.
    NotImplementedError: `antialias`.

    >>> dy2st.nn.functional.interpolate(dy2st.ones([1, 3, 4, 4]), scale_factor=2).shape
    [1, 3, 8, 8]
    """
    op, mode = "interpolate", mode.lower()
    rank = _spatial_rank(op, x, mode)
    if align_corners and mode == "nearest":
        raise ValueError(f"{op}: align_corners goes with mode linear, bilinear, bicubic or trilinear, not nearest")
    if antialias:
        raise NotImplementedError(f"{op}: antialias=True is not supported; mode='area' averages what is made smaller")
    layout = FORMATS[rank][0] if data_format is None else data_format.upper().replace("W", "L") if rank == 1 else data_format
    x, last = channels_first(op, floating(op, x), layout, rank)
    lengths, ratios = _geometry(op, x, rank, size, scale_factor, recompute_scale_factor, align_corners)
    if mode == "area":
        return channels_back(AREA[rank](x, lengths[0] if rank == 1 else lengths), last, rank)
    for i in range(rank):
        x = _resized(x, 2 + i, lengths[i], ratios[i], mode, align_corners, align_mode)
    return channels_back(x, last, rank)


def _spatial_rank(op: str, x: Tensor, mode: str) -> int:
    if mode not in AXES:
        raise ValueError(f"{op}: mode is one of {', '.join(AXES)}, not {mode!r}")
    rank = (x.type.rank or 0) - 2
    if rank not in AXES[mode]:
        taken = " or ".join(str(n + 2) for n in AXES[mode])
        raise ShapeError(f"{op}: mode {mode!r} takes a tensor of {taken} axes, not {x.type}")
    return rank


def _geometry(
    op: str, x: Tensor, rank: int, size: Any, scale: Any, recompute: bool | None, align_corners: bool
) -> tuple[list, list]:
    """For each spatial axis its new length, and how many old elements there are for a new one."""
    if (size is None) == (scale is None):
        raise ValueError(f"{op}: give either size or scale_factor")
    old = x.shape[2:]
    if size is not None:
        lengths: Any = int_list(op, [size] * rank if isinstance(size, int) else size, "size")
        factors: Any = [None] * rank
    else:
        factors = [float(s) for s in (scale if isinstance(scale, (list, tuple)) else [scale] * rank)]
        if len(factors) != rank or min(factors) <= 0:
            raise ValueError(f"{op}: scale_factor is a positive number, or one for each of {rank} axes, not {scale}")
        lengths = [converted(int)(d * s) for d, s in zip(old, factors)]
    if len(lengths) != rank:
        raise ValueError(f"{op}: size has a length for each of {rank} axes, unlike {size}")
    if align_corners:
        # A single new element is the first of the old ones, whatever the ratio.
        return lengths, [(d - 1) / converted(max)(n - 1, 1) for d, n in zip(old, lengths)]
    return lengths, [d / n if s is None or recompute else 1.0 / s for d, n, s in zip(old, lengths, factors)]


def _resized(x: Tensor, axis: int, length: Any, ratio: Any, mode: str, align_corners: bool, align_mode: int) -> Tensor:
    old = x.shape[axis]
    positions = arange(0, length, 1, "float32")
    starts = align_corners or mode == "nearest" or (align_mode == 1 and mode != "bicubic")
    source = positions * ratio if starts else (positions + 0.5) * ratio - 0.5
    if mode not in ("bicubic", "nearest"):
        source = clip(source, min=0.0)
    below = floor(source)
    first = below.astype("int64")
    if mode == "nearest":
        return _neighbour(x, axis, first, old)
    wide = [-1] + [1] * (len(x.shape) - 1 - axis)
    part = reshape(source - below, wide).astype(x.dtype)
    weights = _cubic(part) if mode == "bicubic" else [(0, 1.0 - part), (1, part)]
    total: Any = None
    for step, weight in weights:
        found = _neighbour(x, axis, first + step, old) * weight
        total = found if total is None else total + found
    return total


def _neighbour(x: Tensor, axis: int, positions: Tensor, length: Any) -> Tensor:
    """The elements at `positions` along `axis`, where those outside are the nearest inside."""
    return index_select(x, clip(positions, 0, length - 1), axis)


def _cubic(t: Tensor) -> list[tuple[int, Tensor]]:
    """The weights of the four neighbours of a position a part `t` behind one of them (Keys, 1981)."""
    a = -0.75

    def near(d: Tensor) -> Tensor:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: Tensor) -> Tensor:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a

    return [(-1, far(t + 1)), (0, near(t)), (1, near(1 - t)), (2, far(2 - t))]


def upsample(
    x: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False,
    align_mode: int = 0, data_format: str | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """x in another size, as `interpolate`: size, scale_factor, mode, align_corners, align_mode, data_format."""
    return interpolate(x, size, scale_factor, mode, align_corners, align_mode, data_format)
