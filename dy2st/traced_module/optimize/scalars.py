"""Steps that add a constant number to a tensor, or multiply it by one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import api
from ..calls import CallFunction, CallMethod
from ..expr import Expr
from ..node import TensorNode
from .whole import Facts

# name of a method, or a function -> (kind, how the constant counts), and the same with the constant first
_METHODS: dict[str, tuple[str, Any]] = {
    "__add__": ("add", float), "__radd__": ("add", float), "__sub__": ("add", lambda c: -c),
    "__mul__": ("mul", float), "__rmul__": ("mul", float), "__truediv__": ("mul", lambda c: 1 / c), "__neg__": ("mul", None),
}  # fmt: skip
_NAMES = {"add": "__add__", "subtract": "__sub__", "multiply": "__mul__", "divide": "__truediv__", "neg": "__neg__"}
_FUNCTIONS = {getattr(api.math, name): method for name, method in _NAMES.items()}
_BOTH_WAYS = ("__add__", "__mul__")


class Step(NamedTuple):
    """`data + value` or `data * value`."""

    kind: str
    data: TensorNode
    value: float


def step_of(expr: Expr, facts: Facts) -> Step | None:
    """The step that an Expr is, where its result has the shape and dtype of its tensor, a float."""
    method = expr.method if isinstance(expr, CallMethod) else None
    if isinstance(expr, CallFunction):
        method = _FUNCTIONS.get(expr.func)
    if method not in _METHODS or len(expr.outputs) != 1 or expr.kwargs:
        return None
    kind, meaning = _METHODS[method]
    if method == "__neg__":
        return _checked(expr, facts, kind, expr.args[0], -1.0)
    pairs = [(expr.args[0], expr.args[1])]
    if method in _BOTH_WAYS:
        pairs.append((expr.args[1], expr.args[0]))
    for data, other in pairs:
        value = _number(facts.array(other), data)
        if value is not None and not (method == "__truediv__" and value == 0):
            return _checked(expr, facts, kind, data, meaning(value))
    return None


def _number(array: np.ndarray | None, data: Any) -> float | None:
    """The number that a constant is, where it leaves the shape of the tensor alone."""
    if array is None or not isinstance(data, TensorNode) or array.size != 1 or array.ndim > len(data._shape):
        return None
    value = float(array.reshape(-1)[0])
    return value if np.isfinite(value) and array.dtype != bool else None


def _checked(expr: Expr, facts: Facts, kind: str, data: Any, value: float) -> Step | None:
    out = expr.outputs[0]
    if not isinstance(data, TensorNode) or not out.dtype.startswith("float") or out.dtype != data.dtype:
        return None
    return None if facts.is_written(out) or facts.is_written(data) else Step(kind, data, value)


def write_step(expr: Expr, kind: str, data: TensorNode, value: float) -> Any:
    """An Expr of this step, for the place of `expr` and with its outputs."""
    made = CallMethod(expr.top_graph, "__add__" if kind == "add" else "__mul__", (data, _tidy(value)))
    made.id, made.loc, made.outputs = expr.id, expr.loc, expr.outputs
    for node in made.outputs:
        node.expr = made
    body = expr.top_graph.body
    body[body.index(expr)] = made
    return made


def _tidy(value: float) -> float:
    return int(value) if value == int(value) and abs(value) < 1 << 53 else value
