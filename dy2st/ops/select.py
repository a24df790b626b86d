"""Choosing between values, element by element: where and clip."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .compare import greater_equal, less_equal, logical_and
from .element_kinds import BOOL, COMPLEX
from .inplace import define_in_place
from .registry import define
from .rules import broadcast_shapes, infer_broadcast, is_tensor, need_tensor, unbroadcast


def _where(condition: np.ndarray, x: Any, y: Any) -> np.ndarray:
    if not isinstance(x, np.ndarray) and isinstance(y, (np.ndarray, np.generic)):
        x = y.dtype.type(x)
    elif not isinstance(y, np.ndarray) and isinstance(x, (np.ndarray, np.generic)):
        y = x.dtype.type(y)
    return np.where(condition, x, y)


def _infer_where(condition: Type, x: Type, y: Type) -> TensorType:
    flag = need_tensor("where", condition)
    if flag.dtype != "bool":
        raise DTypeError(f"where takes a bool condition, not {flag.dtype}; compare it with something first")
    values = infer_broadcast("where")(x, y)
    return TensorType(values.dtype, broadcast_shapes("where", flag.shape, values.shape))


def _where_grad(ctx, g):
    condition, x, y = ctx.inputs
    gx = unbroadcast(where(condition, g, 0.0), x) if ctx.needs[1] and is_tensor(x) else None
    gy = unbroadcast(where(condition, 0.0, g), y) if ctx.needs[2] and is_tensor(y) else None
    return None, gx, gy


# `x` where `condition` holds, `y` elsewhere; one of `x` and `y` may be a Python number.
where = define(
    "where", kernel=_where, infer=_infer_where, grad=_where_grad, onnx=lambda g, condition, x, y: g.Where(condition, x, y)
)


def _clip(x: np.ndarray, min: Any = None, max: Any = None, out: np.ndarray | None = None) -> np.ndarray:
    if min is None and max is None:
        return np.positive(x, out=out)
    if min is not None:
        x = np.maximum(x, x.dtype.type(min), out=out)
    return x if max is None else np.minimum(x, x.dtype.type(max), out=out)


def _clip_grad(ctx, g):
    x, low, high = ctx.inputs[0], ctx.attrs.get("min"), ctx.attrs.get("max")
    inside = None if low is None else greater_equal(x, low)
    if high is not None:
        below = less_equal(x, high)
        inside = below if inside is None else logical_and(inside, below)
    return (g if inside is None else where(inside, g, 0.0),)


def _onnx_clip(g, x, min=None, max=None):
    if min is not None:
        x = g.Max(x, min)
    return x if max is None else g.Min(x, max)


# The values of `x` moved into [min, max]; either bound, a number, may be missing.
clip = define(
    "clip",
    kernel=_clip,
    infer=lambda x, min=None, max=None: need_tensor("clip", x),
    grad=_clip_grad,
    out=True,
    refuses=(BOOL, COMPLEX),
    onnx=_onnx_clip,
)
clip_ = define_in_place(clip)
