"""Whether two graphs do the same: then calls of one Layer share one."""

from __future__ import annotations

from typing import Any

from .calls import CallFunction, CallMethod
from .control import Raise
from .expr import Constant, Expr, GetAttr
from .graph import InternalGraph
from .node import Node
from .tree import same_tree


def same_graph(a: InternalGraph, b: InternalGraph) -> bool:
    """Whether two graphs of one Layer have the same steps, on the same inputs and constants."""
    pairs: dict[Node, Node] = {}

    def same_leaf(x: Any, y: Any) -> bool:
        if isinstance(x, Node):
            return pairs.get(x) is y
        return same_constant(x, y)

    def same(x: Any, y: Any) -> bool:
        return same_tree(x, y, same_leaf)

    def same_body(a: InternalGraph, b: InternalGraph) -> bool:
        if len(a.body) != len(b.body) or len(a.inputs) != len(b.inputs):
            return False
        pairs.update(zip(a.inputs, b.inputs))
        for x, y in zip(a.body, b.body):
            if not (_same_step(x, y) and same((x.args, x.kwargs), (y.args, y.kwargs)) and len(x.outputs) == len(y.outputs)):
                return False
            if not all(map(same_body, x.blocks, y.blocks)):
                return False
            pairs.update(zip(x.outputs, y.outputs))
        return same(a.results, b.results)

    return same_body(a, b) and same(a.form, b.form)


def same_constant(x: Any, y: Any) -> bool:
    """Whether two constant arguments can't be told apart."""
    if x is y:
        return True
    try:
        return type(x) is type(y) and bool(x == y)
    except (TypeError, ValueError):  # arrays, and others that have no single answer
        return False


def _same_step(x: Expr, y: Expr) -> bool:
    if type(x) is not type(y) or x.places != y.places or x.writes != y.writes:
        return False
    if isinstance(x, CallFunction):
        return x.func is y.func  # type: ignore[attr-defined]
    if isinstance(x, CallMethod):
        return x.method == y.method and x.graph is y.graph  # type: ignore[attr-defined]
    if isinstance(x, Raise):
        return x.exception == y.exception  # type: ignore[attr-defined]
    if isinstance(x, GetAttr):
        return x.name == y.name  # type: ignore[attr-defined]
    return not isinstance(x, Constant) or x.value is y.value  # type: ignore[attr-defined]
