"""Tensors seen as memory: views that walk through it in ways of their own, copies into it, another length of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ConversionError
from ..ir.core import Operation
from ..ops import dispatch, strided
from ..ops.cast import assign_
from ..ops.index import getitem
from ..ops.registry import view_of
from ..runtime.recorder.recorder import user_loc
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor, to_dtype
from .creation import zeros
from .joining import concat
from .manipulation import reshape
from .shape_args import FULL, axis_leaf, check_name, int_list
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "as_strided",
    "diagonal",
    "narrow",
    "select",
)


@tensor_method()
def as_strided(x: Tensor, shape: Any, stride: Any, offset: int = 0, name: str | None = None) -> Tensor:
    """A view [*shape] whose element [i, j, ...] is number offset + i * stride[0] + j * stride[1] ...

    of the elements of x in memory. x has any shape, lies in row-major order, and keeps its dtype. A view in which elements are
    one in memory can't be written to. ShapeError: places outside the memory of x.

    >>> dy2st.as_strided(dy2st.arange(5), [2, 3], [1, 1]).tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    check_name("as_strided", name, shape, stride, offset)
    need_tensor("as_strided", x)
    lengths, steps = int_list("as_strided", shape, "shape"), int_list("as_strided", stride, "stride")
    return strided.as_strided(x, shape=lengths, stride=steps, offset=offset)


@tensor_method()
def diagonal(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
    """The diagonals of the matrices that the axes `axis1` and `axis2` of x make, as a view.

    The result has the other axes of x, then one along the diagonal, and its dtype. `offset` counts from the main diagonal towards
    the right. ShapeError: an axis out of range, or twice the same.

    >>> dy2st.to_tensor([[1, 2], [3, 4]]).diagonal().tolist()
    [1, 4]
    """
    check_name("diagonal", name, offset, axis1, axis2)
    return strided.diagonal(need_tensor("diagonal", x), offset=offset, axis1=axis1, axis2=axis2)


@tensor_method()
def select(x: Tensor, axis: int, index: Any) -> Tensor:
    """The part of x at the place `index`, an int, of the axis `axis`, as a view without that axis, in the dtype of x.

    ShapeError: an axis out of range, or the number of axes is unknown. IndexError: a place out of range.

    >>> dy2st.select(dy2st.to_tensor([[1, 2], [3, 4]]), 1, 0).tolist()
    [1, 3]
    """
    rank = known_rank("select", x)
    items: list = [FULL] * rank
    items[axis_leaf("select", axis, rank)] = {"int": index}
    return getitem(x, index=items)


@tensor_method()
def narrow(x: Tensor, axis: int, start: Any, length: Any) -> Tensor:
    """`length` places of the axis `axis` of x from `start` on, as a view in the dtype of x; the other lengths of its shape stay.

    start, length: ints. ShapeError: an axis out of range, or the number of axes is unknown.
    """
    rank = known_rank("narrow", x)
    items: list = [FULL] * rank
    items[axis_leaf("narrow", axis, rank)] = {"slice": [start, start + length, None]}
    return getitem(x, index=items)


@tensor_method()
def copy_(x: Tensor, other: Tensor, blocking: bool = True) -> Tensor:
    """Write `other` into x, which is returned; `other` is broadcast to the shape of x and takes its dtype.

    `blocking` has no effect. ShapeError: `other` doesn't broadcast to x.
    """
    assign_(need_tensor("copy_", x), to_dtype(need_tensor("copy_", other, "other"), x.dtype.name))
    return x


@tensor_method()
def resize_(x: Tensor, shape: Any, fill_zero: bool = False) -> Tensor:
    """Give x another shape and memory of its own, with its elements in order, then zeros; x, of the same dtype, is returned.

    x is no view and has no history of gradients: RuntimeError. Views of x that were taken before keep the memory that x had.
    ConversionError: lengths, of `shape` or x, that are unknown while staging. `fill_zero` has no effect: what is new is 0.
    """
    need_tensor("resize_", x)
    _check_resizable(x)
    lengths = int_list("resize_", shape, "shape")
    given = x.static_shape
    if given is None or not all(isinstance(d, int) for d in (*lengths, *given)):
        raise ConversionError("resize_: lengths that are known only when the Program runs, of x or of its new shape; use reshape")
    flat, count, size = reshape(x, [-1]), int(np.prod(lengths)), int(np.prod(given))  # type: ignore[arg-type]
    parts = [flat, zeros([count - size], x.dtype)] if count > size else [flat[:count]]
    resized = reshape(concat(parts), lengths)
    x._data, x._writes, x._view = resized._data, [0], None
    return x


def _check_resizable(x: Tensor) -> None:
    if x.is_staged:
        check_renewable("resize_", x, "x = x.reshape(shape)")
    elif x._view is not None or not x.stop_gradient:
        raise RuntimeError("resize_: x is a view of another tensor, or takes part in gradients; resize x.detach().clone()")


def check_renewable(op: str, x: Tensor, instead: str) -> None:
    """ConversionError where a Variable can't be made another one under its name: others would still see the old one."""
    made = x._data.owner
    is_view = isinstance(made, Operation) and view_of(made.name) is not None
    inside = len(dispatch.current_mode().rec.frames) > 1
    if is_view or inside or not isinstance(made, Operation) or made.blocks:
        loc = user_loc()
        raise ConversionError(
            f"{op} is for a tensor that the function has made outside control flow, no input and no view of another; write "
            f"{instead}, or call it on a clone()",
            *(loc[:2] if loc is not None else ()),
        )
