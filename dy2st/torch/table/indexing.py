"""Elements by their places, read and written: x[index], index_select, take, masks."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..values import leaves
from .axes import axis_of, lengths_of, lined, rank_of
from .pointwise import as_dtype, flat
from .rows import both, counted, demanded, in_place, refused, row, written
from .views import reshaped

_BYTES = ("uint8", "bool")


def subscript(index: Any) -> tuple:
    """The index of torch's as dy2st's: a tensor without axes is an int, bytes are a mask, a list may be a tuple."""
    if isinstance(index, list) and len(index) < 32 and any(not _is_number(x) for x in index):
        index = tuple(index)  # as torch still takes it
    return tuple(map(_item, index if isinstance(index, tuple) else (index,)))


def _is_number(x: Any) -> bool:
    return not (isinstance(x, Tensor | list | tuple | slice) or x is None or x is Ellipsis)


def _item(key: Any) -> Any:
    if isinstance(key, Tensor):
        if key.type.dtype in _BYTES:
            return as_dtype(key, "bool")
        return key.item() if rank_of(key) == 0 and "int" in key.type.dtype else key
    if isinstance(key, slice):
        if isinstance(key.step, int) and key.step < 1:
            raise ValueError("step must be greater than zero")
        return slice(*[x.item() if isinstance(x, Tensor) else x for x in (key.start, key.stop, key.step)])
    if isinstance(key, tuple | list | range):
        return _listed(list(key))
    if isinstance(key, np.ndarray) and key.dtype == np.uint8:
        return key.astype(bool)
    return key


def _listed(keys: list) -> Any:
    """A list within an index: a tensor of the numbers in it."""
    found = leaves(keys)
    if not any(isinstance(x, Tensor) for x in found):
        return keys
    return api.stack([as_dtype(x.item() if isinstance(x, Tensor) else x, "int64") for x in found])


@row("Tensor.__getitem__")
def getitem(self: Any, index: Any) -> Any:
    """Elements by ints, slices, masks and tensors."""
    return self[subscript(index)]


@row("Tensor.__setitem__")
def setitem(self: Any, index: Any, value: Any) -> None:
    """Elements written in place."""
    if isinstance(value, tuple | list):
        raise TypeError(f"can't assign a {type(value).__name__} to a torch tensor")
    self[subscript(index)] = as_dtype(value, self.type.dtype)


row("Tensor.copy_")(lambda self, other, non_blocking=False: written(self, as_dtype(other, self.type.dtype)))
row("Tensor.__len__")(lambda self: _first(self))


def _first(x: Any) -> Any:
    if rank_of(x) == 0:
        raise TypeError("len() of a 0-d tensor")
    return x.shape[0]


@row("index_select", "Tensor.index_select")
def index_select(input: Any, dim: int, index: Any) -> Any:
    """Slices by their places."""
    axis = axis_of(dim, rank_of(input))
    lines, exception = lined(input), "RuntimeError" if axis == 1 and rank_of(input) == 2 else "IndexError"
    found = api.index_select(lines, counted(lined(index), lines.shape[axis], "index_select", exception), axis=axis)
    return reshaped(found, []) if rank_of(input) == 0 else found


@row("take", "Tensor.take")
def take(input: Any, index: Any) -> Any:
    """Elements by their places in a row."""
    return api.take(input, index)


@row("put", "Tensor.put")
def put(input: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """Elements put, or added, by their places in a row."""
    says = "put: source has another number of elements than index"
    source = demanded(reshaped(source, [-1]), prod(source.shape) == prod(index.shape), says, "IndexError")
    flat = api.index_put(reshaped(input, [-1]), (reshaped(index, [-1]),), source, accumulate)
    return reshaped(flat, input.shape)


in_place("put", put)


@row("gather", "Tensor.gather")
def gather(input: Any, dim: int, index: Any, *, sparse_grad: bool = False) -> Any:
    """Elements by their places along one axis."""
    axis = axis_of(dim, rank_of(input))
    if 0 in lengths_of(index):
        return flat(api.zeros(list(index.shape), dtype=input.type.dtype), api.sum(input))
    lines = lined(input)
    found = api.take_along_axis(lines, counted(lined(index), lines.shape[axis], "gather"), axis, broadcast=False)
    return reshaped(found, []) if rank_of(index) == 0 else found


@row("take_along_dim", "Tensor.take_along_dim")
def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    """Elements by their places along one axis, where the other axes broadcast; or in a row."""
    if dim is None:
        return gather(reshaped(input, [-1]), 0, reshaped(indices, [-1]))
    axis, rank = axis_of(dim, rank_of(input)), rank_of(input)
    if rank_of(indices) != rank:
        raise RuntimeError("torch.take_along_dim(): input and indices should have the same number of dimensions")
    first = (slice(None),) * axis + (slice(0, 1),)
    lengths = list(api.broadcast_tensors([input[first], indices[first]])[0].shape)
    indices = indices % input.shape[axis]  # in PyTorch as well: an index past the end counts from the start again
    wanted = [[*lengths[:axis], x.shape[axis], *lengths[axis + 1 :]] for x in (input, indices)]
    return api.take_along_axis(api.expand(input, wanted[0]), api.expand(indices, wanted[1]), axis, broadcast=False)


def _places(indices: Any) -> tuple:
    """The tensors of index_put; None stands for a whole axis."""
    return tuple(slice(None) if x is None else as_dtype(x, "bool") if x.type.dtype in _BYTES else x for x in indices)


def _rank_of_part(input: Any, places: tuple) -> int:
    """The number of axes of input[places]."""
    tensors = [x for x in places if isinstance(x, Tensor)]
    if any(rank_of(x) == 0 and x.type.dtype == "bool" for x in tensors):
        raise refused("index_put with a mask that has no axes isn't mapped; write torch.where(mask, values, x)")
    taken = sum(rank_of(x) if x.type.dtype == "bool" else 1 for x in tensors)
    return rank_of(input) - taken + max((1 if x.type.dtype == "bool" else rank_of(x) for x in tensors), default=0)


@row("index_put", "Tensor.index_put")
def index_put(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Elements put, or added, where index tensors or masks say."""
    from ...api.indexing import subscript as written_out
    from ...ops.mutate_index import setitem_add, setitem_copy

    if values.type.dtype != input.type.dtype:
        raise RuntimeError(f"index_put: {values.type.dtype} isn't the dtype {input.type.dtype} of the tensor that is written")
    places = _places(indices)
    if rank_of(values) > _rank_of_part(input, places):
        raise RuntimeError(f"index_put: values of the shape {values.static_shape} don't broadcast to the places")
    items, tensors = written_out(places)
    return (setitem_add if accumulate else setitem_copy)(input, as_dtype(values, input.type.dtype), *tensors, index=items)


