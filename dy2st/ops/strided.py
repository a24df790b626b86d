"""Views that walk through a tensor in ways of their own: as_strided and diagonal.

Where several elements of an as_strided view are one in memory, it can't be written to, as what broadcast_to gives.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import Dim, TensorType, Type
from .cast import assign
from .dims import axis_of, known, leaf
from .lowered import strided as lowered
from .registry import define
from .rules import need_tensor
from .viewing import define_view
from .walks import add_at, check_walk, walk, whole_number, whole_numbers

# --- as_strided ------------------------------------------------------------------------------------------------------

_NAME = "as_strided"
_QUICK = 1 << 16  # elements: of larger views the kernel says whether they overlap


def _places(shape: tuple, stride: tuple, offset: int) -> np.ndarray:
    """For each element of an as_strided view, its place in memory."""
    steps = [np.arange(n) * step for n, step in zip(shape, stride)]
    return offset + sum(np.ix_(*steps), np.zeros(shape, np.int64)) if shape else np.asarray(offset)


def overlaps(shape: tuple, stride: tuple) -> bool:
    """Whether two elements of an as_strided view are one in memory."""
    if 0 in shape or math.prod(shape) > 1 + sum((n - 1) * step for n, step in zip(shape, stride)):
        return 0 not in shape
    reach = 0
    for step, n in sorted((abs(step), n) for n, step in zip(shape, stride) if n > 1):
        if step <= reach:
            places = _places(shape, stride, 0)
            return len(np.unique(places)) < places.size
        reach += step * (n - 1)
    return False


def _checked(size: int | None, shape: Any, stride: Any, offset: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The attributes as ints; ShapeError where the view would reach beyond `size` elements, or a number is negative."""
    lengths, steps = whole_numbers(_NAME, shape, least=0), whole_numbers(_NAME, stride, least=0)
    start = whole_number(_NAME, offset, least=0)
    check_walk(_NAME, [] if size is None else [size], lengths, steps, [0] * len(lengths), start)
    return tuple(lengths), tuple(steps), start


def _kernel_as_strided(x: np.ndarray, shape: Any, stride: Any, offset: int = 0) -> np.ndarray:
    lengths, steps, start = _checked(x.size, shape, stride, offset)
    if not x.flags.c_contiguous:
        raise ShapeError("as_strided takes a tensor whose elements lie in row-major order; take it of x.clone()")
    return walk(_NAME, x.reshape(-1), lengths, steps, start=start, writeable=not overlaps(lengths, steps))


def _infer_as_strided(x: Type, shape: Any, stride: Any, offset: Any = 0) -> Type:
    dims = [leaf(d) for d in shape]
    given = need_tensor("as_strided", x).shape
    if known(*dims, offset) and all(map(known, stride)):
        _checked(math.prod(given) if given is not None and known(*given) else None, dims, stride, offset)  # type: ignore
    return TensorType(need_tensor("as_strided", x).dtype, tuple(dims))


def _grad_as_strided_scatter(ctx, g):
    from .creation import zeros_like

    return as_strided_scatter(g, zeros_like(ctx.inputs[1]), **ctx.attrs), as_strided(assign(g), **ctx.attrs)


def _refuse_overlap(shape: tuple, stride: tuple) -> None:
    if overlaps(shape, stride):
        raise ShapeError("as_strided: elements of this view are one in memory, so it can't be written; write into x.clone()")


def _infer_as_strided_scatter(base: Type, view: Type, shape: Any, stride: Any, offset: Any = 0) -> Type:
    if all(map(known, (*shape, *stride))) and math.prod(shape) <= _QUICK:
        _refuse_overlap(tuple(shape), tuple(stride))
    return need_tensor("as_strided", base)


def _kernel_as_strided_scatter(base, view, shape, stride, offset=0):
    lengths, steps, start = _checked(base.size, shape, stride, offset)
    _refuse_overlap(lengths, steps)
    _fits(view, lengths)
    result = np.array(base, order="C")
    walk(_NAME, result.reshape(-1), lengths, steps, start=start, writeable=True)[...] = view
    return result


def _fits(view: np.ndarray, lengths: tuple[int, ...]) -> None:
    if view.shape != lengths:
        raise ShapeError(f"as_strided: a view of the shape {list(lengths)} can't be written with one of {list(view.shape)}")


as_strided = define_view(
    "as_strided",
    _kernel_as_strided,
    _infer_as_strided,
    lambda ctx, g: (strided_add(ctx.inputs[0], g, **ctx.attrs),),
    scatter="as_strided_scatter",
    of_memory=True,
    raises=("ValueError",),
    onnx=lowered.as_strided,
)
as_strided_scatter = define(
    "as_strided_scatter",
    kernel=_kernel_as_strided_scatter,
    infer=_infer_as_strided_scatter,
    grad=_grad_as_strided_scatter,
    grad_ignores=(0, 1),
    raises=("ValueError",),
    onnx=lowered.as_strided_scatter,
)


def _kernel_strided_add(like, value, shape, stride, offset=0):
    lengths, steps, start = _checked(like.size, shape, stride, offset)
    _fits(value, lengths)
    result = np.zeros(like.size, value.dtype)
    add_at(result, _places(lengths, steps, start), value)
    return result.reshape(like.shape)


# Zeros in the shape of `like`, to which `value` is added where an as_strided view has its elements.
strided_add = define(
    "strided_add",
    kernel=_kernel_strided_add,
    infer=lambda like, value, **attrs: need_tensor("strided_add", like),
    grad=lambda ctx, g: (None, as_strided(assign(g), **ctx.attrs)),
    shape_only=(0,),
    grad_ignores=(0, 1),
    onnx=lowered.strided_add,
)

# --- diagonal --------------------------------------------------------------------------------------------------------


def _kernel_diagonal(x: np.ndarray, offset: int = 0, axis1: int = 0, axis2: int = 1) -> np.ndarray:
    first, second = (axis_of(whole_number("diagonal", axis), x.ndim, "diagonal") for axis in (axis1, axis2))
    if first == second:
        raise ShapeError(f"diagonal: {axis1} and {axis2} are one axis of a tensor of shape {list(x.shape)}")
    # Beyond the corners there is nothing; NumPy, asked for -2**31, would read outside of the array.
    within = min(max(whole_number("diagonal", offset), -x.shape[first]), x.shape[second])
    found = x.diagonal(within, first, second)
    found.flags.writeable = x.flags.writeable
    return found


def _infer_diagonal(x: Type, offset: Any = 0, axis1: int = 0, axis2: int = 1) -> TensorType:
    shape = need_tensor("diagonal", x).shape
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


diagonal = define_view(
    "diagonal", _kernel_diagonal, _infer_diagonal, _grad_diagonal, scatter="diagonal_scatter", onnx=lowered.diagonal
)
diagonal_scatter = define(
    "diagonal_scatter",
    kernel=_kernel_diagonal_scatter,
    in_words=True,
    infer=lambda base, view, **attrs: need_tensor("diagonal", base),
    grad=_grad_diagonal_scatter,
    grad_ignores=(0, 1),
    onnx=lowered.diagonal_scatter,
)
