"""Elements of images put elsewhere: pixels into channels and back."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...api.shape_args import int_list
from ...ops.registry import lookup
from .axes import rank_of
from .rows import refused, row
from .views import reshaped


@row("pixel_shuffle")
def pixel_shuffle(input: Any, upscale_factor: int) -> Any:
    """[..., C r², H, W] as [..., C, H r, W r]."""
    _check("pixel_shuffle", rank_of(input) >= 3 and upscale_factor > 0)
    *outer, c, h, w = input.shape
    r, k = upscale_factor, rank_of(input) - 3
    if isinstance(c, int):
        _check("pixel_shuffle", c % (r * r) == 0)
    parts = reshaped(input, [*outer, c // (r * r), r, r, h, w])
    mixed = api.transpose(parts, [*range(k + 1), k + 3, k + 1, k + 4, k + 2])
    return _copied(mixed, [*outer, c // (r * r), h * r, w * r])


@row("pixel_unshuffle")
def pixel_unshuffle(input: Any, downscale_factor: int) -> Any:
    """[..., C, H r, W r] as [..., C r², H, W]."""
    _check("pixel_unshuffle", rank_of(input) >= 3 and downscale_factor > 0)
    *outer, c, h, w = input.shape
    r, k = downscale_factor, rank_of(input) - 3
    if isinstance(h, int) and isinstance(w, int):
        _check("pixel_unshuffle", h % r == 0 and w % r == 0)
    parts = reshaped(input, [*outer, c, h // r, r, w // r, r])
    mixed = api.transpose(parts, [*range(k + 1), k + 2, k + 4, k + 1, k + 3])
    return _copied(mixed, [*outer, c * r * r, h // r, w // r])


def _copied(mixed: Any, shape: list) -> Any:
    """The elements in another shape, in memory of their own also where none of them moves."""
    return lookup("reshape_copy")(mixed, shape=int_list("reshape", shape, "shape"))


def _check(name: str, holds: bool) -> None:
    if not holds:
        raise refused(f"{name}: the factor doesn't fit the lengths of the axes")


@row("channel_shuffle", "native_channel_shuffle")
def channel_shuffle(input: Any, groups: int) -> Any:
    """The channels in rows, one for each group, read by columns."""
    n, c, *spatial = input.shape
    parts = reshaped(input, [n, groups, c // groups, *spatial])
    mixed = api.transpose(parts, [0, 2, 1, *range(3, rank_of(input) + 1)])
    return _copied(mixed, [n, c, *spatial])
