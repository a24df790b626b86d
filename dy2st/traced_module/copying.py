"""Deep copies: graphs, Nodes, layers and parameters of their own. Graphs are walked step by step, however long they are."""

from __future__ import annotations

import copy
from typing import Any

from .calls import CallMethod
from .control import Control
from .expr import Constant
from .graph import InternalGraph
from .module import TracedModule
from .node import Node
from .tree import map_tree


def copy_module(module: TracedModule, memo: dict[int, Any]) -> TracedModule:
    """`copy.deepcopy` of a TracedModule; watch points and end points are not copied."""
    made = type(module).__new__(type(module))
    memo[id(module)] = made
    state = {name: value for name, value in vars(module).items() if name not in ("_graphs", "_watch")}
    for name, value in state.items():
        object.__setattr__(made, name, copy.deepcopy(value, memo))
    object.__setattr__(made, "_watch", None)
    object.__setattr__(made, "_graphs", [_copy_graph(graph, made, memo) for graph in module._graphs])
    return made


def _copy_graph(graph: InternalGraph, module: TracedModule, memo: dict[int, Any]) -> InternalGraph:
    made = copy.copy(graph)
    memo[id(graph)] = made
    made.module, made.names, made.ids = module, graph.names.copy(), copy.deepcopy(graph.ids, memo)
    nodes: dict[Node, Any] = {}
    mapped = lambda leaf: nodes[leaf] if isinstance(leaf, Node) else leaf  # noqa: E731

    def step(expr: Any, around: InternalGraph) -> Any:
        own = expr.copied(around, nodes.__getitem__)
        own.id = expr.id
        if isinstance(own, CallMethod) and own.graph is not None:
            own.graph = memo[id(own.graph)]  # of a sublayer, which was copied before
        if isinstance(own, Constant):
            own.value = copy.deepcopy(own.value, memo)
        if isinstance(own, Control):
            own.blocks = tuple([block(part, around) for part in expr.blocks])
        for node in expr.outputs:
            nodes[node] = node.copied(own, node.name)
            nodes[node].id = node.id
        return own

    def fill(own: InternalGraph, original: InternalGraph) -> None:
        own.inputs = [step(node.expr, own).outputs[0] for node in original.inputs]
        own.body = [step(expr, own) for expr in original.body]
        own.results = map_tree(mapped, original.results)

    def block(original: InternalGraph, around: InternalGraph) -> InternalGraph:
        own = InternalGraph(original.name, made.ids, False, around)
        fill(own, original)
        return own

    fill(made, graph)
    made.form, made.added = map_tree(mapped, graph.form), [nodes[node] for node in graph.added]
    return made
