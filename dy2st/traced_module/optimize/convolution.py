"""A convolution whose weights a pass may change: it is made the only one of its kind first."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ...nn import Conv2D, Parameter
from ...nn import functional as F
from ..calls import CallFunction
from ..expr import Expr
from ..graph import InternalGraph
from ..node import Node
from .whole import Facts, Uses, fetch_new, is_call_of


class Convolution:
    """A call of Conv2D or conv2d with known weights [out, in / groups, kh, kw] and bias [out]."""

    def __init__(self, expr: Any, weight: np.ndarray, bias: np.ndarray | None, data_format: str):
        self.expr, self.weight, self.bias, self.data_format = expr, weight, bias, data_format

    def change(self, uses: Uses, factor: Any, bias: np.ndarray | None) -> None:
        """Let this call use weights that are `factor` times as large, and another bias; and no other call."""
        bias = None if bias is None else bias.astype(self.weight.dtype)
        graph: InternalGraph = self.expr.top_graph
        if isinstance(self.expr, CallFunction):
            self._change_function(graph, _enlarge(self.weight.copy(), factor), bias)
            return
        layer = self.expr.args[0].owner
        if uses.of(layer) > 1:
            uses.add(layer, -1)
            layer = copy.deepcopy(layer)
            uses.add(layer, 1)
            name = self.expr.args[0].expr.name.replace(".", "_")
            node = fetch_new(graph, self.expr, f"{name}_1", layer)
            self.expr.args = (node, *self.expr.args[1:])
        if uses.is_shared(layer.weight):
            layer.weight = _parameter(self.weight.copy(), layer.weight)
        _enlarge(layer.weight._data, factor)
        layer.bias = None if bias is None else _parameter(bias, layer.weight if layer.bias is None else layer.bias)

    def _change_function(self, graph: InternalGraph, weight: np.ndarray, bias: np.ndarray | None) -> None:
        name = self.expr.outputs[0].name
        nodes = [fetch_new(graph, self.expr, f"{name}_weight", Parameter(weight))]
        nodes.append(None if bias is None else fetch_new(graph, self.expr, f"{name}_bias", Parameter(bias)))
        self.expr.args = (self.expr.args[0], *nodes, *self.expr.args[3:])


def _enlarge(weight: np.ndarray, factor: Any) -> np.ndarray:
    """Multiply in place, in the precision of the factor: what `optimize` was given is copied, so nobody else sees it."""
    return np.multiply(weight, factor, out=weight, casting="same_kind")


def _parameter(data: np.ndarray, like: Any) -> Parameter:
    return Parameter(data, trainable=not like.stop_gradient)


def convolution_of(node: Node, facts: Facts) -> Convolution | None:
    """The convolution that a Node is the result of, where its weights are known and nobody writes its memory."""
    expr: Expr = node.expr
    if node.top_graph is not facts.graph or facts.is_written(node) or not is_call_of(expr, Conv2D, F.conv2d):
        return None
    if isinstance(expr, CallFunction):
        named = expr.named_args
        weight = facts.array(named["weight"], trained=True)
        bias = None if named["bias"] is None else facts.array(named["bias"], trained=True)
        if weight is None or weight.ndim != 4 or (bias is None) != (named["bias"] is None):
            return None
        return Convolution(expr, weight, bias, named["data_format"])
    layer: Any = expr.args[0].owner
    return Convolution(expr, layer.weight._data, None if layer.bias is None else layer.bias._data, layer.data_format)
