"""NumPy's formulas on values of an ONNX graph, so that a kernel's own lines say the nodes.

    relu6 = define("relu6", kernel=f, ..., onnx=formula(f))

`f` runs once with Formulas in place of arrays. What NumPy's functions and signs do with one is the lowering of the operator that
has that function as its kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ..registry import lookup

_OPERATORS = {  # NumPy's function -> the operator
    np.add: "add", np.subtract: "subtract", np.multiply: "multiply", np.divide: "divide", np.negative: "neg", np.power: "pow",
    np.maximum: "maximum", np.minimum: "minimum", np.absolute: "abs", np.sign: "sign", np.square: "square", np.sqrt: "sqrt",
    np.exp: "exp", np.log: "log", np.log1p: "log1p", np.expm1: "expm1", np.sin: "sin", np.tan: "tan", np.tanh: "tanh",
    np.floor: "floor", np.less: "less_than", np.less_equal: "less_equal", np.greater: "greater_than",
    np.greater_equal: "greater_equal", np.equal: "equal", np.bitwise_and: "bitwise_and", np.bitwise_or: "bitwise_or",
    np.isnan: "isnan", np.isinf: "isinf", np.signbit: "signbit", np.where: "where",
    np.linalg.norm: "l2_norm",
}  # fmt: skip


class Formula(np.lib.mixins.NDArrayOperatorsMixin):
    """A value of the graph that NumPy's functions compute with."""

    def __init__(self, g: Any, value: Any):
        self.g, self.value = g, value

    @property
    def dtype(self) -> np.dtype:
        """NumPy's dtype of the elements."""
        return DTYPES[self.value.dtype].numpy

    def cast(self, dtype: str) -> Formula:
        """The elements in another dtype."""
        return Formula(self.g, self.g.cast(self.value, dtype))

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any) -> Any:
        if method != "__call__":
            return NotImplemented
        if function is np.copysign:
            size, sign = inputs
            return np.where(np.signbit(sign), -np.absolute(size), np.absolute(size))
        return self._node(function, inputs)

    def __array_function__(self, function: Callable, types: Any, inputs: tuple, options: dict[str, Any]) -> Any:
        if function is np.polyval:
            return _polynomial(*inputs)
        if function is np.clip:
            x, low, high = inputs
            return np.minimum(np.maximum(x, low), high)
        return self._node(function, inputs)

    def _node(self, function: Callable, inputs: tuple) -> Formula:
        lowering: Any = lookup(_OPERATORS[function]).onnx
        return Formula(self.g, lowering(self.g, *map(_operand, inputs)))


def _operand(x: Any) -> Any:
    """As a lowering takes it: a value of the graph or a Python number."""
    return x.value if isinstance(x, Formula) else x.item() if isinstance(x, np.generic) else x


def _polynomial(coefficients: Any, x: Formula) -> Any:
    total = coefficients[0]
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


def formula(function: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering that a kernel says, if it is made of NumPy's functions; its attributes must be known before a run."""

    def lowering(g: Any, *operands: Any, **attrs: Any) -> Any:
        fixed = {name: g.fixed(value, name) for name, value in attrs.items()}
        return _operand(function(*(Formula(g, x) for x in operands), **fixed))

    return lowering


def in_float64(function: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of a kernel that computes in float64 and rounds to the operand's dtype."""
    wide = formula(function)

    def lowering(g: Any, x: Any, **attrs: Any) -> Any:
        return g.cast(wide(g, g.cast(x, "float64"), **attrs), x.dtype)

    return lowering
