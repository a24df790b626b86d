"""Nodes for the Values of a Program."""

from __future__ import annotations

from typing import Any

from ..ir.core import Value
from ..ir.types import ScalarType, TensorType
from .expr import Expr
from .graph import InternalGraph
from .node import Node, NumberNode, TensorNode, ValueNode

_NUMBERS = ("int", "float", "bool", "number")


def _details(value: Value) -> tuple[type[Node], dict[str, Any]]:
    type_ = value.type
    if isinstance(type_, TensorType) and type_.shape is not None:
        return TensorNode, {"shape": tuple(d if isinstance(d, int) else -1 for d in type_.shape), "dtype": type_.dtype}
    if isinstance(type_, ScalarType) and type_.name in _NUMBERS:
        return NumberNode, {}
    return ValueNode, {"type": str(type_)}


def node_for(expr: Expr, value: Value, base: str) -> Node:
    """A Node for a Value that a step gives."""
    kind, details = _details(value)
    return expr.top_graph.add_output(expr, kind, _identifier(base), **details)


def add_input(graph: InternalGraph, value: Value, base: str) -> Node:
    """A Node for a Value that comes in."""
    kind, details = _details(value)
    return graph.add_input(kind, _identifier(base), **details)


def _identifier(name: str) -> str:
    word = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return word if word.isidentifier() else f"_{word}"
