"""What must be true of a graph that a file brings, before anything runs, prints or walks it.

Steps are checked as they are read. What a step calls is checked when all layers and graphs are there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..errors import ModelFileError
from ..nn import Layer
from ..runtime.tensors.tensor import Tensor
from ..saving.sharing import check_steps
from .builtin import is_builtin
from .calls import Call, CallMethod
from .control import Control, Raise, all_blocks
from .expr import Constant, Expr, GetAttr, Input
from .functions import function_name
from .graph import InternalGraph
from .module import TracedModule
from .node import ModuleNode, Node
from .operators import Operator
from .tree import leaves, same_tree

Error = Callable[[str], Exception]
_NO_LAYERS = (Control, Operator, Raise)  # steps that no Layer goes into


def check_step(expr: Expr, error: Error) -> None:
    """Raise `error(message)` where a step can't give the outputs that it says, or names arguments that it hasn't."""
    if isinstance(expr, Control):
        expr.check(error)
        _check_flat([*expr.args, *(leaf for block in expr.blocks for leaf in block.results)], error)
    if expr.kwargs and not isinstance(expr, Call) or expr.args and isinstance(expr, Input | Constant):
        raise error(f"a step of the kind {type(expr).__name__} takes no such arguments")
    if not all(type(name) is str for name in expr.kwargs):
        raise error("an argument's name is a text")
    if any(isinstance(node, ModuleNode) for node in expr.outputs) and not isinstance(expr, GetAttr | Input):
        raise error("only a part of a Layer can be a Layer")
    if isinstance(expr, _NO_LAYERS) and any(isinstance(node, ModuleNode) for node in expr.operands):
        raise error("an operator takes no Layer")
    if expr.writes and max(expr.writes) >= len(expr.inputs):
        raise error(f"a step of {len(expr.inputs)} inputs can't write number {max(expr.writes)}")
    _check_places(expr, error)


def _check_places(expr: Expr, error: Error) -> None:
    """The outputs are leaves of the result that there are."""
    if expr.places is None:
        if len(expr.outputs) != 1 and not isinstance(expr, Control | Operator):
            raise error(f"a step with one result has {len(expr.outputs)} outputs")
    elif isinstance(expr, Control | Operator | GetAttr | Input | Constant):
        raise error("a step that isn't a call of a function has no places")
    elif len(expr.places) != len(expr.outputs) or any(place >= expr.n_results for place in expr.places):
        raise error(f"{len(expr.outputs)} outputs aren't at {len(expr.places)} places among {expr.n_results} results")


def _check_flat(values: list[Any], error: Error) -> None:
    """What control flow carries is a Node or a constant."""
    if any(isinstance(leaf, Node) for value in values if not isinstance(value, Node) for leaf in leaves(value)):
        raise error("control flow carries Nodes, no containers of Nodes")


def check_graph(graph: InternalGraph, error: Error) -> None:
    """Raise `error(message)` where the inputs and results of a graph of a Layer's call can't be."""
    for block in all_blocks(graph):
        layers = [isinstance(node, ModuleNode) for node in block.inputs]
        if layers != [block is graph, *[False] * len(layers)][: len(layers)] or block is graph and not layers:
            raise error("the first input of a graph, and no other, is its Layer")
        if any(isinstance(expr, Input) for expr in block.body):
            raise error("an input stands among the other steps")
        if any(isinstance(node, ModuleNode) for node in block.outputs):
            raise error("the result of a graph is no Layer")
    form = graph.form
    if not (type(form) is tuple and [type(part) for part in form] == [tuple, dict] and all(type(k) is str for k in form[1])):
        raise error("the form of a call is a tuple of arguments and a dict of those by name")
    given = [leaf for leaf in leaves(form) if isinstance(leaf, Node)] + graph.added
    if len(given) != len(graph.inputs) - 1 or set(given) != set(graph.inputs[1:]):
        raise error("the form of a call has each input once")


def check_graphs(graphs: list[InternalGraph]) -> None:
    """ModelFileError where a graph fetches or calls what isn't there, with other arguments than it takes, or without end."""
    for graph in graphs:
        _check_calls(graph, partial(_error, graph))
    check_steps(graphs, _runs, lambda graph: len(graph.body), "the graphs", "steps")


def _error(graph: InternalGraph, message: str) -> ModelFileError:
    return ModelFileError(f"the graph {graph.name}: {message}")


def _runs(graph: InternalGraph) -> list[InternalGraph]:
    """The graphs that the steps of a graph run, each as often as it is run."""
    return [inner for expr in graph.body for inner in expr.graphs]


def _check_calls(graph: InternalGraph, error: Error) -> None:
    for block in all_blocks(graph):
        for expr in block.body:
            if isinstance(expr, GetAttr):
                _check_part(expr, error)
            if isinstance(expr, CallMethod) and expr.calls_layer:
                _check_layer_call(expr, graph, error)
            if isinstance(expr, Call):
                _check_arguments(expr, error)


def _check_part(expr: GetAttr, error: Error) -> None:
    try:
        found = expr.layer()
    except (AttributeError, TypeError):
        raise error(f"{expr.name!r} is fetched, which isn't there") from None
    if not isinstance(found, Layer if isinstance(expr.outputs[0], ModuleNode) else Tensor):
        raise error(f"{expr.name!r} is taken for something else")


def _check_layer_call(expr: CallMethod, graph: InternalGraph, error: Error) -> None:
    """A call of a Layer runs a graph of that Layer, which fits, if it is a TracedModule."""
    owner, inner = expr.args[0].owner, expr.graph
    if owner is graph.module:
        raise error("the Layer calls itself")
    if inner is None:
        if isinstance(owner, TracedModule) or not is_builtin(owner):
            raise error(f"a call of {type(owner).__name__} runs no graph")
        return
    if not isinstance(owner, TracedModule) or not any(own is inner for own in owner._graphs):
        raise error(f"{inner.name} is no graph of the Layer that is called")
    if not same_tree(inner.form, (expr.args[1:], expr.kwargs), lambda leaf, value: True):
        raise error(f"{inner.name} is called with other arguments than it takes")
    count = sum(1 for _ in leaves(inner.results))
    if count != (1 if expr.places is None else expr.n_results):
        raise error(f"{inner.name} gives {count} results")


def _check_arguments(expr: Call, error: Error) -> None:
    """What is called takes such arguments."""
    name = expr.method if isinstance(expr, CallMethod) else function_name(expr.func)  # type: ignore[attr-defined]
    if isinstance(expr, Operator):
        if problem := expr.func.misfit(len(expr.args), expr.kwargs):
            raise error(f"the operator {name} {problem}")
    elif signature := expr.signature():
        try:
            signature.bind(*expr.args, **expr.kwargs)
        except TypeError as problem:
            raise error(f"{name} doesn't take the arguments of a call: {problem}") from None
