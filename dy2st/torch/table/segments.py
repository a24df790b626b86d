"""Reductions of the parts of an axis."""

from __future__ import annotations

import math
from typing import Any

import dy2st as api

from ...api.known import of_length
from ..dtypes import kind_of
from .axes import axis_of, rank_of
from .pointwise import as_dtype
from .rows import demanded, refused, row
from .views import reshaped

_REDUCE = {"sum": "add", "mean": "add", "prod": "multiply", "max": "amax", "min": "amin"}
_OF_NOTHING = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -math.inf, "min": math.inf}


@row("segment_reduce")
def segment_reduce(
    data: Any, reduce: str, *, lengths: Any = None, indices: Any = None, offsets: Any = None, axis: int = 0,
    unsafe: bool = False, initial: Any = None,
) -> Any:  # fmt: skip
    """The reduction of each part of an axis, whose lengths, or the places where they begin and end, are told for each row."""
    if indices is not None or (lengths is None) == (offsets is None):
        raise refused("segment_reduce takes either lengths or offsets, and no indices")
    index = offsets if lengths is None else lengths
    if kind_of(data.type.dtype) != "float" or index.type.dtype not in ("int32", "int64"):
        raise refused(f"segment_reduce takes floats, and ints for lengths; not {data.type.dtype} and {index.type.dtype}")
    place, rank = axis_of(axis, rank_of(data)), rank_of(data)
    ends = _ends(lengths) if offsets is None else as_dtype(offsets, "int64")
    if offsets is None and not unsafe:
        for total in (api.max(ends), api.min(ends[..., -1])):
            data = of_length("segment_reduce", data, place, total.item(), "the lengths don't sum up to that of the axis")
    ends = demanded(ends, ends[..., 1:] >= ends[..., :-1], "segment_reduce: Expected segment_length >= 0 to be true")
    *batch, count = ends.shape
    length, rest = data.shape[place], list(data.shape[place + 1 :])
    before = api.unsqueeze(ends, -2) <= reshaped(api.arange(0, length, 1, "int64"), [-1, 1])
    part = api.sum(before.astype("int64"), axis=-1)  # 0: before the first part, count: behind the last
    wide = [1] * (rank - 1 - place)
    start = api.full([*batch, count + 1, *rest], _OF_NOTHING[reduce] if initial is None else initial, data.type.dtype)
    part = api.expand(reshaped(part, [*batch, length, *wide]), list(data.shape))
    found = api.put_along_axis(start, part, data, place, reduce=_REDUCE[reduce], broadcast=False)
    found = api.narrow(found, place, 1, count - 1)
    if reduce != "mean":
        return found
    sizes = as_dtype(reshaped(ends[..., 1:] - ends[..., :-1], [*batch, count - 1, *wide]), data.type.dtype)
    return found / (sizes if initial is None else api.maximum(sizes, api.ones_like(sizes)))


def _ends(lengths: Any) -> Any:
    """Where parts begin and end."""
    first = api.zeros([*lengths.shape[:-1], 1], dtype="int64")
    return api.concat([first, api.cumsum(as_dtype(lengths, "int64"), axis=-1)], axis=-1)
