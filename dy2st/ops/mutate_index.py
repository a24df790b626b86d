"""Writing parts of a tensor: x[index] = value, adding at indices.

`setitem` writes in place; every other operator here returns a new tensor. A value is broadcast to the part it replaces and takes
the dtype of the tensor. `ops/subscript.py` says how a subscript is written.
"""

from __future__ import annotations

from ..errors import DTypeError, OperatorError, ShapeError
from ..ir.shape import shape_text
from ..ir.types import NUMERIC, TensorType, Type
from .dims import agree, axis_of, integer_tensor
from .lowered import writes as lowered
from .registry import define
from .rules import is_tensor, need_tensor, static_shape, unbroadcast
from .subscript import native, picked_type, plain_type, plain_view, ranks_covered, split, tensor_count
from .walks import add_at

# --- x[index] = value ------------------------------------------------------------------------------------------------


def _part_type(x: Type, tensors, index, op: str) -> TensorType:
    return picked_type(x, tensors, index, op) if tensor_count(index) else plain_type(x, index, op)


def _check_value(x: Type, value: Type, tensors, index, op: str) -> None:
    part = _part_type(x, tensors, index, op)
    if value in NUMERIC:
        return
    given = need_tensor(op, value).shape
    if part.shape is None or given is None:
        return
    extra = len(given) - len(part.shape)
    aligned = part.shape[max(-extra, 0) :]
    fits = all(agree(d, 1) for d in given[: max(extra, 0)])
    if not fits or not all(d == 1 or agree(d, p) for d, p in zip(given[max(extra, 0) :], aligned)):
        raise ShapeError(
            f"{op}: a value of shape {shape_text(given)} doesn't broadcast to the part of shape {shape_text(part.shape)}"
        )


def _infer_setitem(x, value, *tensors, index):
    _check_value(x, value, tensors, index, "setitem")
    return ()


def _infer_setitem_copy(x, value, *tensors, index):
    _check_value(x, value, tensors, index, "setitem_copy")
    return x


def _kernel_setitem(x, value, *tensors, index):
    if not x.flags.writeable:
        raise OperatorError("setitem: the elements of this view lie in each other's memory, so that it is read-only; copy it")
    if tensors:
        plain, picked = split(index, ranks_covered(tensors))
        plain_view(x, plain)[native(picked, tensors)] = value
    else:
        plain_view(x, index)[...] = value
    return ()


def _kernel_setitem_copy(x, value, *tensors, index):
    result = x.copy()
    _kernel_setitem(result, value, *tensors, index=index)
    return result


def _part(x, tensors, index):
    from .index import getitem, getitem_advanced

    return getitem_advanced(x, *tensors, index=index) if tensors else getitem(x, index=index)


def _value_gradient(ctx, g):
    """The part of `g` that the value went into, summed back to the value's shape and dtype."""
    from .cast import cast
    from .views import reshape

    value, tensors, index = ctx.inputs[1], ctx.inputs[2:], ctx.attrs["index"]
    if not is_tensor(value) or not value.dtype.is_floating:
        return None
    part = _part(g, tensors, index)
    given, shape = static_shape(value), static_shape(part)
    if given is not None and shape is not None and len(given) > len(shape):
        value_shape = value.shape
        part = reshape(part, shape=[1] * (len(given) - len(shape)) + part.shape)
        part = reshape(unbroadcast(part, value), shape=value_shape)
    else:
        part = unbroadcast(part, value)
    return part if value.dtype == g.dtype else cast(part, dtype=value.dtype.name)


def _grad_setitem_copy(ctx, g):
    tensors = ctx.inputs[2:]
    before = setitem_copy(g, 0.0, *tensors, index=ctx.attrs["index"]) if ctx.needs[0] else None
    return before, _value_gradient(ctx, g) if ctx.needs[1] else None, *[None] * len(tensors)


setitem = define(
    "setitem",
    kernel=_kernel_setitem,
    in_words=True,
    infer=_infer_setitem,
    mutates=(0,),
    functional="setitem_copy",
    raises=("IndexError",),
)

setitem_copy = define(
    "setitem_copy",
    kernel=_kernel_setitem_copy,
    in_words=True,
    infer=_infer_setitem_copy,
    grad=_grad_setitem_copy,
    grad_ignores=(0, 1),
    raises=("IndexError",),
    onnx=lowered.setitem,
)

# --- adding at indices (an index that occurs twice adds twice) ---------------------------------------------------------


def _kernel_setitem_add(x, value, *tensors, index):
    result = x.copy()
    plain, picked = split(index, ranks_covered(tensors))
    add_at(plain_view(result, plain), native(picked, tensors), value)
    return result


def _infer_setitem_add(x, value, *tensors, index):
    _check_value(x, value, tensors, index, "setitem_add")
    return x


setitem_add = define(
    "setitem_add",
    kernel=_kernel_setitem_add,
    in_words=True,
    infer=_infer_setitem_add,
    grad=lambda ctx, g: (g, _value_gradient(ctx, g) if ctx.needs[1] else None, *[None] * (len(ctx.inputs) - 2)),
    raises=("IndexError",),
    onnx=lowered.setitem_add,
)


def _infer_index_add(x, index, value, axis):
    shape, picks = need_tensor("index_add", x).shape, integer_tensor(index, "index_add").shape
    if need_tensor("index_add", value).dtype != x.dtype:
        raise DTypeError(f"index_add adds values of dtype {x.dtype}, not {value.dtype}")
    if shape is not None and picks is not None and value.shape is not None:
        at = axis_of(axis, len(shape), "index_add")
        part = (*shape[:at], *picks, *shape[at + 1 :])
        if len(part) != len(value.shape) or not all(map(agree, part, value.shape)):
            raise ShapeError(f"index_add: values of shape {shape_text(value.shape)}, expected {shape_text(part)}")
    return x


def _kernel_index_add(x, index, value, axis):
    result = x.copy()
    at = axis_of(axis, x.ndim, "index_add")
    if value.shape != (*x.shape[:at], *index.shape, *x.shape[at + 1 :]):
        raise ShapeError(f"index_add: values of shape {list(value.shape)} for the indices {list(index.shape)} of {list(x.shape)}")
    where = (slice(None),) * at + (index,)
    add_at(result, where, value)
    return result


def _grad_index_add(ctx, g):
    from .index import gather

    return g, None, gather(g, ctx.inputs[1], axis=ctx.attrs["axis"])


index_add = define(
    "index_add",
    kernel=_kernel_index_add,
    in_words=True,
    infer=_infer_index_add,
    grad=_grad_index_add,
    raises=("IndexError",),
    onnx=lowered.index_add,
)
