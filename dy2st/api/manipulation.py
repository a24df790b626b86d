"""Shapes and axes, under Paddle's names.

All of these give views: the result shares memory with `x` wherever NumPy can express it.
"""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops import views
from ..runtime.tensors.tensor import Tensor
from .checks import need_tensor
from .shape_args import axis_leaf, axis_list, check_name, int_list
from .tensor_methods import attach, tensor_method

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
    """`x` with another shape: one length may be -1 (what is left), a 0 keeps the length of `x` at that place."""
    check_name("reshape", name, shape)
    need_tensor("reshape", x)
    given = int_list("reshape", shape, "shape")
    if any(isinstance(d, int) and d == 0 for d in given):
        given = [_kept(x, at) if isinstance(d, int) and d == 0 else d for at, d in enumerate(given)]
    return views.reshape(x, shape=given)


def _kept(x: Tensor, at: int) -> Any:
    shape = x.shape
    if at >= len(shape):
        raise ShapeError(f"reshape: a 0 at place {at} stands for a length of x, which has {len(shape)} axes")
    return shape[at]


@tensor_method("view")
def view(x: Tensor, shape_or_dtype: Any, name: str | None = None) -> Tensor:
    """`x` with another shape, as `reshape`."""
    return reshape(x, shape_or_dtype)


@tensor_method()
def reshape_as(x: Tensor, other: Tensor) -> Tensor:
    """`x` with the shape of `other`."""
    return views.reshape(need_tensor("reshape_as", x), shape=need_tensor("reshape_as", other, "other").shape)


attach(reshape_as, "view_as")


@tensor_method()
def flatten(x: Tensor, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Tensor:
    """The axes from `start_axis` to `stop_axis` (included) made one."""
    need_tensor("flatten", x)
    return views.flatten(x, start_axis=axis_leaf("flatten", start_axis), stop_axis=axis_leaf("flatten", stop_axis))


@tensor_method()
def squeeze(x: Tensor, axis: Any = None, name: str | None = None) -> Tensor:
    """Without the axes of length 1: all of them, or those in `axis` (longer ones stay)."""
    check_name("squeeze", name, axis)
    need_tensor("squeeze", x)
    return views.squeeze(x, axis=None if axis is None or axis == [] else axis_list("squeeze", axis))


@tensor_method()
def unsqueeze(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """With axes of length 1 at the places `axis` of the result."""
    check_name("unsqueeze", name, axis)
    return views.unsqueeze(need_tensor("unsqueeze", x), axis=axis_list("unsqueeze", axis))


@tensor_method()
def transpose(x: Tensor, perm: Any, name: str | None = None) -> Tensor:
    """Axis i of the result is axis perm[i] of `x`."""
    check_name("transpose", name, perm)
    need_tensor("transpose", x)
    return views.transpose(x, perm=axis_list("transpose", perm, x.type.rank))


def _rank(op: str, x: Tensor) -> int:
    rank = need_tensor(op, x).type.rank
    if rank is None:
        raise ShapeError(f"{op} takes a tensor whose number of axes is known")
    return rank


@tensor_method()
def t(input: Tensor, name: str | None = None) -> Tensor:
    """The transpose of a matrix; a vector or a 0-d tensor as it is."""
    rank = _rank("t", input)
    if rank > 2:
        raise ShapeError(f"t takes a tensor of at most 2 axes, not {rank}; use transpose")
    return views.transpose(input, perm=[1, 0]) if rank == 2 else input


def _reversed_axes(x: Tensor) -> Tensor:
    """`x` with its axes in reverse order."""
    return x.transpose(list(reversed(range(_rank("x.T", x)))))


Tensor.T = property(_reversed_axes)  # type: ignore[attr-defined]


@tensor_method()
def moveaxis(x: Tensor, source: Any, destination: Any, name: str | None = None) -> Tensor:
    """The axes `source` moved to the places `destination`; the others keep their order."""
    rank = _rank("moveaxis", x)
    origin, target = axis_list("moveaxis", source, rank), axis_list("moveaxis", destination, rank)
    if len(origin) != len(target):
        raise ShapeError(f"moveaxis: {len(origin)} axes for {len(target)} places")
    perm = [a for a in range(rank) if a not in origin]
    for place, axis in sorted(zip(target, origin)):
        perm.insert(place, axis)
    return views.transpose(x, perm=perm)


@tensor_method()
def swapaxes(x: Tensor, axis0: int, axis1: int, name: str | None = None) -> Tensor:
    """`x` with two axes exchanged."""
    rank = _rank("swapaxes", x)
    a, b = axis_leaf("swapaxes", axis0, rank), axis_leaf("swapaxes", axis1, rank)
    perm = list(range(rank))
    perm[a], perm[b] = b, a
    return views.transpose(x, perm=perm)


@tensor_method()
def expand(x: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """`x` repeated along axes of length 1 to `shape` (-1 keeps a length), without copying: the result can't be written to."""
    check_name("expand", name, shape)
    return views.broadcast_to(need_tensor("expand", x), shape=int_list("expand", shape, "shape"))


@tensor_method()
def broadcast_to(x: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """As `expand`."""
    return expand(x, shape, name)


@tensor_method()
def expand_as(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """`x` expanded to the shape of `y`."""
    return views.broadcast_to(need_tensor("expand_as", x), shape=need_tensor("expand_as", y, "y").shape)
