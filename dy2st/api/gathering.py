"""Picking and placing elements by index tensors and masks, under Paddle's names. Results are copies."""

from __future__ import annotations

from typing import Any

from ..errors import DTypeError, ShapeError
from ..ops import creation, mutate_index, select, views
from ..ops import index as reading
from ..ops.dims import axis_of
from ..runtime.tensors.tensor import Tensor
from .checks import describe, known_rank, need_tensor, plain_scalar, scalar_kind, to_dtype
from .known import known_length, larger, of_length, same_lengths
from .shape_args import FULL, at_axis, axis_leaf
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "gather",
    "gather_nd",
    "index_select",
    "masked_fill",
    "masked_select",
    "nonzero",
    "scatter",
    "scatter_nd_add",
    "take_along_axis",
)


def _indices(op: str, value: Any, what: str = "index") -> Tensor:
    need_tensor(op, value, what)
    if not value.dtype.is_integer:
        raise DTypeError(f"{op}: {what} must be a tensor of integers, not {value.dtype.name}")
    return value


@tensor_method()
def gather(x: Tensor, index: Tensor, axis: Any = None, name: str | None = None) -> Tensor:
    """The slices of x along `axis` (None: 0) that `index` names, in the dtype of x.

    index: integers [n] or [n, 1] for n slices, or a 0-d one for one, without the axis. Negative ones count from the end.
    DTypeError: an index that isn't integer. IndexError: one out of range.

    >>> dy2st.gather(dy2st.to_tensor([10, 20, 30]), dy2st.to_tensor([2, 0])).tolist()
    [30, 10]
    """
    need_tensor("gather", x)
    if _indices("gather", index).type.rank == 2:
        index = views.squeeze(index, axis=[1])
    return reading.gather(x, index, axis=0 if axis is None else axis_leaf("gather", axis))


@tensor_method()
def index_select(x: Tensor, index: Tensor, axis: int = 0, name: str | None = None) -> Tensor:
    """The slices of x along `axis` that the integer vector `index` names, in the dtype of x: as long there as the vector.

    DTypeError: an index that isn't integer. IndexError: one out of range.

    >>> dy2st.index_select(dy2st.to_tensor([[1, 2], [3, 4]]), dy2st.to_tensor([1]), axis=1).tolist()
    [[2], [4]]
    """
    return reading.gather(need_tensor("index_select", x), _indices("index_select", index), axis=axis_leaf("index_select", axis))


@tensor_method()
def gather_nd(x: Tensor, index: Tensor, name: str | None = None) -> Tensor:
    """index, integers [..., k]: each row of k numbers names a slice of x by its first k axes; result [..., *x.shape[k:]].

    In the dtype of x. DTypeError: an index that isn't integer. ShapeError: k is unknown. IndexError: a number out of range.

    >>> dy2st.gather_nd(dy2st.to_tensor([[1, 2], [3, 4]]), dy2st.to_tensor([[1, 0]])).tolist()
    [3]
    """
    columns = _columns("gather_nd", _indices("gather_nd", index))
    items = [{"tensor": i} for i in range(len(columns))]
    return reading.getitem_advanced(need_tensor("gather_nd", x), *columns, index=items)


def _columns(op: str, indices: Tensor) -> list[Tensor]:
    if known_rank(op, indices) == 0:
        raise ShapeError(f"{op}: index must have an axis")
    return [reading.getitem(indices, index=["ellipsis", {"int": i}]) for i in range(known_length(op, indices, -1))]


@tensor_method()
def take_along_axis(arr: Tensor, indices: Tensor, axis: int, broadcast: bool = True) -> Tensor:
    """One element of `arr` for each index along `axis`: a tensor of the shape of `indices`, in the dtype of arr.

    indices: integers, as many axes as arr; with `broadcast`, they are expanded to its lengths along the other axes, else they
    reach the first elements there. DTypeError: they aren't integer. ShapeError: they don't fit. IndexError: one out of range.

    >>> dy2st.take_along_axis(dy2st.to_tensor([[1, 2], [3, 4]]), dy2st.to_tensor([[1], [0]]), 1).tolist()
    [[2], [3]]
    """
    need_tensor("take_along_axis", arr, "arr")
    axis = axis_leaf("take_along_axis", axis)
    if broadcast:
        return reading.take_along_axis(arr, _along("take_along_axis", arr, indices, axis), axis=axis)
    indices = _indices("take_along_axis", indices, "indices")
    part = _reached("take_along_axis", arr, indices, axis)
    return reading.take_along_axis(arr if part is None else reading.getitem(arr, index=part), indices, axis=axis)


def _along(op: str, arr: Tensor, indices: Tensor, axis: int) -> Tensor:
    """`indices` expanded to the shape of `arr` but for `axis`."""
    shape, given = arr.type.shape, _indices(op, indices, "indices").type.shape
    if shape is None or given is None or len(shape) != len(given):
        return indices
    axis = axis_of(axis, len(shape), op)
    others = [i for i in range(len(shape)) if i != axis]
    if all(shape[i] == given[i] is not None for i in others):
        return indices
    target = arr.shape
    target[axis] = -1
    return views.broadcast_to(indices, shape=target)


