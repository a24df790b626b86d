"""Running sums and products along one axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType, Type
from .elementwise import divide, multiply
from .lowered import running
from .reduce import sum_dtype
from .registry import define
from .rules import need_tensor, normal_axis, quiet


def _scan(ufunc):
    def kernel(x: np.ndarray, axis: int, reverse: bool = False) -> np.ndarray:
        dtype = np.int64 if x.dtype.kind in "biu" else None
        if reverse:
            return np.flip(ufunc.accumulate(np.flip(x, axis), axis=axis, dtype=dtype), axis).copy()
        return ufunc.accumulate(x, axis=axis, dtype=dtype)

    return kernel


def _infer_scan(op: str):
    def infer(x: Type, axis: Any, reverse: bool = False) -> TensorType:
        tensor = need_tensor(op, x)
        if tensor.shape == ():
            raise ShapeError(f"{op} takes a tensor of at least one axis, not {tensor}")
        if tensor.shape is not None and isinstance(axis, int):
            normal_axis(op, axis, len(tensor.shape))
        return TensorType(sum_dtype(tensor.dtype), tensor.shape)

    return infer


def _cumsum_grad(ctx, g):
    return (cumsum(g, axis=ctx.attrs["axis"], reverse=not ctx.attrs.get("reverse", False)),)


# The sum of the elements up to each element; with `reverse`, from each element on.
cumsum = define("cumsum", kernel=_scan(np.add), infer=_infer_scan("cumsum"), grad=_cumsum_grad, onnx=running.cumsum)


def _cumprod_grad(ctx, g):
    """Nan where an element is 0: the rule divides by the elements."""
    x, out, axis = ctx.inputs[0], ctx.outputs[0], ctx.attrs["axis"]
    total = cumsum(multiply(g, out), axis=axis, reverse=not ctx.attrs.get("reverse", False))
    return (divide(total, x),)


cumprod = define(
    "cumprod", kernel=quiet(_scan(np.multiply)), infer=_infer_scan("cumprod"), grad=_cumprod_grad, onnx=running.cumprod
)
