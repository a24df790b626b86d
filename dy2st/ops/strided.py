"""Views that walk through a tensor in ways of their own: as_strided and diagonal.

Where several elements of an as_strided view are one in memory, it can't be written to, as what broadcast_to gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided as _strided

from ..errors import ShapeError
from ..ir.types import Dim, TensorType, Type
from .cast import assign
from .dims import axis_of, known, leaf, tensor
from .registry import define
from .viewing import define_view

# --- as_strided ------------------------------------------------------------------------------------------------------


def _places(shape: tuple, stride: tuple, offset: int) -> np.ndarray:
    """For each element of an as_strided view, its place in memory."""
    steps = [np.arange(n) * step for n, step in zip(shape, stride)]
    return offset + sum(np.ix_(*steps), np.zeros(shape, np.int64)) if shape else np.asarray(offset)


def overlaps(shape: tuple, stride: tuple) -> bool:
    """Whether two elements of an as_strided view are one in memory."""
    reach = 0
    for step, n in sorted((abs(step), n) for n, step in zip(shape, stride) if n > 1):
        if step <= reach:
            places = _places(shape, stride, 0)
            return len(np.unique(places)) < places.size
        reach += step * (n - 1)
    return False


def _check_strides(size: int | None, shape: list, stride: list, offset: int) -> None:
    if len(shape) != len(stride):
        raise ShapeError(f"as_strided: {len(shape)} lengths and {len(stride)} strides")
    if offset < 0 or any(d < 0 for d in (*shape, *stride)):
        raise ShapeError(f"as_strided: lengths, strides and the offset are not negative: {shape}, {stride}, {offset}")
    if size is not None and 0 not in shape and offset + sum((n - 1) * step for n, step in zip(shape, stride)) >= size:
        raise ShapeError(f"as_strided: shape {shape} with strides {stride} from {offset} on goes beyond {size} elements")


def _kernel_as_strided(x: np.ndarray, shape: Any, stride: Any, offset: int = 0) -> np.ndarray:
    _check_strides(x.size, list(shape), list(stride), offset)
    if not x.flags.c_contiguous:
        raise ShapeError("as_strided takes a tensor whose elements lie in row-major order; take it of x.clone()")
    steps = [step * x.itemsize for step in stride]
    can_write = x.flags.writeable and not overlaps(tuple(shape), tuple(stride))
    return _strided(x.reshape(-1)[offset:], tuple(shape), steps, writeable=can_write)


def _infer_as_strided(x: Type, shape: Any, stride: Any, offset: Any = 0) -> Type:
    dims = [leaf(d) for d in shape]
    given = tensor(x, "as_strided").shape
    if known(*dims, offset) and all(map(known, stride)):
        size = int(np.prod(given)) if given is not None and known(*given) else None  # type: ignore[arg-type]
        _check_strides(size, dims, list(stride), offset)
    return TensorType(tensor(x, "as_strided").dtype, tuple(dims))


def _grad_as_strided(ctx, g):
    return (strided_add(ctx.inputs[0], g, **ctx.attrs),)


def _grad_as_strided_scatter(ctx, g):
    from .creation import zeros_like

    return as_strided_scatter(g, zeros_like(ctx.inputs[1]), **ctx.attrs), as_strided(assign(g), **ctx.attrs)


def _refuse_overlap(shape: Any, stride: Any) -> None:
    if overlaps(tuple(shape), tuple(stride)):
        raise ShapeError("as_strided: elements of this view are one in memory, so it can't be written; write into x.clone()")


def _infer_as_strided_scatter(base: Type, view: Type, shape: Any, stride: Any, offset: Any = 0) -> Type:
    if all(map(known, (*shape, *stride))):
        _refuse_overlap(shape, stride)
    return tensor(base, "as_strided")


def _kernel_as_strided_scatter(base, view, shape, stride, offset=0):
    _refuse_overlap(shape, stride)
    result = np.array(base, order="C")
    _strided(result.reshape(-1)[offset:], view.shape, [step * result.itemsize for step in stride])[...] = view
    return result


as_strided = define_view(
    "as_strided",
    _kernel_as_strided,
    _infer_as_strided,
    _grad_as_strided,
    scatter="as_strided_scatter",
    of_memory=True,
    raises=("ValueError",),
)
as_strided_scatter = define(
    "as_strided_scatter",
    kernel=_kernel_as_strided_scatter,
    infer=_infer_as_strided_scatter,
    grad=_grad_as_strided_scatter,
    grad_ignores=(0, 1),
    raises=("ValueError",),
)


def _kernel_strided_add(like, value, shape, stride, offset=0):
    result = np.zeros(like.size, value.dtype)
    np.add.at(result, _places(value.shape, tuple(stride), offset), value)
    return result.reshape(like.shape)


# Zeros in the shape of `like`, to which `value` is added where an as_strided view has its elements.
strided_add = define(
    "strided_add",
    kernel=_kernel_strided_add,
    infer=lambda like, value, **attrs: tensor(like, "strided_add"),
    grad=lambda ctx, g: (None, as_strided(assign(g), **ctx.attrs)),
    shape_only=(0,),
    grad_ignores=(0, 1),
)

# --- diagonal --------------------------------------------------------------------------------------------------------


def _kernel_diagonal(x: np.ndarray, offset: int = 0, axis1: int = 0, axis2: int = 1) -> np.ndarray:
    found = x.diagonal(offset, axis1, axis2)
    found.flags.writeable = x.flags.writeable
    return found


def _infer_diagonal(x: Type, offset: Any = 0, axis1: int = 0, axis2: int = 1) -> TensorType:
    shape = tensor(x, "diagonal").shape
    if shape is None:
        return TensorType(x.dtype, None)  # type: ignore[attr-defined]
    first, second = axis_of(axis1, len(shape), "diagonal"), axis_of(axis2, len(shape), "diagonal")
    if first == second:
        raise ShapeError(f"diagonal: {axis1} and {axis2} are one axis of {x}")
    rows, columns = shape[first], shape[second]
    length: Dim = None
    if isinstance(rows, int) and isinstance(columns, int) and known(offset):
        length = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    rest = tuple(d for at, d in enumerate(shape) if at not in (first, second))
    return TensorType(x.dtype, (*rest, length))  # type: ignore[attr-defined]


def _grad_diagonal(ctx, g):
    from .creation import zeros_like

    return (diagonal_scatter(zeros_like(ctx.inputs[0]), g, **ctx.attrs),)


def _kernel_diagonal_scatter(base, view, offset=0, axis1=0, axis2=1):
    result = np.array(base, order="C")
    _kernel_diagonal(result, offset, axis1, axis2)[...] = view
    return result


def _grad_diagonal_scatter(ctx, g):
    from .creation import zeros_like

    return diagonal_scatter(g, zeros_like(ctx.inputs[1]), **ctx.attrs), diagonal(g, **ctx.attrs)


diagonal = define_view("diagonal", _kernel_diagonal, _infer_diagonal, _grad_diagonal, scatter="diagonal_scatter")
diagonal_scatter = define(
    "diagonal_scatter",
    kernel=_kernel_diagonal_scatter,
    infer=lambda base, view, **attrs: tensor(base, "diagonal"),
    grad=_grad_diagonal_scatter,
    grad_ignores=(0, 1),
)
