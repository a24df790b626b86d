"""Other calls in place of some, in every graph and block below one: all of it counts, or, after an exception, nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..nn import Layer
from .calls import CallMethod
from .expr import Expr
from .graph import InternalGraph
from .insertion import insert_exprs
from .snapshot import Snapshot
from .tree import leaves

if TYPE_CHECKING:
    from .module import TracedModule


def replace_calls(graph: InternalGraph, what: Any, make: Callable[..., Any]) -> int:
    """Put what `make` gives in place of each call of `what`: a function, a class of layers or one layer; how many there were.

    `make` gets the arguments of the call, a layer's Node first, as in the body of `insert_exprs`.
    """
    calls = _calls_of(graph, what)
    befores = [Snapshot(part) for part in {id(call.top_graph): call.top_graph for call in calls}.values()]
    try:
        for call in calls:
            _replace(call, make)
        for outermost in {id(call.top_graph.outermost): call.top_graph.outermost for call in calls}.values():
            outermost.compile()
    except BaseException:
        for before in reversed(befores):
            before.restore()
        raise
    return len(calls)


def _calls_of(graph: InternalGraph, what: Any) -> list[Any]:
    if isinstance(what, type) and issubclass(what, Layer):
        return [call for call in _layer_calls(graph) if isinstance(call.args[0].owner, what)]
    if isinstance(what, Layer):
        return [call for call in _layer_calls(graph) if call.args[0].owner is what]
    return graph.get_function_by_type(what).as_list()


def _layer_calls(graph: InternalGraph) -> list[Any]:
    return [expr for expr in graph.exprs() if isinstance(expr, CallMethod) and expr.calls_layer]


def _replace(call: Expr, make: Callable[..., Any]) -> None:
    graph = call.top_graph
    with insert_exprs(graph, call):
        made = list(leaves(make(*call.args, **call.kwargs)))
    if len(made) != len(call.outputs):
        raise ValueError(f"{call!r} gives {len(call.outputs)} values, what is to stand in its place {len(made)}")
    graph.replace_node(dict(zip(call.outputs, made)))


def swap(module: TracedModule, name: str, layer: Layer) -> None:
    """Hold `layer` as the part of this dotted name, and let what called the old one call it: a custom one is traced for that."""
    path, _, last = name.rpartition(".")
    owner: Any = module
    for part in filter(None, path.split(".")):
        owner = owner._sub_layers[part]
    if last not in owner._sub_layers:
        raise AttributeError(f"{module.class_name} has no sublayer {name!r}")
    old = owner._sub_layers[last]
    owner._sub_layers[last] = layer
    try:
        for graph in module._graphs:
            replace_calls(graph, layer, lambda part, *args, **kwargs: part(*args, **kwargs))
    except BaseException:
        owner._sub_layers[last] = old
        raise
