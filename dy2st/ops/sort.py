"""Order along one axis: sort and topk."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType, Type
from .lowered import sort as lowered
from .registry import UNKNOWN, define
from .rules import need_axis, normal_axis


def _order(x: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """A stable order of `x`: equal elements keep their places, also when descending."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - backwards, axis).copy()


def _sort(x: np.ndarray, axis: int = -1, descending: bool = False) -> tuple[np.ndarray, np.ndarray]:
    if x.ndim == 0:
        return x.copy(), np.zeros((), np.int64)
    order = _order(x, axis, descending)
    return np.take_along_axis(x, order, axis), order


def _infer_sort(x: Type, axis: Any = -1, descending: Any = False) -> tuple:
    tensor = need_axis("sort", x, axis)
    return tensor, TensorType("int64", tensor.shape)


def _values_grad(ctx, g, _indices):
    """The gradient of each value goes back to the place that the value came from."""
    from .creation import zeros_like
    from .put_along_axis import put_along_axis

    return (put_along_axis(zeros_like(ctx.inputs[0]), ctx.outputs[1], g, axis=ctx.attrs.get("axis", -1), reduce="add"),)


# The sorted values and where they were.
sort = define("sort", kernel=_sort, infer=_infer_sort, grad=_values_grad, onnx=lowered.sort)


def _topk(x: np.ndarray, k: Any, axis: int = -1, largest: bool = True) -> tuple[np.ndarray, np.ndarray]:
    if not 1 <= k <= (x.shape[axis] if x.ndim else 1):
        raise ShapeError(f"topk: k={int(k)} is out of range for axis {axis} of a tensor of shape {list(x.shape)}")
    if x.ndim == 0:
        return x.copy(), np.zeros((), np.int64)
    order = np.take(_order(x, axis, largest), range(int(k)), axis)
    return np.take_along_axis(x, order, axis), order


def _infer_topk(x: Type, k: Any, axis: Any = -1, largest: Any = True) -> tuple:
    tensor = need_axis("topk", x, axis)
    shape = tensor.shape
    if shape:
        at = normal_axis("topk", axis, len(shape))
        length = shape[at]
        if isinstance(k, int) and (k < 1 or isinstance(length, int) and k > length):
            raise ShapeError(f"topk: k={k} is out of range for axis {axis} of {tensor}")
        shape = (*shape[:at], None if k is UNKNOWN else k, *shape[at + 1 :])
    return TensorType(tensor.dtype, shape), TensorType("int64", shape)


# The k largest (or smallest) values, in order, and where they were.
topk = define(
    "topk", kernel=_topk, infer=_infer_topk, grad=_values_grad, raises=("ShapeError",), onnx=lowered.topk
)
