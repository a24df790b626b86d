"""Graphs as JSON: Nodes go by number within their graph, graphs by number within the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from ..errors import TraceError
from ..ir.core import Loc
from ..saving.filed import check_raised
from .calls import CallFunction, CallMethod
from .constants import encode
from .control import Control, Raise
from .expr import Constant, Expr, GetAttr
from .functions import function_name
from .graph import InternalGraph
from .node import ModuleNode, Node, NumberNode, TensorNode, ValueNode
from .operators import Operator

KINDS: dict[str, type[Node]] = {"tensor": TensorNode, "number": NumberNode, "value": ValueNode, "layer": ModuleNode}
_NAME_OF = {kind: name for name, kind in KINDS.items()}


def graph_tree(graph: InternalGraph, number: dict[int, int], tensor: Callable, array: Callable) -> dict[str, Any]:
    """The JSON tree of a graph."""
    index: dict[Node, int] = {}
    encoded = lambda value: encode(value, index.__getitem__, array)  # noqa: E731

    def step(expr: Expr) -> dict[str, Any]:
        made: dict[str, Any] = {"id": expr.id, "args": encoded(list(expr.args)), "kwargs": encoded(expr.kwargs)}
        made |= {"writes": list(expr.writes), "shares": expr.shares, "results": expr.n_results}
        made |= {"loc": None if expr.loc is None else _place(expr.loc), "path": expr.path}
        made["places"] = None if expr.places is None else list(expr.places)
        made |= _details(expr, number, tensor)
        if isinstance(expr, Control):
            made["blocks"] = [block(part) for part in expr.blocks]
        for node in expr.outputs:
            index[node] = len(index)
        made["outputs"] = [_node(node) for node in expr.outputs]
        return made

    def block(part: InternalGraph) -> dict[str, Any]:
        made: dict[str, Any] = {"name": part.name, "inputs": [step(node.expr) for node in part.inputs]}
        made["body"] = [step(expr) for expr in part.body]
        return made | {"results": encoded(part.results)}

    return block(graph) | {
        "top": graph.is_top, "next": [graph.ids.expr, graph.ids.node],
        "form": encoded(graph.form), "added": [index[node] for node in graph.added],
    }  # fmt: skip


def _place(loc: Loc) -> list[Any]:
    """Where the source lies on this machine is nobody's business."""
    return [PurePath(loc.file).name, loc.line, loc.function]


def _node(node: Node) -> list[Any]:
    details = [list(node._shape), node.dtype] if isinstance(node, TensorNode) else []
    details = [node.type] if isinstance(node, ValueNode) else details
    return [_NAME_OF[type(node)], node.id, node.name, *details]


def _details(expr: Expr, number: dict[int, int], tensor: Callable) -> dict[str, Any]:
    if isinstance(expr, GetAttr):
        return {"kind": "getattr", "name": expr.name}
    if isinstance(expr, Constant):
        return {"kind": "constant", "value": tensor(expr.value)}
    if isinstance(expr, Operator):
        return {"kind": "operator", "func": expr.operator}
    if isinstance(expr, CallFunction):
        return {"kind": "function", "func": function_name(expr.func)}
    if isinstance(expr, Control):
        return {"kind": expr.word}
    if isinstance(expr, Raise):
        _check_raised(expr)
        return {"kind": "raise", "exception": list(expr.exception)}
    if isinstance(expr, CallMethod):
        return {"kind": "method", "method": expr.method, "graph": None if expr.graph is None else number[id(expr.graph)]}
    return {"kind": "input"}


def _check_raised(expr: Raise) -> None:
    try:
        check_raised(expr.exception)
    except ValueError as error:
        raise TraceError(str(error), *(expr.loc[:2] if expr.loc is not None else ())) from None