in_place("index_put", index_put)


def _within(x: Any, indices: Any) -> tuple:
    """Places along the axes of x, of which those outside are moved to the border."""
    lengths = x.shape
    return tuple(i if i is None else api.clip(i, -lengths[axis], lengths[axis] - 1) for axis, i in enumerate(indices))


@row("_unsafe_masked_index")
def unsafe_masked_index(input: Any, mask: Any, indices: Any, fill: Any) -> Any:
    """Elements by index tensors; `fill` where the mask doesn't hold."""
    found = input[_places(_within(input, indices))]
    return api.where(mask, found, as_dtype(fill, input.type.dtype))


@row("_unsafe_masked_index_put_accumulate")
def unsafe_masked_index_put_accumulate(input: Any, mask: Any, indices: Any, values: Any) -> Any:
    """Values added by index tensors, where the mask holds."""
    return index_put(input, _within(input, indices), api.where(mask, values, api.zeros_like(values)), True)


@row("masked_select", "Tensor.masked_select")
def masked_select(input: Any, mask: Any) -> Any:
    """The elements where the mask holds, in a row."""
    x, held = api.broadcast_tensors([input, as_dtype(mask, "bool")])
    return reshaped(x, [-1])[reshaped(held, [-1])]


@row("masked_scatter", "Tensor.masked_scatter")
def masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    """Where the mask holds, the elements of `source` in order."""
    x, held = api.broadcast_tensors([input, mask])
    count = api.sum(held.astype("int64"))
    says = "masked_scatter: expected self and source to have same dtypes, and source as many elements as the mask has ones"
    return api.masked_scatter(x, demanded(held, count <= source.numel(), says), source)


in_place("masked_scatter", masked_scatter)


@row("nonzero", "Tensor.nonzero")
def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """The places of the elements other than 0: a row for each, or a vector for each axis."""
    if not as_tuple:
        return api.nonzero(input)
    found = api.nonzero(lined(input))
    return tuple(found[:, axis].clone() for axis in range(rank_of(lined(input))))


both("argwhere", lambda input: api.nonzero(input))


@row("unravel_index")
def unravel_index(indices: Any, shape: Any) -> Any:
    """The places along each axis, of places in a row."""
    found = []
    for length in reversed(list(shape) if isinstance(shape, tuple | list) else [shape]):
        found.append(indices % length)
        indices = indices // length
    return tuple(reversed(found))
