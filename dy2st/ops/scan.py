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
    """Of the elements up to the first 0, quotients; of all behind it that 0 times the gradient of the products without it."""
    from .compare import equal, logical_and, logical_or
    from .creation import full_like, zeros_like
    from .select import where

    x, axis = ctx.inputs[0], ctx.attrs["axis"]
    forward = {"axis": axis, "reverse": ctx.attrs.get("reverse", False)}
    back = {"axis": axis, "reverse": not forward["reverse"]}
    one = full_like(x, fill_value=1)

    def counted(is_zero):
        return cumsum(where(is_zero, one, zeros_like(x)), **forward)

    def quotient(products, factors):
        return divide(cumsum(multiply(g, products), **back), where(equal(factors, 0), one, factors))

    is_zero = equal(x, 0)
    zeros = counted(is_zero)
    is_first = logical_and(is_zero, equal(zeros, 1))
    others = where(is_first, one, x)
    products = cumprod(others, **forward)
    up_to = where(is_first, cumsum(multiply(g, products), **back), quotient(ctx.outputs[0], x))
    is_next = logical_and(is_zero, equal(zeros, 2))
    without_both = cumsum(multiply(g, cumprod(where(is_next, one, others), **forward)), **back)
    before_next = equal(counted(equal(others, 0)), 0)
    of_others = where(is_next, without_both, where(before_next, quotient(products, others), zeros_like(x)))
    behind = multiply(cumsum(where(is_first, x, zeros_like(x)), **forward), of_others)
    return (where(logical_or(equal(zeros, 0), is_first), up_to, behind),)


cumprod = define(
    "cumprod", kernel=quiet(_scan(np.multiply)), infer=_infer_scan("cumprod"), grad=_cumprod_grad, onnx=running.cumprod
)
