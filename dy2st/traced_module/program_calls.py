"""Operations that one call recorded as the Expr of that call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.core import Operation, Value
from ..nn import Layer
from ..runtime.tensors.tensor import Tensor
from .arguments import normal_arguments, signature_of
from .builtin import is_builtin
from .calls import Call, CallFunction, CallMethod
from .graph import InternalGraph
from .module import signature_of_layer
from .node import ModuleNode
from .program_values import Known
from .recording import base_name
from .records import Extent, Record
from .tree import leaves, map_tree
from .value_nodes import add_input, node_for


class Calls(Known):
    """Adds calls to a graph; a call of a custom Layer has a graph of its own."""

    def fill(self, graph: InternalGraph, ops: list[Operation], around: Record | None) -> None:
        """Add the Exprs of Operations, which all are a part of the call `around`."""
        raise NotImplementedError

    def add_call(self, graph: InternalGraph, record: Record, ops: list[Operation]) -> bool:
        """Add the Expr of a call; False where the call doesn't say all that its Operations read and give."""
        extent = Extent(record, ops, self.source.users)
        if not extent.is_told() or not all(value in self.known for value in extent.given - extent.made):
            return False
        expr = self._call(graph, record, ops)
        if expr is None:
            return False
        expr.loc = next((op.loc for op in ops if op.loc is not None), None)
        places, found = extent.outputs, extent.results
        if len(found) != 1 or isinstance(record.result, list | tuple | dict) or not places:
            expr.places, expr.n_results = tuple(places), len(found)
        written = {id(self.value(v)) for v in extent.given & extent.written}
        expr.writes = tuple(k for k, node in enumerate(expr.inputs) if id(node) in written)
        expr.shares = extent.shares
        graph.body.append(expr)
        called = record.call
        name = self.layer_node(called).name if isinstance(called, Layer) else base_name(record.method or called.__name__)
        for k in places:
            self.known[found[k]] = node_for(expr, found[k], f"{name}_out")
        return True

    def _call(self, graph: InternalGraph, record: Record, ops: list[Operation]) -> Call | None:
        if isinstance(record.call, Layer):
            return self._call_layer(graph, record, ops)
        args, kwargs = map_tree(self.leaf, normal_arguments(signature_of(record.call), record.args, record.kwargs))
        if record.method is not None:
            return CallMethod(graph, record.method, args, kwargs)
        return CallFunction(graph, record.call, args, kwargs)

    def _call_layer(self, graph: InternalGraph, record: Record, ops: list[Operation]) -> CallMethod | None:
        layer = record.call
        given_parts = any(isinstance(x, Tensor) for x in leaves((record.args, record.kwargs)))
        if self.path_of(layer) is None or layer is self.layer or (given_parts and not is_builtin(layer)):
            return None  # no part of the model, or given a part of another layer: what it does stands in its place
        given = normal_arguments(signature_of_layer(layer), record.args, record.kwargs)
        args, kwargs = map_tree(self.leaf, given)
        expr = CallMethod(graph, "__call__", (self.layer_node(layer), *args), kwargs)
        if not is_builtin(layer):
            expr.graph = self._graph_of(record, given, ops)
        return expr

    def _graph_of(self, record: Record, given: tuple, ops: list[Operation]) -> InternalGraph:
        """The graph of one call of a custom Layer: `given` are its arguments, Values among them."""
        layer = record.call
        graph = InternalGraph(f"{self.graph.name}_{str(self.path_of(layer)).replace('.', '_')}", self.graph.ids, False)
        graph.add_input(ModuleNode, "self")
        known: dict[Value, Any] = {}
        names = argument_names(layer, given)

        def argument(leaf: Any) -> Any:
            label = next(names)
            if not isinstance(leaf, Value):
                return leaf
            known[leaf] = add_input(graph, leaf, label)
            return known[leaf]

        graph.form = map_tree(argument, given)
        steps = type(self)(self.source, graph, layer, known)
        steps.fill(graph, ops, record)
        graph.results = map_tree(lambda leaf: steps.leaf(leaf) if isinstance(leaf, Value | Tensor) else leaf, record.result)
        return self.source.traces.known(layer, graph)


def argument_names(layer: Layer, given: tuple) -> Iterator[str]:
    """What the leaves of the arguments of a call are called: the parameters that they came in by."""
    signature = signature_of_layer(layer)
    if signature is None:
        return iter(["args"] * sum(1 for _ in leaves(given)))
    bound = signature.bind(*given[0], **given[1])
    return iter([name for name, value in bound.arguments.items() for _ in leaves(value)])
