"""Reading parts of a tensor: subscripts, gather, take_along_axis, nonzero. `ops/subscript.py` says how a subscript is written."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType
from .dims import axis_of, integer_tensor, merge, without
from .lowered import subscripts as lowered
from .registry import define
from .rules import need_tensor
from .subscript import FULL, native, picked_type, plain_source, plain_type, plain_view, ranks_covered, split
from .viewing import define_view

# --- subscripts ------------------------------------------------------------------------------------------------------


def _grad_getitem(ctx, g):
    from .creation import zeros_like
    from .mutate_index import setitem_copy

    return (setitem_copy(zeros_like(ctx.inputs[0]), g, index=ctx.attrs["index"]),)


def _keeps_order(attrs: dict) -> bool:
    """Ints, then at most one slice without steps, then all that there is: one stretch of memory."""
    return re.fullmatch(r"i*s?\.*", "".join(map(_kind, attrs["index"]))) is not None


def _kind(item: Any) -> str:
    if item in (FULL, "newaxis", "ellipsis"):
        return "."
    if "int" in item:
        return "i"
    return "s" if item["slice"][2] in (None, 1) else "?"


getitem = define_view(
    "getitem",
    lambda x, index: plain_view(x, index),
    lambda x, index: plain_type(x, index, "getitem"),
    _grad_getitem,
    template=lambda attrs, names, types: f"{names[0]}[{plain_source(attrs['index'], names)}]",
    scatter="setitem_copy",
    keeps_order=_keeps_order,
    raises=("IndexError",),
    onnx=lowered.getitem,
)


def _kernel_getitem_advanced(x, *tensors, index):
    plain, picked = split(index, ranks_covered(tensors))
    return np.asarray(plain_view(x, plain)[native(picked, tensors)])


def _grad_getitem_advanced(ctx, g):
    from .creation import zeros_like
    from .mutate_index import setitem_add

    x, *tensors = ctx.inputs
    return (setitem_add(zeros_like(x), g, *tensors, index=ctx.attrs["index"]), *[None] * len(tensors))


getitem_advanced = define(
    "getitem_advanced",
    kernel=_kernel_getitem_advanced,
    in_words=True,
    infer=lambda x, *tensors, index: picked_type(x, tensors, index, "getitem_advanced"),
    grad=_grad_getitem_advanced,
    row_major=False,
    raises=("IndexError",),
    onnx=lowered.getitem_advanced,
)

# --- gather: whole slices along one axis -----------------------------------------------------------------------------


def _infer_gather(x, index, axis):
    shape = need_tensor("gather", x).shape
    picks = integer_tensor(index, "gather").shape
    if shape is None or picks is None:
        return TensorType(x.dtype, None)
    at = axis_of(axis, len(shape), "gather")
    return TensorType(x.dtype, (*shape[:at], *picks, *shape[at + 1 :]))


def _grad_gather(ctx, g):
    from .creation import zeros_like
    from .mutate_index import index_add

    return index_add(zeros_like(ctx.inputs[0]), ctx.inputs[1], g, axis=ctx.attrs["axis"]), None


gather = define(
    "gather",
    kernel=lambda x, index, axis: np.asarray(x.take(index, axis=axis)),
    in_words=True,
    infer=_infer_gather,
    grad=_grad_gather,
    raises=("IndexError",),
    onnx=lambda g, x, index, axis: g.Gather(x, lowered.as_index(g, index), axis=axis),
)

# --- take_along_axis: one element per index --------------------------------------------------------------------------


def _infer_take_along_axis(x, indices, axis):
    shape, picks = need_tensor("take_along_axis", x).shape, integer_tensor(indices, "take_along_axis").shape
    if shape is None or picks is None:
        return TensorType(x.dtype, picks)
    at = axis_of(axis, len(shape), "take_along_axis")
    if len(picks) != len(shape):
        raise ShapeError(f"take_along_axis: {x} and its indices {indices} must have as many axes as each other")
    others = merge([without(shape, at), without(picks, at)], "take_along_axis") or ()
    return TensorType(x.dtype, (*others[:at], picks[at], *others[at:]))


def _kernel_take_along_axis(x, indices, axis):
    at = axis_of(axis, x.ndim, "take_along_axis")
    merge([without(x.shape, at), without(indices.shape, at)], "take_along_axis")  # NumPy would broadcast them
    return np.take_along_axis(x, indices, at)


def _grad_take_along_axis(ctx, g):
    from .creation import zeros_like
    from .put_along_axis import put_along_axis

    x, indices = ctx.inputs
    return put_along_axis(zeros_like(x), indices, g, axis=ctx.attrs["axis"], reduce="add"), None


take_along_axis = define(
    "take_along_axis",
    kernel=_kernel_take_along_axis,
    in_words=True,
    infer=_infer_take_along_axis,
    grad=_grad_take_along_axis,
    raises=("IndexError",),
    onnx=lowered.take_along_axis,
)

# --- nonzero ---------------------------------------------------------------------------------------------------------


def _infer_nonzero(x):
    """int64 [number of nonzero elements, rank of x]."""
    rank = need_tensor("nonzero", x).rank
    return TensorType("int64", (None, rank))


nonzero = define(
    "nonzero",
    kernel=lambda x: np.argwhere(x).astype(np.int64, copy=False),
    infer=_infer_nonzero,
    row_major=False,
    onnx=lowered.nonzero,
)
