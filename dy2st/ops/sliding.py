"""Windows that slide along an axis, as a view: window k has the elements from k * step on, along a last axis of their own.

Where windows overlap, several elements of the view are one, and it can't be written to, as what broadcast_to gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType, Type
from .cast import assign
from .dims import axis_of, known
from .lowered import sliding as lowered
from .registry import define
from .rules import need_tensor
from .viewing import define_view
from .walks import walk, whole_number

_NAME = "windows"


def _count(length: int, size: int, step: int) -> int:
    """How many windows there are; ShapeError where the axis is shorter than one."""
    if length < size:
        raise ShapeError(f"{_NAME}: there is no window of {size} in an axis of {length}")
    return (length - size) // step + 1


def _checked(size: Any, step: Any) -> tuple[int, int]:
    return whole_number(_NAME, size, least=0), whole_number(_NAME, step, least=1)


def _kernel(x: np.ndarray, axis: int, size: int, step: int) -> np.ndarray:
    width, hop = _checked(size, step)
    along = axis_of(whole_number(_NAME, axis), x.ndim, _NAME)
    shape, steps = [*x.shape, width], [1] * (x.ndim + 1)
    shape[along], steps[along] = _count(x.shape[along], width, hop), hop
    return walk(_NAME, x, shape, steps, [*range(x.ndim), along], writeable=width <= hop)


def _infer(x: Type, axis: int, size: int, step: int) -> TensorType:
    given, (width, hop) = need_tensor(_NAME, x), _checked(size, step)
    if given.shape is None:
        return TensorType(given.dtype, None)
    dims, along = [*given.shape, width], axis_of(axis, len(given.shape), _NAME)
    dims[along] = _count(dims[along], width, hop) if known(dims[along]) else None  # type: ignore[arg-type]
    return TensorType(given.dtype, tuple(dims))


def _refuse_overlap(size: int, step: int) -> None:
    if size > step:
        raise ShapeError(f"{_NAME}: elements of this view are one in memory, so it can't be written; write into x.clone()")


def _infer_scatter(base: Type, view: Type, axis: int, size: int, step: int) -> Type:
    _refuse_overlap(*_checked(size, step))
    return need_tensor(_NAME, base)


def _kernel_scatter(base: np.ndarray, view: np.ndarray, axis: int, size: int, step: int) -> np.ndarray:
    _refuse_overlap(*_checked(size, step))
    result = np.array(base, order="C")
    _fitting(_kernel(result, axis, size, step), view)[...] = view
    return result


def _kernel_add(like: np.ndarray, value: np.ndarray, axis: int, size: int, step: int) -> np.ndarray:
    """One place in all windows after another: no two of them are one element."""
    result = np.zeros(like.shape, value.dtype)
    _fitting(_kernel(result, axis, size, step), value)
    for place in range(size):
        count = value.shape[axis]
        part = [slice(None)] * like.ndim
        part[axis] = slice(place, place + (count - 1) * step + 1, step)
        result[tuple(part)] += value[..., place]
    return result


def _fitting(windows: np.ndarray, value: np.ndarray) -> np.ndarray:
    if windows.shape != value.shape:
        raise ShapeError(f"{_NAME} of the shape {list(windows.shape)} aren't those of the shape {list(value.shape)}")
    return windows


def _grad_scatter(ctx, g):
    from .creation import zeros_like

    return windows_scatter(g, zeros_like(ctx.inputs[1]), **ctx.attrs), windows(assign(g), **ctx.attrs)


windows = define_view(
    "windows",
    _kernel,
    _infer,
    lambda ctx, g: (windows_add(ctx.inputs[0], g, **ctx.attrs),),
    scatter="windows_scatter",
    onnx=lowered.windows,
)
windows_scatter = define(
    "windows_scatter",
    kernel=_kernel_scatter,
    infer=_infer_scatter,
    grad=_grad_scatter,
    grad_ignores=(0, 1),
    onnx=lowered.windows_scatter,
)

# Zeros in the shape of `like`, to which `value` is added where its windows have their elements.
windows_add = define(
    "windows_add",
    kernel=_kernel_add,
    infer=lambda like, value, **attrs: need_tensor("windows_add", like),
    grad=lambda ctx, g: (None, windows(assign(g), **ctx.attrs)),
    shape_only=(0,),
    grad_ignores=(0, 1),
    onnx=lowered.windows_add,
)
