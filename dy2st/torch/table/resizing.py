"""Lines, images and volumes in another size, one axis after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from ...api.converted import converted
from ...api.known import is_less
from ...ops.half import in_float32
from .axes import rank_of
from .rows import refused, row
from .spatial import ints

F = api.nn.functional

_RANKS = {"linear": 1, "bilinear": 2, "bicubic": 2, "lanczos": 2, "trilinear": 3}
_AREA: list[Any] = [F.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d]


def _cubic(a: float) -> Callable:
    """The weight of an element at a distance (Keys, 1981)."""

    def weight(x: Any) -> Any:
        near = ((a + 2) * x - (a + 3)) * x * x + 1
        far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return api.where(x < 1, near, api.where(x < 2, far, api.zeros_like(x)))

    return weight


def _tent(x: Any) -> Any:
    return api.clip(1 - x, min=0.0)


def _lanczos(x: Any) -> Any:
    return api.where(x < 3, api.sinc(x) * api.sinc(x / 3), api.zeros_like(x))


def _nearest(x: Any, axis: int, length: Any, ratio: Any, offset: float) -> Any:
    places = api.floor((api.arange(0, length, 1, "float32") + offset) * ratio).astype("int64")
    return api.index_select(x, api.clip(places, 0, x.shape[axis] - 1), axis)


def _sources(length: Any, ratio: Any, align_corners: bool, dtype: str) -> Any:
    """Where the elements of the result lie in the input."""
    steps = api.arange(0, length, 1, dtype)
    return steps * ratio if align_corners else (steps + 0.5) * ratio - 0.5


def _interpolated(x: Any, axis: int, source: Any, is_cubic: bool) -> Any:
    """Elements between neighbours; those outside are the nearest inside."""
    source = source if is_cubic else api.clip(source, min=0.0)
    below = api.floor(source)
    part = api.reshape(source - below, [-1] + [1] * (rank_of(x) - 1 - axis)).astype(x.type.dtype)
    weight = _cubic(-0.75) if is_cubic else _tent
    total: Any = None
    for step in (-1, 0, 1, 2) if is_cubic else (0, 1):
        places = api.clip(below.astype("int64") + step, 0, x.shape[axis] - 1)
        found = api.index_select(x, places, axis) * weight(api.abs(part - step))
        total = found if total is None else total + found
    return total


def _antialiased(x: Any, axis: int, source: Any, ratio: Any, mode: str) -> Any:
    """Elements that are means of all those around them, by as much as there are fewer of them."""
    weight = {"bilinear": _tent, "bicubic": _cubic(-0.5), "lanczos": _lanczos}[mode]
    wide = converted(max)(ratio, 1.0)
    places = api.arange(0, x.shape[axis], 1, source.type.dtype)
    weights = weight(api.abs(places - api.unsqueeze(source, 1)) / wide)
    weights = (weights / api.sum(weights, axis=1, keepdim=True)).astype(x.type.dtype)
    last = api.moveaxis(x, axis, -1)
    return api.moveaxis(api.matmul(last, weights, transpose_y=True), -1, axis)


def _resized(x: Any, lengths: list, ratios: list, mode: str, align_corners: bool, antialias: bool) -> Any:
    """[N, C, *spatial] with other spatial lengths; ratios: how many old elements there are for a new one."""
    dtype = "float64" if x.type.dtype == "float64" else "float32"
    for i, (length, ratio) in enumerate(zip(lengths, ratios)):
        axis = 2 + i
        if mode.startswith("nearest"):
            x = _nearest(x, axis, length, ratio, 0.5 if mode == "nearest-exact" else 0.0)
            continue
        source = _sources(length, ratio, align_corners and not antialias, dtype)
        x = _antialiased(x, axis, source, ratio, mode) if antialias else _interpolated(x, axis, source, mode == "bicubic")
    return x


def _whole(x: Any) -> Any:
    """The int at or below a positive number, which only the Program may know."""
    return converted(int)(x)


def _geometry(old: list, size: Any, scale: Any, recompute: Any, align_corners: bool) -> tuple[list, list]:
    """The new lengths, and how many old elements there are for a new one."""
    rank = len(old)
    if size is not None:
        lengths, scales = ints(size, rank), ints(None, rank)
    else:
        scales = ints(scale, rank)
        lengths = [_whole(n * converted(float)(s)) for n, s in zip(old, scales)]
        scales = ints(None, rank) if recompute else scales
    if len(lengths) != rank or len(scales) != rank:
        raise ValueError(f"Input and output must have the same number of spatial dimensions, {rank}")
    if align_corners:
        return lengths, [(n - 1) * is_less(1, m) / converted(max)(m - 1, 1) for n, m in zip(old, lengths)]
    return lengths, [n / m if s is None else 1.0 / s for n, m, s in zip(old, lengths, scales)]


@row("nn.functional.interpolate", "nn.functional.upsample")
@in_float32
def interpolate(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None,
    recompute_scale_factor: Any = None, antialias: bool = False,
) -> Any:  # fmt: skip
    """Another size, or a multiple of its own."""
    rank = rank_of(input) - 2
    if (size is None) == (scale_factor is None):
        raise ValueError("only one of size or scale_factor should be defined")
    if mode not in ("nearest", "nearest-exact", "area") and _RANKS.get(mode) != rank:
        raise NotImplementedError(f"Input Error: mode {mode!r} doesn't take a tensor of {rank_of(input)} axes")
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError("align_corners option can only be set with the interpolating modes")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if antialias and mode not in ("bilinear", "bicubic", "lanczos"):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic and lanczos modes")
    if mode == "lanczos" and not antialias:
        raise ValueError("lanczos mode requires antialias=True")
    lengths, ratios = _geometry(input.shape[2:], size, scale_factor, recompute_scale_factor, bool(align_corners))
    if mode == "area":
        return _AREA[rank - 1](input, lengths[0] if rank == 1 else lengths)
    if not mode.startswith("nearest") and "float" not in input.type.dtype:
        raise refused(f"interpolate of {input.type.dtype} with mode={mode!r} isn't mapped; write x.float()")
    return _resized(input, lengths, ratios, mode, bool(align_corners), antialias)


row("nn.functional.upsample_nearest")(lambda input, size=None, scale_factor=None: interpolate(input, size, scale_factor))


@row("nn.functional.upsample_bilinear")
def upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """Bilinear interpolation between corners that coincide."""
    return interpolate(input, size, scale_factor, "bilinear", True)


@row("_C._nn._upsample_bilinear2d_aa", "ops.aten._upsample_bilinear2d_aa")
def upsample_bilinear2d_aa(
    input: Any, output_size: Any, align_corners: bool, scale_factors: Any = None, scales_w: Any = None, *, scales_h: Any = None
) -> Any:
    """Bilinear interpolation with means of what is made smaller; the fourth may be a scale of the height alone."""
    if output_size is None:
        lengths, ratios = _geometry(input.shape[2:], None, scale_factors, None, align_corners)
    else:
        lengths, ratios = _geometry(input.shape[2:], output_size, None, None, align_corners)
        scales = [scale_factors if scales_h is None else scales_h, scales_w]
        ratios = ratios if align_corners else [r if s is None else 1.0 / s for r, s in zip(ratios, scales)]
    return _resized(input, lengths, ratios, "bilinear", align_corners, True)