def _reached(op: str, arr: Tensor, indices: Tensor, axis: int) -> list | None:
    """The part of `arr` that `indices` reach: all of `axis`, else as many elements as they have. None: that is all of `arr`."""
    rank, shape, given = known_rank(op, arr), arr.type.shape, indices.type.shape
    if given is None or len(given) != rank:
        raise ShapeError(f"{op}: the indices have as many axes as the tensor, unlike {indices.type} and {arr.type}")
    others = [at for at in range(rank) if at != axis % rank]
    if all(shape[at] == given[at] is not None for at in others):  # type: ignore[index]
        return None
    for at in others:
        of_length(op, arr, at, larger(arr.shape[at], indices.shape[at]), "the indices reach beyond the tensor")
    return [{"slice": [None, indices.shape[at], None]} if at in others else FULL for at in range(rank)]


def _like(x: Tensor, values: Any) -> Tensor:
    """Values (a Tensor or a Python number) in the dtype of `x`."""
    if isinstance(values, Tensor):
        return to_dtype(values, x.dtype.name)
    if scalar_kind(values) in ("bool", "int", "float"):
        return creation.full(shape=[], fill_value=plain_scalar(values), dtype=x.dtype.name)
    raise TypeError(f"values must be a Tensor or a number, not {describe(values)}")


@tensor_method()
def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: bool = True, name: str | None = None) -> Tensor:
    """x with the rows that `index` (integers [n]) names replaced by those of `updates` [n, ...]; in the shape and dtype of x.

    Without `overwrite` these rows are set to 0 first and the updates added, so that a row named twice gets the sum of both.
    DTypeError: an index that isn't integer. IndexError: one out of range.

    >>> dy2st.scatter(dy2st.zeros([3]), dy2st.to_tensor([1]), dy2st.ones([1])).tolist()
    [0.0, 1.0, 0.0]
    """
    need_tensor("scatter", x)
    rows = [{"tensor": 0}]
    if _indices("scatter", index).type.rank == 2:
        index = views.squeeze(index, axis=[1])
    updates = to_dtype(need_tensor("scatter", updates, "updates"), x.dtype.name)
    if overwrite:
        return mutate_index.setitem_copy(x, updates, index, index=rows)
    return mutate_index.setitem_add(mutate_index.setitem_copy(x, 0, index, index=rows), updates, index, index=rows)


@tensor_method()
def scatter_nd_add(x: Tensor, index: Tensor, updates: Tensor, name: str | None = None) -> Tensor:
    """x with `updates` added at the slices that the rows of `index` name, as in `gather_nd`; in the shape and dtype of x.

    updates: a tensor of the shape that `gather_nd` gives. What is named twice gets the sum of both.
    """
    columns = _columns("scatter_nd_add", _indices("scatter_nd_add", index))
    updates = to_dtype(need_tensor("scatter_nd_add", updates, "updates"), need_tensor("scatter_nd_add", x).dtype.name)
    return mutate_index.setitem_add(x, updates, *columns, index=[{"tensor": i} for i in range(len(columns))])


def _mask(op: str, mask: Any) -> Tensor:
    if need_tensor(op, mask, "mask").dtype.name != "bool":
        raise DTypeError(f"{op}: mask must be a tensor of bools, not {mask.dtype.name}")
    return mask


@tensor_method()
def masked_select(x: Tensor, mask: Tensor, name: str | None = None) -> Tensor:
    """The elements of x where the bool tensor `mask` (expanded to the shape of x) holds, as a vector in the dtype of x.

    DTypeError: a mask of another dtype.

    >>> dy2st.masked_select(dy2st.to_tensor([1, 2, 3]), dy2st.to_tensor([True, False, True])).tolist()
    [1, 3]
    """
    need_tensor("masked_select", x)
    if not same_lengths(_mask("masked_select", mask), x):
        mask = views.broadcast_to(mask, shape=x.shape)
    return reading.getitem_advanced(x, mask, index=[{"tensor": 0}])


@tensor_method()
def masked_fill(x: Tensor, mask: Tensor, value: Any, name: str | None = None) -> Tensor:
    """x with `value`, a number or a 0-d tensor, where the bool tensor `mask` holds; shapes broadcast. In the dtype of x.

    DTypeError: a mask of another dtype. TypeError: another kind of value.

    >>> dy2st.masked_fill(dy2st.to_tensor([1, 2]), dy2st.to_tensor([True, False]), 0).tolist()
    [0, 2]
    """
    need_tensor("masked_fill", x)
    if isinstance(value, Tensor):
        value = to_dtype(value, x.dtype.name)
    elif scalar_kind(value) is None:
        raise TypeError(f"masked_fill: value must be a number or a 0-d Tensor, not {describe(value)}")
    return select.where(_mask("masked_fill", mask), value, x)


@tensor_method()
def nonzero(x: Tensor, as_tuple: bool = False) -> Any:
    """int64 [n, rank]: where the n nonzero elements of x, of any dtype, are; with `as_tuple`, one vector [n] for each axis.

    The result is a tensor, or a tuple of them. ConversionError: as_tuple, and the number of axes is unknown.

    >>> dy2st.nonzero(dy2st.to_tensor([0, 5, 7])).tolist()
    [[1], [2]]
    """
    found = reading.nonzero(need_tensor("nonzero", x))
    if not as_tuple:
        return found
    return tuple(reading.getitem(found, index=at_axis(1, {"int": i})) for i in range(known_rank("nonzero(as_tuple=True)", x)))
