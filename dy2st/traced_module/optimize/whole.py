"""What passes ask about a whole module: its graphs, who calls a layer, and which values are constants."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ...ir.names import free
from ...nn import Layer, Parameter
from ...nn.hooks import has_hooks
from ...passes.uses import Uses as Readers
from ...runtime.tensors.call_hook import observing
from ..calls import CallFunction, CallMethod
from ..control import all_blocks
from ..effects import Memory
from ..expr import Constant, Expr, GetAttr
from ..graph import InternalGraph
from ..module import TracedModule
from ..names import identifier
from ..node import ModuleNode, Node, TensorNode
from ..objects import tensor_details
from ..tree import map_tree


def all_graphs(module: TracedModule) -> list[InternalGraph]:
    """Every graph of a module and of the TracedModules in it, and the parts of the control flow in them."""
    parts = module.sublayers(include_self=True)
    graphs = [graph for part in parts if isinstance(part, TracedModule) for graph in part._graphs]
    return [block for graph in graphs for block in all_blocks(graph)]


class Uses:
    """How many steps of a module's graphs call a layer, or fetch a tensor of its; kept up to date by who changes that."""

    def __init__(self, module: TracedModule):
        self._counts: Counter[int] = Counter()
        parts = module.sublayers(include_self=True)
        self._holders = Counter(id(tensor) for part in parts for tensor in part._parameters.values())
        for graph in all_graphs(module):
            for expr in graph.body:
                if isinstance(expr, CallMethod) and expr.calls_layer:
                    self._counts[id(expr.args[0].owner)] += 1
                elif isinstance(expr, GetAttr) and isinstance(expr.outputs[0], TensorNode):
                    self._counts[id(expr.layer())] += 1

    def of(self, layer: Layer) -> int:
        """The number for a layer."""
        return self._counts[id(layer)] + sum(self._counts[id(part)] for part in (*layer.parameters(), *layer.buffers()))

    def is_shared(self, tensor: Any) -> bool:
        """Whether several layers hold this parameter."""
        return self._holders[id(tensor)] > 1

    def add(self, layer: Layer, calls: int) -> None:
        """So many more calls of a layer."""
        self._counts[id(layer)] += calls


class Facts:
    """What is known about the values of one graph, as it was when this was made."""

    def __init__(self, graph: InternalGraph):
        self.graph = graph
        memory = Memory(graph)
        steps = [expr for block in all_blocks(memory.graph) for expr in block.body]
        written = {memory.group(node) for expr in steps for node in expr.written}
        nodes = (*(node for expr in steps for node in (*expr.inputs, *expr.outputs)), *graph.inputs)
        self._written = {node for node in nodes if memory.group(node) in written}
        self.uses: Readers[Node, Expr] = Readers(((expr, expr.inputs) for expr in graph.body), graph.outputs)

    def is_written(self, node: Node) -> bool:
        """Whether the memory of a tensor is changed in place."""
        return node in self._written

    def is_output(self, node: Node) -> bool:
        """Whether the graph returns this Node."""
        return self.uses.is_result(node)

    def only_user(self, node: Node) -> Expr | None:
        """The one step that reads a Node, once, where nothing else does."""
        return self.uses.only_user(node) if node.top_graph is self.graph else None

    def array(self, leaf: Any, trained: bool = False) -> np.ndarray | None:
        """The value of an argument that is always the same; `trained`: parameters count."""
        if not isinstance(leaf, TensorNode):
            return np.asarray(leaf) if isinstance(leaf, int | float) else None
        value = None if self.is_written(leaf) else self._value(leaf.expr, trained)
        return None if value is None else np.asarray(value)

    def _value(self, expr: Expr, trained: bool) -> Any:
        if isinstance(expr, Constant):
            return expr.value
        if isinstance(expr, GetAttr):
            found = expr.call((expr.args[0].owner,), {})
            return None if isinstance(found, Parameter) and not trained and not found.stop_gradient else found
        if isinstance(expr, CallMethod) and expr.method in ("__getitem__", "reshape", "__neg__"):
            known = {node: self._value(node.expr, trained) for node in expr.inputs}
            if any(value is None for value in known.values()):
                return None
            with observing(None):
                return expr.call(map_tree(lambda leaf: known[leaf] if isinstance(leaf, Node) else leaf, expr.args), expr.kwargs)
        return None


def fetch_new(graph: InternalGraph, before: Expr, name: str, part: Any) -> Any:
    """Make `part` an attribute of the graph's module, under `name` or one like it, and fetch it before a step; its Node."""
    module = graph.module
    taken = {*module._parameters, *module._buffers, *module._sub_layers, *vars(module), *vars(type(module))}
    name = free(name, taken)
    setattr(module, name, part)
    expr = GetAttr(graph, graph.self_node, name)
    graph.body.insert(graph.body.index(before), expr)
    kind: type[Node] = ModuleNode if isinstance(part, Layer) else TensorNode
    return graph.add_output(expr, kind, identifier(name), **({} if isinstance(part, Layer) else tensor_details(part)))


def drop_unused(module: TracedModule, layers: list[Layer]) -> None:
    """Take those of the layers that nothing calls any more out of the module."""
    uses = Uses(module)
    gone = [layer for layer in layers if uses.of(layer) == 0]
    for part in module.sublayers(include_self=True):
        for name, child in list(part._sub_layers.items()):
            if any(child is layer for layer in gone):
                del part._sub_layers[name]


def is_call_of(expr: Expr, *what: Any) -> bool:
    """Whether a step calls one of these functions, or a Layer of exactly one of these classes, without hooks."""
    if isinstance(expr, CallFunction):
        return any(expr.func is function for function in what)
    if isinstance(expr, CallMethod) and expr.calls_layer:
        layer = expr.args[0].owner
        return type(layer) in what and not has_hooks(layer)
    return False
