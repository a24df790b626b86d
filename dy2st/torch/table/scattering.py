"""Elements put or counted in where an index along one axis says."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from .axes import axis_of, lined, rank_of
from .pointwise import as_dtype
from .rows import counted, demanded, in_place, need_rank, of_lengths, row
from .views import reshaped

_REDUCE = {"add": "add", "multiply": "multiply", "sum": "add", "prod": "multiply", "mean": "mean", "amin": "amin", "amax": "amax"}


def _put(
    input: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool = True, exception: str = "RuntimeError"
) -> Any:  # fmt: skip
    """`input` with the part of `src` that has the shape of `index` put there."""
    axis, lines = axis_of(dim, rank_of(input)), lined(input)
    places = counted(lined(index), lines.shape[axis], "scatter", exception)
    if isinstance(src, Tensor):
        src = as_dtype(lined(src)[tuple(slice(0, n) for n in places.shape)], input.type.dtype)
    else:
        src = api.expand(as_dtype(src, input.type.dtype), list(places.shape))
    if lines.type.dtype == "bool" and reduce != "assign":
        lines, src = lines.astype("uint8"), src.astype("uint8")
    found = api.put_along_axis(lines, places, src, axis, reduce=reduce, include_self=include_self, broadcast=False)
    found = as_dtype(found, input.type.dtype)
    return reshaped(found, []) if rank_of(input) == 0 else found


@row("scatter", "Tensor.scatter")
def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: str | None = None) -> Any:
    """Elements of `src`, or one number, put, added or multiplied."""
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    return _put(input, dim, index, value if src is None else src, "assign" if reduce is None else reduce)


@row("scatter_add", "Tensor.scatter_add")
def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """Elements of `src` added."""
    return _put(input, dim, index, src, "add")


@row("scatter_reduce", "Tensor.scatter_reduce")
def scatter_reduce(input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    """Elements of `src` reduced into those that are there, or without them."""
    if reduce not in ("sum", "prod", "mean", "amin", "amax"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    return _put(input, dim, index, src, _REDUCE[reduce], include_self)


@row("index_add", "Tensor.index_add")
def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """Slices of `source`, times alpha, added by their places."""
    source = as_dtype(source, input.type.dtype)
    if not (type(alpha) is int and alpha == 1):
        source = source & as_dtype(alpha, "bool") if input.type.dtype == "bool" else source * as_dtype(alpha, input.type.dtype)
    lines, axis = lined(input), axis_of(dim, rank_of(input))
    places = counted(lined(index), lines.shape[axis], "index_add", "RuntimeError" if rank_of(input) > 1 else "IndexError")
    need_rank(source, rank_of(input), "index_add: source")
    found = api.index_add(lines, places, axis, lined(source))
    return reshaped(found, []) if rank_of(input) == 0 else found


@row("index_copy", "Tensor.index_copy")
def index_copy(input: Any, dim: int, index: Any, source: Any) -> Any:
    """Slices of `source` put by their places."""
    lines, axis = lined(input), axis_of(dim, rank_of(input))
    places = counted(lined(index), lines.shape[axis], "index_copy", "IndexError")
    if rank_of(index) > 1:
        raise IndexError("index_copy(): index has more than one axis")
    if rank_of(source) and rank_of(source) != rank_of(lines):
        raise IndexError("index_copy(): source has another number of dimensions than the tensor that is written")
    source = lined(source)
    same = [a == b for k, (a, b) in enumerate(zip(source.shape, lines.shape)) if k != axis]
    for holds in [*same, source.shape[axis] == places.shape[0]]:
        source = demanded(source, holds, "index_copy(): source hasn't the shape of the slices that are written", "IndexError")
    found = lines.clone()
    found[(slice(None),) * axis + (places,)] = as_dtype(source, input.type.dtype)
    return reshaped(found, []) if rank_of(input) == 0 else found


@row("index_fill", "Tensor.index_fill")
def index_fill(input: Any, dim: int, index: Any, value: Any) -> Any:
    """One number put into slices by their places."""
    if isinstance(value, Tensor) and rank_of(value):
        raise RuntimeError("index_fill only supports a 0-dimensional value tensor")
    lines, axis = lined(input), axis_of(dim, rank_of(input))
    is_filled = api.zeros([lines.shape[axis]], dtype="bool")
    is_filled[lined(index)] = True  # once, however often an index occurs
    along = reshaped(is_filled, [-1 if k == axis else 1 for k in range(rank_of(lines))])
    found = api.where(along, as_dtype(value, input.type.dtype), lines)
    return reshaped(found, []) if rank_of(input) == 0 else found


@row("index_reduce", "Tensor.index_reduce")
def index_reduce(input: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True) -> Any:
    """Slices of `source` reduced into those that are there."""
    if source.type.dtype != input.type.dtype:
        raise RuntimeError("index_reduce_(): self and source must have the same scalar type")
    need_rank(source, rank_of(input), "index_reduce: source")
    axis, source = axis_of(dim, rank_of(input)), lined(source)
    along = reshaped(index, [-1 if k == axis else 1 for k in range(rank_of(source))])
    return _put(input, dim, api.expand(along, list(source.shape)), source, _REDUCE[reduce], include_self, "IndexError")


for _function in (scatter, scatter_add, scatter_reduce, index_add, index_copy, index_fill, index_reduce):
    in_place(_function.__name__, _function)


@row("select_scatter", "Tensor.select_scatter")
def select_scatter(input: Any, src: Any, dim: int, index: int) -> Any:
    """A copy with one slice put."""
    axis = axis_of(dim, rank_of(input))
    src = of_lengths(src, [*input.shape[:axis], *input.shape[axis + 1 :]], "select_scatter: src hasn't the shape of the slice")
    return api.select_scatter(input, src, axis, index)


@row("slice_scatter", "Tensor.slice_scatter")
def slice_scatter(input: Any, src: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    """A copy with a part put."""
    found = input.clone()
    part = (slice(None),) * axis_of(dim, rank_of(input)) + (slice(start, end, step),)
    src = of_lengths(src, found[part].shape, "slice_scatter: src hasn't the shape of the slice")
    found[part] = as_dtype(src, input.type.dtype)
    return found


@row("diagonal_scatter", "Tensor.diagonal_scatter")
def diagonal_scatter(input: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A copy with a diagonal put."""
    return api.diagonal_scatter(input, src, offset, dim1, dim2)
