"""Shapes and axes, under Paddle's names.

All of these give views: the result shares memory with `x` wherever NumPy can express it.
"""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ir.core import Operation, Value
from ..ops import views
from ..runtime.proxies import StagedInt
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor
from .shape_args import axis_leaf, axis_list, check_name, int_list
from .tensor_methods import attach, tensor_method, tensor_property

__all__ = (  # fmt: skip
    "broadcast_to",
    "expand",
    "expand_as",
    "flatten",
    "moveaxis",
    "reshape",
    "reshape_as",
    "squeeze",
    "swapaxes",
    "t",
    "transpose",
    "unsqueeze",
)


@tensor_method()
def reshape(x: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """x with another shape: one length may be -1 (what is left), a 0 keeps the length of x at that place.

    Of an x without elements a 0 is a length of 0, unless the length of x at that place fits, too.

    x: a tensor of any shape and dtype. shape: a list of ints, staged ints and 0-d Tensors, one int, or a 1-d integer Tensor. The
    result has the dtype of x and is a view where memory allows. ShapeError: another number of elements, or a 0 where x has no
    axis.

    >>> dy2st.reshape(dy2st.arange(6), [2, -1]).shape
    [2, 3]
    """
    check_name("reshape", name, shape)
    need_tensor("reshape", x)
    given = int_list("reshape", shape, "shape")
    if _is_without_elements(x, given):
        return views.reshape(x, shape=given)
    return views.reshape(x, shape=[_length(x, at, d) for at, d in enumerate(given)])


def _is_without_elements(x: Tensor, given: list) -> bool:
    """Whether x has no elements, and would have some if each 0 stood for the length of x at its place, or there is none."""
    shape = x.type.shape
    if shape is None or 0 not in shape or not all(type(d) is int and d >= 0 for d in given):
        return False
    return all(d or at >= len(shape) or shape[at] != 0 for at, d in enumerate(given))


def _length(x: Tensor, at: int, given: Any) -> Any:
    """The length at a place of the new shape: a 0 stands for that of x, also one that only the Program knows.

    What is computed of lengths stays as it is, so that their names go on into the result.
    """
    if isinstance(given, int):
        return given if given else _kept(x, at)
    if not isinstance(given, StagedInt) or _is_of_lengths(given._value) or at >= x.ndim:
        return given
    return given + (given == 0) * x.shape[at]


OF_LENGTHS = ("py.dim", "const", "py.add", "py.mul", "py.floordiv")


def _is_of_lengths(value: Value) -> bool:
    op = value.owner
    return isinstance(op, Operation) and op.name in OF_LENGTHS and (op.name == "py.dim" or all(map(_is_of_lengths, op.operands)))


def _kept(x: Tensor, at: int) -> Any:
    shape = x.shape
    if at >= len(shape):
        raise ShapeError(f"reshape: a 0 at place {at} stands for a length of x, which has {len(shape)} axes")
    return shape[at]


@tensor_method("view")
def view(x: Tensor, shape_or_dtype: Any, name: str | None = None) -> Tensor:
    """x with another shape, as `reshape` to `shape_or_dtype`, which is a shape. TypeError: a dtype, which Paddle takes, too."""
    check_name("view", name, shape_or_dtype)
    return reshape(x, shape_or_dtype)


@tensor_method()
def reshape_as(x: Tensor, other: Tensor) -> Tensor:
    """x with the shape of the tensor `other`, which has as many elements; a view where memory allows, in the dtype of x.

    ShapeError: it has another number of elements.
    """
    return views.reshape(need_tensor("reshape_as", x), shape=need_tensor("reshape_as", other, "other").shape)


attach(reshape_as, "view_as")


@tensor_method()
def flatten(x: Tensor, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Tensor:
    """The axes from `start_axis` to `stop_axis` (included) of x made one; a view where memory allows, in the dtype of x.

    A 0-d x becomes [1]. ShapeError: an axis out of range.

    >>> dy2st.flatten(dy2st.ones([2, 3, 4]), 1).shape
    [2, 12]
    """
    need_tensor("flatten", x)
    return views.flatten(x, start_axis=axis_leaf("flatten", start_axis), stop_axis=axis_leaf("flatten", stop_axis))


@tensor_method()
def squeeze(x: Tensor, axis: Any = None, name: str | None = None) -> Tensor:
    """x without the axes of length 1: all of them, or those in `axis`, an int or a list of ints (longer ones stay).

    A view, in the dtype of x. ShapeError: an axis out of range.

    >>> dy2st.squeeze(dy2st.ones([1, 2, 1])).shape
    [2]
    """
    check_name("squeeze", name, axis)
    need_tensor("squeeze", x)
    return views.squeeze(x, axis=None if axis is None or axis == [] else axis_list("squeeze", axis))


@tensor_method()
def unsqueeze(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """x with axes of length 1 at the places `axis`, an int or a list of ints, of the result: a view, in the dtype of x.

    ShapeError: a place out of range.

    >>> dy2st.unsqueeze(dy2st.ones([2, 3]), 1).shape
    [2, 1, 3]
    """
    check_name("unsqueeze", name, axis)
    return views.unsqueeze(need_tensor("unsqueeze", x), axis=axis_list("unsqueeze", axis))


@tensor_method()
def transpose(x: Tensor, perm: Any, name: str | None = None) -> Tensor:
    """Axis i of the result is axis perm[i] of x: a view, in the dtype of x.

    perm: a list with each axis of x once. ShapeError: it isn't that, or has another number of axes.

    >>> dy2st.transpose(dy2st.ones([2, 3, 4]), [2, 0, 1]).shape
    [4, 2, 3]
    """
    check_name("transpose", name, perm)
    need_tensor("transpose", x)
    return views.transpose(x, perm=axis_list("transpose", perm, x.type.rank))


@tensor_method()
def t(input: Tensor, name: str | None = None) -> Tensor:
    """The transpose of a matrix `input` as a view in its dtype: [n, m] gives [m, n]; a vector or a 0-d tensor as it is.

    ShapeError: more than 2 axes, or the number of axes is unknown.
    """
    rank = known_rank("t", input)
    if rank > 2:
        raise ShapeError(f"t takes a tensor of at most 2 axes, not {rank}; use transpose")
    return views.transpose(input, perm=[1, 0]) if rank == 2 else input


@tensor_property("T")
def _reversed_axes(x: Tensor) -> Tensor:
    """This tensor with its axes in reverse order, as a view. ShapeError: their number is unknown."""
    return x.transpose(list(reversed(range(known_rank("x.T", x)))))


@tensor_method()
def moveaxis(x: Tensor, source: Any, destination: Any, name: str | None = None) -> Tensor:
    """The axes `source` of x moved to the places `destination`; the others keep their order. A view, in the dtype of x.

    source, destination: ints, or lists of as many ints. ShapeError: not as many, out of range, or the number of axes is unknown.

    >>> dy2st.moveaxis(dy2st.ones([2, 3, 4]), 0, -1).shape
    [3, 4, 2]
    """
    rank = known_rank("moveaxis", x)
    origin, target = axis_list("moveaxis", source, rank), axis_list("moveaxis", destination, rank)
    if len(origin) != len(target):
        raise ShapeError(f"moveaxis: {len(origin)} axes for {len(target)} places")
    perm = [a for a in range(rank) if a not in origin]
    for place, axis in sorted(zip(target, origin)):
        perm.insert(place, axis)
    return views.transpose(x, perm=perm)


@tensor_method()
def swapaxes(x: Tensor, axis0: int, axis1: int, name: str | None = None) -> Tensor:
    """x with its axes `axis0` and `axis1` exchanged: a view, in the dtype of x.

    ShapeError: an axis out of range, or the number of axes is unknown.

    >>> dy2st.swapaxes(dy2st.ones([2, 3, 4]), 0, 2).shape
    [4, 3, 2]
    """
    rank = known_rank("swapaxes", x)
    a, b = axis_leaf("swapaxes", axis0, rank), axis_leaf("swapaxes", axis1, rank)
    perm = list(range(rank))
    perm[a], perm[b] = b, a
    return views.transpose(x, perm=perm)


@tensor_method()
def expand(x: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """x repeated along axes of length 1 to `shape` (-1 keeps a length), without copying: the result can't be written to.

    shape: as for `reshape`; it may have more axes in front. The result has the dtype of x. ShapeError: a length of x that is
    neither 1 nor that of the shape.

    >>> dy2st.expand(dy2st.to_tensor([1, 2]), [2, -1]).tolist()
    [[1, 2], [1, 2]]
    """
    check_name("expand", name, shape)
    return views.broadcast_to(need_tensor("expand", x), shape=int_list("expand", shape, "shape"))


@tensor_method()
def broadcast_to(x: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """As `expand`: x repeated to `shape`."""
    return expand(x, shape, name)


@tensor_method()
def expand_as(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """x expanded, as by `expand`, to the shape of the tensor y, whose dtype doesn't matter."""
    return views.broadcast_to(need_tensor("expand_as", x), shape=need_tensor("expand_as", y, "y").shape)
