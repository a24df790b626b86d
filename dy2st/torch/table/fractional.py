"""Pooling of windows whose starts are drawn, for each channel of each sample."""

from __future__ import annotations

from typing import Any

import dy2st as api

from .axes import rank_of
from .rows import row
from .spatial import batched, ints


def _starts(sample: Any, length: Any, count: int, kernel: int) -> Any:
    """[N, C, count]: steps of about one size, and the last window at the end. sample [N, C]: from 0 to 1."""
    if count == 1:
        return api.unsqueeze(api.full_like(sample, length - kernel, dtype="int64"), 2)
    alpha = api.to_tensor((length - kernel) / (count - 1), dtype=sample.type.dtype)
    sample = api.unsqueeze(sample, 2)
    steps = api.arange(0, count - 1, 1, sample.type.dtype)
    starts = ((steps + sample) * alpha).astype("int64") - (sample * alpha).astype("int64")
    return api.concat([starts, api.full_like(starts[:, :, :1], length - kernel)], axis=2)


def _greatest(x: Any, axis: int, starts: Any, kernel: int) -> tuple[Any, Any]:
    """The greatest element of each window along an axis, and where it is."""
    rank, count = rank_of(x), starts.static_shape[2]
    n, c, *lengths = x.shape
    places = api.unsqueeze(starts, 3) + api.arange(0, kernel, 1, "int64")
    places = api.reshape(places, [n, c, *[1] * (axis - 2), count * kernel, *[1] * (rank - 1 - axis)])
    lengths[axis - 2] = count * kernel
    found = api.take_along_axis(x, api.expand(places, [n, c, *lengths]), axis)
    found = api.reshape(found, [n, c, *lengths[: axis - 2], count, kernel, *lengths[axis - 1 :]])
    best = api.argmax(found, axis=axis + 1, keepdim=True)
    starts = api.reshape(starts, [n, c, *[1] * (axis - 2), count, *[1] * (rank - 1 - axis)])
    return api.squeeze(api.take_along_axis(found, best, axis + 1), axis + 1), api.squeeze(best, axis + 1) + starts


def _fractional(rank: int) -> None:
    name = f"fractional_max_pool{rank}d"

    def pooled(x: Any, kernel: list, size: list, samples: Any) -> tuple[Any, Any]:
        drawn = [0, 1, 2] if rank == 3 else [1, 0]  # of images the first number is that of the columns
        where: Any = None
        each: Any = 1
        for i in reversed(range(rank)):
            length = x.shape[2 + i]
            x, at = _greatest(x, 2 + i, _starts(samples[:, :, drawn[i]], length, size[i], kernel[i]), kernel[i])
            where = at if where is None else at * each + api.take_along_axis(where, at, 2 + i)
            each = each * length
        return x, where

    def compute(self: Any, kernel_size: Any, output_size: Any, random_samples: Any) -> Any:
        return batched(pooled, self, rank, ints(kernel_size, rank), ints(output_size, rank), random_samples)

    compute.__name__ = name
    row(f"_C._nn.{name}")(compute)


for _rank in (2, 3):
    _fractional(_rank)
