"""The extremes so far along one axis, and where they were; logarithms of running sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.types import TensorType, Type
from .compare import greater_than
from .element_kinds import COMPLEX
from .elementwise import add, negative, subtract
from .lowered import running
from .registry import OpDef, define
from .rules import need_axis, need_floating, quiet
from .select import where
from .unary import exp, log


def _extreme_so_far(name: str, ufunc: np.ufunc, operator: str) -> OpDef:
    def kernel(x: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
        values = ufunc.accumulate(x, axis=axis)
        places = np.arange(x.shape[axis]).reshape([-1 if a == axis % x.ndim else 1 for a in range(x.ndim)])
        # Where an element is the extreme so far: its place; elsewhere the last such place before. A nan stays from there on.
        reached = np.where((x == values) | np.isnan(x) if x.dtype.kind == "f" else x == values, places, 0)
        return values, np.maximum.accumulate(reached, axis=axis)

    def infer(x: Type, axis: Any) -> tuple:
        tensor = need_axis(name, x, axis)
        return tensor, TensorType("int64", tensor.shape)

    return define(name, kernel=kernel, infer=infer, grad=_extreme_grad, onnx=running.extremes(operator))


def _extreme_grad(ctx, g, _places):
    """The gradient of each extreme goes to the place that it came from."""
    from .creation import zeros_like
    from .put_along_axis import put_along_axis

    return (put_along_axis(zeros_like(ctx.inputs[0]), ctx.outputs[1], g, axis=ctx.attrs["axis"], reduce="add"),)


# The largest and the smallest element so far, and where it is: the last place among equal ones.
cummax = _extreme_so_far("cummax", np.maximum, "Max")
cummin = _extreme_so_far("cummin", np.minimum, "Min")


def _logcumsumexp_grad(ctx, g):
    """exp(x) times the sum of g / exp(out) over what comes after: in logarithms, the positive and the negative g apart."""
    x, out, attrs = ctx.inputs[0], ctx.outputs[0], ctx.attrs | {"reverse": not ctx.attrs.get("reverse", False)}

    def part(g):
        found = greater_than(g, 0.0)
        weights = where(found, subtract(log(where(found, g, 1.0)), out), -np.inf)
        return exp(add(logcumsumexp(weights, **attrs), x))

    return (subtract(part(g), part(negative(g))),)


def _logcumsumexp(x: np.ndarray, axis: int, reverse: bool = False) -> np.ndarray:
    if reverse:
        return np.flip(np.logaddexp.accumulate(np.flip(x, axis), axis=axis), axis).copy()
    return np.logaddexp.accumulate(x, axis=axis)


logcumsumexp = define(
    "logcumsumexp",
    kernel=quiet(_logcumsumexp),
    infer=lambda x, axis, reverse=False: need_floating("logcumsumexp", need_axis("logcumsumexp", x, axis)),
    grad=_logcumsumexp_grad,
    refuses=(COMPLEX,),
    onnx=running.logcumsumexp,
)
