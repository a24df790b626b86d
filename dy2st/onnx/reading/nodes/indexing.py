"""Elements by their indices: gathered, scattered, picked by a condition."""

from __future__ import annotations

from typing import Any

from ....api.known import known_length
from ....api.reduce import argsort
from ....ops import compare, mutate_index, select
from ....ops.cast import cast
from ....ops.counting import unique as unique_op
from ....ops.creation import arange
from ....ops.index import gather as gather_op
from ....ops.index import getitem, getitem_advanced
from ....ops.index import nonzero as nonzero_op
from ....ops.put_along_axis import put_along_axis
from ....ops.views import broadcast_to, reshape, transpose
from ....runtime.tensors.tensor import Tensor
from ..axes import normal, size_of
from ..registry import Int, node
from ..values import MOST_AXES, few


@node("Gather")
def gather(x: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    return gather_op(x, indices, axis=axis)


def _grid(like: Tensor, axis: int, length: Any) -> Tensor:
    """0, 1, 2 ... along an axis of a tensor of the rank of `like`, and 1 along the others."""
    row = arange(start=0, end=length, step=1, dtype="int64")
    return reshape(row, shape=[-1 if at == axis else 1 for at in range(like.ndim)])


def _places(indices: Tensor, axis: int) -> list[Tensor]:
    """For each axis, where the elements are that `indices` name along one of them."""
    return [indices if at == axis else _grid(indices, at, indices.shape[at]) for at in range(indices.ndim)]


@node("GatherElements")
def gather_elements(x: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    (axis,) = normal([axis], x.ndim)
    return getitem_advanced(x, *_places(indices, axis), index=_each(x.ndim))


def _each(count: int) -> list[Any]:
    return [{"tensor": k} for k in range(count)]


def _columns(indices: Tensor) -> list[Tensor]:
    """The numbers of each place, from the last axis."""
    count = few(known_length("GatherND", indices, -1), "the last length of the indices", MOST_AXES)
    return [getitem(indices, index=["ellipsis", {"int": k}]) for k in range(count)]


@node("GatherND")
def gather_nd(x: Tensor, indices: Tensor, *, batch_dims: int = 0) -> Tensor:
    """x at the places that the last axis of `indices` tells; the first `batch_dims` axes are those of x, too."""
    columns = _columns(indices)
    rank = indices.ndim - 1
    batches = [
        reshape(arange(start=0, end=indices.shape[at], step=1, dtype="int64"), shape=[-1 if k == at else 1 for k in range(rank)])
        for at in range(batch_dims)
    ]
    return getitem_advanced(x, *batches, *columns, index=_each(batch_dims + len(columns)))


REDUCTIONS = {"add": "add", "mul": "multiply", "min": "amin", "max": "amax"}


@node("ScatterElements", "Scatter")
def scatter_elements(x: Tensor, indices: Tensor, updates: Tensor, *, axis: int = 0, reduction: str = "none") -> Tensor:
    (axis,) = normal([axis], x.ndim)
    return _put(x, _places(indices, axis), updates, reduction)


@node("ScatterND")
def scatter_nd(x: Tensor, indices: Tensor, updates: Tensor, *, reduction: str = "none") -> Tensor:
    return _put(x, _columns(indices), updates, reduction)


def _put(x: Tensor, places: list[Tensor], updates: Tensor, reduction: str) -> Tensor:
    """x with `updates` put at places, or reduced with what is there."""
    index = _each(len(places))
    if reduction == "none":
        return mutate_index.setitem_copy(x, updates, *places, index=index)
    if reduction == "add":
        return mutate_index.setitem_add(x, updates, *places, index=index)
    rows = _flat_places(x, places, updates)
    flat = reshape(x, shape=[-1])
    found = put_along_axis(flat, rows, reshape(updates, shape=[-1]), axis=0, reduce=REDUCTIONS[reduction])
    return reshape(found, shape=x.shape)


def _flat_places(x: Tensor, places: list[Tensor], updates: Tensor) -> Tensor:
    """Where among all elements of x, in a row, each update goes."""
    numbers = reshape(arange(start=0, end=size_of(x.shape), step=1, dtype="int64"), shape=x.shape)
    found = getitem_advanced(numbers, *places, index=_each(len(places)))
    return reshape(broadcast_to(found, shape=updates.shape), shape=[-1])


@node("NonZero")
def nonzero(x: Tensor) -> Tensor:
    return transpose(nonzero_op(x), perm=[1, 0])


@node("Compress")
def compress(x: Tensor, condition: Tensor, *, axis: int | None = None) -> Tensor:
    """The slices where the condition holds; without an axis, the elements."""
    kept = reshape(nonzero_op(condition), shape=[-1])
    if axis is None:
        return gather_op(reshape(x, shape=[-1]), kept, axis=0)
    return gather_op(x, kept, axis=axis)


@node("OneHot")
def one_hot(indices: Tensor, depth: Int, values: Tensor, *, axis: int = -1) -> Tensor:
    """values[1] at each index along a new axis, values[0] elsewhere; negative indices count from the end."""
    rank = indices.ndim + 1
    (axis,) = normal([axis], rank)
    shape = indices.shape
    wide = reshape(cast(indices, dtype="int64"), shape=[*shape[:axis], 1, *shape[axis:]])
    row = reshape(arange(start=0, end=depth, step=1, dtype="int64"), shape=[-1 if at == axis else 1 for at in range(rank)])
    hit = compare.logical_or(compare.equal(wide, row), compare.equal(wide + depth, row))
    return select.where(hit, values[1], values[0])


@node("Unique")
def unique(x: Tensor, *, axis: int | None = None, sorted: int = 1) -> tuple:
    """Different values, where each is first, which each element is, and how many there are; `sorted`, or in their order."""
    values, first, inverse, counts = unique_op(x, axis=axis)
    if sorted:
        return values, first, inverse, counts
    order = argsort(first)
    along = 0 if axis is None else axis
    return (
        gather_op(values, order, axis=along), gather_op(first, order, axis=0), gather_op(argsort(order), inverse, axis=0),
        gather_op(counts, order, axis=0),
    )  # fmt: skip


@node("ReverseSequence")
def reverse_sequence(x: Tensor, lengths: Tensor, *, batch_axis: int = 1, time_axis: int = 0) -> Tensor:
    """Of each batch, the first `lengths` steps in reverse."""
    steps = _grid(x, time_axis, x.shape[time_axis])
    lengths = reshape(lengths, shape=[-1 if at == batch_axis else 1 for at in range(x.ndim)])
    turned = select.where(steps < lengths, lengths - 1 - steps, steps)
    places = [_grid(x, at, n) for at, n in enumerate(x.shape)]
    places[time_axis] = turned
    return getitem_advanced(x, *places, index=_each(x.ndim))


@node("TensorScatter")
def tensor_scatter(past: Tensor, update: Tensor, at: Tensor | None = None, *, axis: int = -2, mode: str = "linear") -> Tensor:
    """A cache with new steps written from the position of each batch on; `circular`, beyond its end from the start again."""
    (axis,) = normal([axis], past.ndim)
    steps = _grid(update, axis, update.shape[axis])
    if at is not None:
        steps = steps + reshape(at, shape=[-1] + [1] * (update.ndim - 1))
    if mode == "circular":
        steps = steps % past.shape[axis]
    places = [_grid(update, k, n) for k, n in enumerate(update.shape)]
    places[axis] = steps
    return mutate_index.setitem_copy(past, update, *places, index=_each(past.ndim))
