"""Images and volumes read at any positions, which go from -1 to 1 along each axis, the last axis first."""

from __future__ import annotations

from itertools import product
from typing import Any

import dy2st as api

from ...ops.half import in_float32
from .axes import rank_of
from .pointwise import met
from .rows import demanded, row

_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")


@row("nn.functional.affine_grid", "affine_grid_generator")
def affine_grid(theta: Any, size: Any, align_corners: Any = None) -> Any:
    """The positions that theta maps those of an image or volume to."""
    n, _, *lengths = size
    dtype, rank = theta.type.dtype, len(lengths)
    axes = [_places(length, bool(align_corners), dtype) for length in lengths]
    shaped = [api.reshape(x, [-1 if k == i else 1 for k in range(rank)]) for i, x in enumerate(axes)]
    parts = [api.expand(x, lengths) for x in shaped[::-1]] + [api.ones(lengths, dtype)]
    base = api.reshape(api.stack(parts, axis=rank), [1, -1, rank + 1])
    return api.reshape(api.matmul(base, theta, transpose_y=True), [n, *lengths, rank])


def _places(length: Any, align_corners: bool, dtype: str) -> Any:
    """Positions from -1 to 1: the ends themselves with `align_corners`, else the centres of as many intervals."""
    steps = api.arange(0, length, 1, dtype)
    if not align_corners:
        return (steps * 2.0 + 1.0) / length - 1.0
    return steps * (2.0 / (length - 1)) - 1.0 if length != 1 else api.zeros_like(steps)


@row("nn.functional.grid_sample")
@in_float32
def grid_sample(input: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: Any = None) -> Any:
    """[N, C, *spatial] read at positions [N, *places, axes]."""
    rank = rank_of(input) - 2
    if mode not in _MODES or padding_mode not in _PADDINGS or (mode == "bicubic" and rank != 2):
        raise ValueError(f"grid_sample doesn't take mode={mode!r} with padding_mode={padding_mode!r} for {rank + 2} axes")
    if rank_of(grid) != rank + 2 or rank not in (2, 3):
        raise ValueError(f"grid_sample takes tensors of 4 or of 5 axes, not of {rank + 2} and {rank_of(grid)}")
    grid = demanded(grid, grid.shape[-1] == rank, f"grid_sampler(): expected grid to have size {rank} in last dimension")
    input, grid = met(input, grid)
    corners = bool(align_corners)
    places = [_in_elements(grid[..., rank - 1 - i], n, corners) for i, n in enumerate(input.shape[2:])]
    if mode == "nearest":
        return _read(input, [api.round(x) for x in _inside(places, input, padding_mode, corners)])
    if mode == "bicubic":
        return _bicubic(input, places, padding_mode, corners)
    places = _inside(places, input, padding_mode, corners)
    lows = [api.floor(x) for x in places]
    total: Any = None
    for steps in product((0, 1), repeat=rank):
        weight: Any = 1.0
        for x, low, step in zip(places, lows, steps):
            weight = weight * (x - low if step else 1.0 - (x - low))
        found = _read(input, [low + step for low, step in zip(lows, steps)]) * api.unsqueeze(weight, 1)
        total = found if total is None else total + found
    return total


@row("grid_sampler", "grid_sampler_2d", "grid_sampler_3d")
@in_float32
def grid_sampler(input: Any, grid: Any, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    """As `nn.functional.grid_sample`, whose modes are numbers."""
    return grid_sample(input, grid, _MODES[interpolation_mode], _PADDINGS[padding_mode], align_corners)


def _in_elements(position: Any, length: Any, align_corners: bool) -> Any:
    return (position + 1.0) * ((length - 1) / 2) if align_corners else ((position + 1.0) * length - 1.0) / 2


def _inside(places: list, input: Any, padding_mode: str, align_corners: bool) -> list:
    """Places moved onto the tensor, unless zeros are around it. NaN goes where torch's comparisons send it."""
    is_image, lengths = len(places) == 2, input.shape[2:]
    if padding_mode == "zeros":
        return places if is_image else [_where_nan(api.clip(x, -2, n + 1), -2) for x, n in zip(places, lengths)]
    if padding_mode == "reflection":
        places = [_reflected(x, n, align_corners) for x, n in zip(places, lengths)]
    return [_where_nan(api.clip(x, 0, n - 1), 0 if is_image else n - 1) for x, n in zip(places, lengths)]


def _where_nan(x: Any, number: Any) -> Any:
    """x with a number in place of NaN."""
    return api.where(api.isnan(x), api.full([], number, x.type.dtype), x)


def _reflected(at: Any, length: Any, align_corners: bool) -> Any:
    """Places mirrored into the tensor: at the middles of its outer elements with `align_corners`, else at their edges."""
    low, span = (0.0, length - 1) if align_corners else (-0.5, length)
    if isinstance(span, int) and span == 0:
        return api.zeros_like(at)
    away = api.abs(at - low)
    turns = api.floor(away / span)
    rest = away - turns * span
    return api.where(turns - api.floor(turns / 2) * 2 < 0.5, rest, span - rest) + low


def _bicubic(input: Any, places: list, padding_mode: str, align_corners: bool) -> Any:
    lows = [api.floor(x) for x in places]
    weights = [[_cubic(api.abs(x - low - step)) for step in range(-1, 3)] for x, low in zip(places, lows)]
    total: Any = None
    for i, j in product(range(4), repeat=2):
        at = _inside([lows[0] + (i - 1), lows[1] + (j - 1)], input, padding_mode, align_corners)
        found = _read(input, at) * api.unsqueeze(weights[0][i] * weights[1][j], 1)
        total = found if total is None else total + found
    return total


def _cubic(x: Any, a: float = -0.75) -> Any:
    """The weight of an element at a distance below 2 (Keys, 1981)."""
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    return api.where(x <= 1, near, ((a * x - 5 * a) * x + 8 * a) * x - 4 * a)


def _read(x: Any, places: list) -> Any:
    """The elements of x [N, C, *spatial] at whole places, each [N, *places]; 0 outside."""
    n, c, *lengths = x.shape
    counts = places[0].shape[1:]
    inside: Any = None
    flat: Any = 0
    for at, length in zip(places, lengths):
        here = (at >= 0) & (at <= length - 1)
        inside = here if inside is None else inside & here
        flat = flat * length + api.where(here, at, api.zeros_like(at)).astype("int64")
    count: Any = 1
    for length in counts:
        count = count * length
    size: Any = 1
    for length in lengths:
        size = size * length
    indices = api.expand(api.reshape(flat, [n, 1, count]), [n, c, count])
    found = api.reshape(api.take_along_axis(api.reshape(x, [n, c, size]), indices, 2), [n, c, *counts])
    return api.where(api.unsqueeze(inside, 1), found, api.zeros_like(found))
