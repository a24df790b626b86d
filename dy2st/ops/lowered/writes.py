"""x[index] = value in ONNX: scatter into the places that x[index] takes, which the same subscript takes of 0, 1, 2, ..."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..subscript import FULL
from .subscripts import as_index, beside, covered, getitem, getitem_advanced, mask_over
from .views import broadcast


def setitem(g: Any, x: Any, value: Any, *tensors: Any, index: Sequence) -> Any:
    """A copy of x with x[index] = value; with a mask in front it is Where, if the value is one for all that the mask picks."""
    value = g.cast(g.value(value, x.dtype), x.dtype)
    if _trimmed(index) == [{"tensor": 0}] and tensors[0].dtype == "bool":
        mask, rest = tensors[0], g.dims(x)[covered(g, tensors[0]) :]
        if g.rank_of(value) <= len(rest):
            mask = g.Unsqueeze(_over(g, x, mask), [*range(mask.rank, x.rank)]) if rest else _over(g, x, mask)
            return g.Where(mask, broadcast(g, value, rest[len(rest) - value.rank :]), x)
        found = g.put_each(x, value, _over(g, x, mask))
        if found is not None:
            return found
    return _written(g, x, value, tensors, index)


def setitem_add(g: Any, x: Any, value: Any, *tensors: Any, index: Sequence) -> Any:
    """A copy of x with value added to x[index], twice where a place occurs twice."""
    return _written(g, x, g.cast(g.value(value, x.dtype), x.dtype), tensors, index, "add")


def index_add(g: Any, x: Any, index: Any, value: Any, axis: int) -> Any:
    """Whole slices added along an axis."""
    at, dims = axis % g.rank_of(x), g.dims(x)
    value = g.of_lengths(value, [*dims[:at], *g.dims(index), *dims[at + 1 :]])
    return setitem_add(g, x, value, index, index=[*[FULL] * at, {"tensor": 0}])


def _over(g: Any, x: Any, mask: Any) -> Any:
    """A mask as long as x along its axes; one of length 0, which picks nothing, is filled up with False."""
    dims = g.dims(x)[: mask.rank]
    if g.has_lengths(mask, dims):
        return mask
    picked = mask_over(g, mask, dims)
    return g.Pad(picked, g.Concat(g.zeros("int64", [mask.rank]), g.Sub(g.ints(dims), g.shape_of(picked)), axis=0))


def _trimmed(index: Sequence) -> list:
    """A subscript without what takes whole axes at its end."""
    kept = [*index]
    while kept and kept[-1] in (FULL, "ellipsis"):
        kept.pop()
    return kept


def _written(g: Any, x: Any, value: Any, tensors: Sequence, index: Sequence, reduction: str | None = None) -> Any:
    """Scatter along the leading axes that the subscript touches, taken as one, in whole stretches of the others."""
    found = None if tensors else g.put(x, value, index, reduction)
    if found is not None:
        return found
    dims, touched = g.dims(x), _trimmed(index)
    if not touched:
        whole = _as_part(g, value, dims)
        return whole if reduction is None else g.Add(x, whole)
    lead = _leading(g, touched, tensors, len(dims) - [*index[len(touched) :]].count(FULL))
    places = _places(g, dims[:lead], tensors, touched)
    part = _as_part(g, value, [*g.dims(places), *dims[lead:]])
    rows = x if lead == 1 else g.reshaped(x, [g.product(dims[:lead]), *dims[lead:]])
    found = (_put if _is_injective(tensors) else scattered)(g, rows, places, part, reduction)
    return found if lead == 1 else g.reshaped(found, dims)


def _leading(g: Any, index: Sequence, tensors: Sequence, most: int) -> int:
    """How many axes a subscript reaches; `most`: with an ellipsis in it."""
    if "ellipsis" in index:
        return most
    return sum(covered(g, tensors[item["tensor"]]) if "tensor" in item else 1 for item in index if item != "newaxis")


def _places(g: Any, dims: Sequence, tensors: Sequence, index: Sequence) -> Any:
    """Where x[index] lies, counted along all leading axes; along a single one an index may count from the end."""
    if len(dims) == len(index) == 1:
        (item,) = index
        if "int" in item:
            return g.scalar(item["int"])
        if "tensor" in item and tensors[0].dtype != "bool":
            return g.cast(tensors[0], "int64")
    counted = g.reshaped(g.counting(g.product(dims)), dims)
    return getitem_advanced(g, counted, *tensors, index=index) if tensors else getitem(g, counted, index)


def _is_injective(tensors: Sequence) -> bool:
    """Whether no place can occur twice."""
    if len(tensors) == 1 and tensors[0].dtype == "bool":
        return True
    return all(tensor.dtype != "bool" and set(tensor.shape or ()) <= {1} and tensor.rank is not None for tensor in tensors)


def _as_part(g: Any, value: Any, dims: Sequence) -> Any:
    """The value in the shape of the part that it goes into; axes of 1 in front of it are dropped."""
    extra = g.rank_of(value) - len(dims)
    return broadcast(g, g.Squeeze(value, [*range(extra)]) if extra > 0 else value, dims)


def _put(g: Any, rows: Any, places: Any, part: Any, reduction: str | None) -> Any:
    """Whole rows put, or added, where no place occurs twice: onnxruntime adds in no order, and loses some that do."""
    return _summed(
        g, lambda data, new: g.ScatterND(data, g.Unsqueeze(places, [-1]), new, reduction=reduction), rows, part, reduction
    )


def scattered(g: Any, rows: Any, places: Any, part: Any, reduction: str | None) -> Any:
    """Rows put, or added, one after the other, element by element."""
    dims = g.dims(rows)
    count, width = g.product(g.dims(places)), g.product(dims[1:])
    index = g.Expand(g.reshaped(as_index(g, places), [count, 1]), g.ints([count, width]))
    found = along(g, g.reshaped(rows, [dims[0], width]), index, g.reshaped(part, [count, width]), 0, reduction)
    return g.reshaped(found, dims)


def along(g: Any, x: Any, index: Any, value: Any, axis: int, reduction: str | None) -> Any:
    """ScatterElements: one element put, added ... for each index along an axis, in their order."""
    return _summed(g, lambda data, new: g.ScatterElements(data, index, new, axis=axis, reduction=reduction), x, value, reduction)


def _summed(g: Any, scatter: Any, x: Any, value: Any, reduction: str | None) -> Any:
    """A scatter in float32 where it would sum numbers of half the size, and in uint8 where it would sum bools."""
    wide = {"float16": "float32", "bfloat16": "float32", "bool": "uint8"}.get(x.dtype)
    if reduction is None or wide is None:
        return scatter(x, value)
    return g.cast(scatter(g.cast(x, wide), g.cast(value, wide)), x.dtype)


def put_along_axis(g: Any, x: Any, indices: Any, value: Any, axis: int, reduce: str = "assign") -> Any:
    """The counterpart of GatherElements."""
    reduction = {"assign": None, "add": "add", "multiply": "mul", "amin": "min", "amax": "max"}[reduce]
    index = as_index(g, beside(g, x, indices, axis))
    if reduction in ("min", "max"):
        return _extreme(g, x, index, value, axis, reduction)
    return along(g, x, index, value, axis, reduction)


def _extreme(g: Any, x: Any, index: Any, value: Any, axis: int, reduction: str) -> Any:
    """The least or largest; nan where one of them is, which onnxruntime may lose."""
    g.need(18, f"ScatterElements with reduction={reduction!r}")
    if x.dtype == "bool":
        return g.cast(along(g, g.cast(x, "uint8"), index, g.cast(value, "uint8"), axis, reduction), "bool")
    found = along(g, x, index, value, axis, reduction)
    if x.dtype not in ("float16", "float32", "float64"):
        return found
    are_nan = (g.cast(g.IsNaN(part), "uint8") for part in (x, value))
    return g.Where(g.cast(along(g, next(are_nan), index, next(are_nan), axis, "max"), "bool"), np.nan, found)
