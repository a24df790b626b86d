"""Values put where index tensors, masks and slices say, into a new tensor; under Paddle's names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..ops import elementwise, mutate_index, select
from ..ops import put_along_axis as along
from ..ops.index import gather, getitem
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor, plain_scalar, to_dtype
from .creation import ones_like, zeros
from .gathering import _along, _indices, _like, _mask, _reached, scatter_nd_add
from .known import same_lengths
from .manipulation import broadcast_to, reshape
from .reduce import cumsum
from .shape_args import FULL, axis_leaf, int_list
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "index_add",
    "index_fill",
    "index_put",
    "masked_scatter",
    "put_along_axis",
    "scatter_add",
    "scatter_nd",
    "scatter_reduce",
    "select_scatter",
    "slice_scatter",
)

# Where nothing is counted in, the number with which a reduction starts.
_START = {"add": lambda x: 0, "multiply": lambda x: 1, "amin": lambda x: _end(x, "max"), "amax": lambda x: _end(x, "min")}
_NAMES = {"mul": "multiply", "sum": "add", "prod": "multiply"}


def _end(x: Tensor, which: str) -> Any:
    """What no number of the dtype of x is beyond."""
    if x.dtype.is_floating:
        return math.inf if which == "max" else -math.inf
    return int(getattr(np.iinfo(x.dtype.numpy), which))


@tensor_method()
def put_along_axis(
    arr: Tensor,
    indices: Tensor,
    values: Any,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Tensor:
    """`arr` with `values` put at one place for each index along `axis`; or added, multiplied ..., with what is there or without.

    indices: integers, as many axes as arr; with `broadcast`, expanded to its lengths along the other axes, else
    they reach the first elements there. values: a number, or a
    tensor that broadcasts to them. reduce: assign, add, mul (multiply), mean, amin or amax; ValueError for another. include_self:
    whether the element that is there counts. The result has the shape and dtype of arr. TypeError: other values. DTypeError:
    indices that aren't integer.

    >>> dy2st.put_along_axis(dy2st.zeros([2, 2]), dy2st.to_tensor([[1], [0]]), 5.0, 1).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """
    need_tensor("put_along_axis", arr, "arr")
    axis = axis_leaf("put_along_axis", axis)
    indices = _along("put_along_axis", arr, indices, axis) if broadcast else _indices("put_along_axis", indices, "indices")
    values = _like(arr, values)
    if not same_lengths(values, indices):
        values = broadcast_to(values, indices.shape)
    return _put_part("put_along_axis", arr, indices, values, axis, reduce, include_self)


def _put_part(op: str, arr: Tensor, indices: Tensor, values: Tensor, axis: int, reduce: str, include_self: bool) -> Tensor:
    """What `_put` gives, where the indices reach only a part of `arr`."""
    part, reduce = _reached(op, arr, indices, axis), _NAMES.get(reduce, reduce)
    if part is None:
        return _put(arr, indices, values, axis, reduce, include_self)
    changed = _put(getitem(arr, index=part), indices, values, axis, reduce, include_self)
    return mutate_index.setitem_copy(arr, changed, index=part)


def _put(arr: Tensor, indices: Tensor, values: Tensor, axis: int, reduce: str, include_self: bool) -> Tensor:
    put = along.put_along_axis
    if reduce == "assign":
        return put(arr, indices, values, axis=axis, reduce="assign")
    if reduce != "mean" and reduce not in _START:
        raise ValueError(f"put_along_axis: reduce is one of assign, add, mul, multiply, mean, amin, amax, not {reduce!r}")
    base = arr
    if not include_self:
        start = values.full_like(_START["add" if reduce == "mean" else reduce](arr))
        base = put(arr, indices, start, axis=axis, reduce="assign")
    if reduce != "mean":
        return put(base, indices, values, axis=axis, reduce=reduce)
    ones = ones_like(values)
    counts = ones_like(arr) if include_self else put(ones_like(arr), indices, ones * 0, axis=axis, reduce="assign")
    total, counts = (put(x, indices, v, axis=axis, reduce="add") for x, v in ((base, values), (counts, ones)))
    return elementwise.divide(total, counts) if arr.dtype.is_floating else elementwise.floor_divide(total, counts)


@tensor_method()
def scatter_reduce(input: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, *, include_self: bool = True) -> Tensor:
    """`input` with the elements of `src` reduced ("sum", "prod", "mean", "amin", "amax") into the places `index` along `dim`.

    index: integers; of src, which has as many axes, the part of the shape of index counts. include_self: whether the element that
    is there counts. The result has the shape and dtype of input. ValueError: another `reduce`. DTypeError: an index that isn't
    integer. ShapeError: the number of axes is unknown.
    """
    if reduce not in ("sum", "prod", "mean", "amin", "amax"):
        raise ValueError(f"scatter_reduce: reduce is one of sum, prod, mean, amin, amax, not {reduce!r}")
    rank, lengths = known_rank("scatter_reduce", input), _indices("scatter_reduce", index).shape
    source = to_dtype(need_tensor("scatter_reduce", src, "src"), input.dtype.name)
    source = getitem(source, index=[{"slice": [None, n, None]} for n in lengths])
    dim = axis_leaf("scatter_reduce", dim, rank)
    return _put_part("scatter_reduce", input, index, source, dim, reduce, include_self)


@tensor_method()
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """`input` with the elements of `src` added at the places `index` along `dim`, as `scatter_reduce` does."""
    return scatter_reduce(input, dim, index, src, "sum")


def scatter_nd(index: Tensor, updates: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """Zeros of `shape` with the tensor `updates` added at the slices that the rows of `index` name, as in `gather_nd`.

    The result has the dtype of updates.
    """
    return scatter_nd_add(zeros(shape, need_tensor("scatter_nd", updates, "updates").dtype), index, updates)


@tensor_method()
def index_add(x: Tensor, index: Tensor, axis: int, value: Tensor, alpha: Any = 1, name: str | None = None) -> Tensor:
    """x with the slices of `value`, times `alpha`, added to its slices along `axis` that the integer vector `index` names.

    value: a tensor of the shape of these slices; alpha: a number. The result has the shape and dtype of x. DTypeError: an index
    that isn't integer.
    """
    value = to_dtype(need_tensor("index_add", value, "value"), need_tensor("index_add", x).dtype.name)
    value = value if isinstance(alpha, int) and alpha == 1 else elementwise.multiply(value, alpha)
    return mutate_index.index_add(x, _indices("index_add", index), value, axis=axis_leaf("index_add", axis))


@tensor_method()
def index_fill(x: Tensor, index: Tensor, axis: int, value: Any, name: str | None = None) -> Tensor:
    """x with `value`, a number or a 0-d Tensor, everywhere in the slices along `axis` that the integer vector `index` names.

    The result has the shape and dtype of x. DTypeError: an index that isn't integer. ShapeError: the number of axes is unknown.
    """
    rank = known_rank("index_fill", x)
    items = [FULL] * axis_leaf("index_fill", axis, rank) + [{"tensor": 0}]
    return mutate_index.setitem_copy(x, _number(x, value), _indices("index_fill", index), index=items)


def _number(x: Tensor, value: Any) -> Any:
    return to_dtype(value, x.dtype.name) if isinstance(value, Tensor) else plain_scalar(value)


@tensor_method()
def index_put(x: Tensor, indices: Any, value: Tensor, accumulate: bool = False, name: str | None = None) -> Tensor:
    """x with the tensor `value` put, or with `accumulate` added, at x[indices]: a tuple of integer tensors or bool masks.

    value broadcasts to what x[indices] gives. The result has the shape and dtype of x. TypeError: no tuple or list of tensors.
    """
    if not isinstance(indices, (tuple, list)):
        raise TypeError(f"index_put: indices must be a tuple of Tensors, not {type(indices).__name__}")
    for each in indices:
        need_tensor("index_put", each, "each of indices")
    value = to_dtype(need_tensor("index_put", value, "value"), need_tensor("index_put", x).dtype.name)
    write = mutate_index.setitem_add if accumulate else mutate_index.setitem_copy
    return write(x, value, *indices, index=[{"tensor": i} for i in range(len(indices))])


@tensor_method()
def select_scatter(x: Tensor, values: Tensor, axis: int, index: Any, name: str | None = None) -> Tensor:
    """x with the tensor `values` at the place `index`, an int, of the axis `axis`; values have the shape of x without that axis.

    The result has the shape and dtype of x. ShapeError: an axis out of range, or the number of axes is unknown.
    """
    items: list = [FULL] * known_rank("select_scatter", x)
    items[axis_leaf("select_scatter", axis, len(items))] = {"int": index}
    return mutate_index.setitem_copy(x, to_dtype(need_tensor("select_scatter", values, "values"), x.dtype.name), index=items)


@tensor_method()
def slice_scatter(x: Tensor, value: Tensor, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Tensor:
    """x with the tensor `value` at x[starts[i]:ends[i]:strides[i]] along each of `axes`.

    value broadcasts to the shape of that part. starts, ends, strides: lists of ints. The result has the shape and dtype of x.
    ShapeError: an axis out of range, or the number of axes is unknown.
    """
    items: list = [FULL] * known_rank("slice_scatter", x)
    parts = (int_list("slice_scatter", p, what) for p, what in ((starts, "starts"), (ends, "ends"), (strides, "strides")))
    for axis, start, stop, step in zip(axes, *parts):
        items[axis_leaf("slice_scatter", axis, len(items))] = {"slice": [start, stop, step]}
    return mutate_index.setitem_copy(x, to_dtype(need_tensor("slice_scatter", value, "value"), x.dtype.name), index=items)


@tensor_method()
def masked_scatter(x: Tensor, mask: Tensor, value: Tensor, name: str | None = None) -> Tensor:
    """x with the first elements of the tensor `value`, in order, where the bool tensor `mask` (expanded to the shape of x) holds.

    The result has the shape and dtype of x. DTypeError: a mask of another dtype.
    """
    need_tensor("masked_scatter", x)
    value = reshape(to_dtype(need_tensor("masked_scatter", value, "value"), x.dtype.name), [-1])
    if not same_lengths(_mask("masked_scatter", mask), x):
        mask = broadcast_to(mask, x.shape)
    order = elementwise.subtract(cumsum(reshape(mask, [-1]).astype("int64"), 0), 1)
    taken = gather(value, select.where(reshape(mask, [-1]), order, 0), axis=0)
    return select.where(mask, reshape(taken, x.shape), x)
