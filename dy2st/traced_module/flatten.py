"""Flattening: the graphs of sublayers in place of their calls.

    %9: layer1 = getattr(self, "layer1")          %9: layer1_conv = getattr(self, "layer1.conv")
    %10: layer1_out = layer1(x, )           ->    %10: layer1_out = layer1_conv(x, )
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..errors import TraceError
from ..nn import Layer
from .builtin import is_builtin
from .calls import CallMethod
from .control import Control
from .expr import Expr, GetAttr
from .graph import Ids, InternalGraph
from .module import TracedModule
from .names import identifier
from .node import ModuleNode, Node
from .tree import leaves, map_tree


def flatten_module(module: TracedModule) -> TracedModule:
    """A module with one flat graph, which shares parameters and the library's layers with the original."""
    source = module.graph
    flat = InternalGraph(source.name, Ids(), True)
    made = shell(module, {})
    made._graphs.append(flat)
    flat.module = made
    for node in source.inputs:
        flat.names.take(node.name)
        expr = node.expr.copied(flat, lambda n: n)
        flat.inputs.append(node.copied(expr, node.name))
    nodes: dict[Node, Any] = dict(zip(source.inputs, flat.inputs))
    mapped = lambda leaf: nodes[leaf] if isinstance(leaf, Node) else leaf  # noqa: E731
    _Inlining(flat).inline(source, flat, _call(source.inputs[0], "", nodes, {}))
    flat.form, flat.added = map_tree(mapped, source.form), [nodes[node] for node in source.added]
    flat.results = map_tree(mapped, source.results)
    flat.number()
    return made


def shell(module: Layer, memo: dict[int, Layer]) -> Any:
    """The tree of layers, without graphs: TracedModules become fresh ones, the library's layers are shared."""
    if is_builtin(module):
        return module
    if id(module) not in memo:
        if isinstance(module, TracedModule):
            made: Any = TracedModule(module.class_name, None, [])
            object.__setattr__(made, "argspec", module.argspec.copy())
        else:
            made = type(module)()
        memo[id(module)] = made
        made.training = module.training
        made._parameters.update(module._parameters)
        made._buffers.update(module._buffers)
        made._non_persistable_buffer_names_set.update(module._non_persistable_buffer_names_set)
        parts = {name: None if part is None else shell(part, memo) for name, part in module._sub_layers.items()}
        made._sub_layers.update(parts)
    return memo[id(module)]


class _Call(NamedTuple):
    """The call of a Layer that is being inlined.

    paths: of the Layers that its Nodes stand for. prefix: of the names of its Nodes. nodes: what these are in the flat graph.
    names: what to call them.
    """

    paths: dict[Node, str]
    prefix: str
    nodes: dict[Node, Any]
    names: dict[Node, str]

    def of(self, leaf: Any) -> Any:
        """What a leaf of its arguments or results is in the flat graph."""
        if isinstance(leaf, Node) and leaf not in self.nodes:
            raise TraceError(f"the Layer {leaf!r} is an argument of a call: it can't be flattened away")
        return self.nodes[leaf] if isinstance(leaf, Node) else leaf


def _call(self_node: Node, path: str, nodes: dict[Node, Any], names: dict[Node, str]) -> _Call:
    return _Call({self_node: path}, f"{identifier(path)}_" if path else "", nodes, names)


class _Inlining:
    def __init__(self, flat: InternalGraph):
        self.flat = flat
        self.fetched: dict[str, Any] = {}

    def inline(self, graph: InternalGraph, into: InternalGraph, call: _Call) -> None:
        """Add the Exprs of a graph, or of a part of it, to the flat graph or to a part of that."""
        for expr in graph.body:
            if isinstance(expr, GetAttr):
                full = ".".join(filter(None, (call.paths[expr.args[0]], expr.name)))
                node = expr.outputs[0]
                call.paths[node] = full
                if not isinstance(node, ModuleNode) or is_builtin(node.owner):
                    call.nodes[node] = self.fetch(full, node)
            elif isinstance(expr, CallMethod) and expr.graph is not None:
                self.inline_call(expr, into, call)
            else:
                self.add(expr, into, call)

    def fetch(self, full: str, node: Node) -> Any:
        """The part of the module at this dotted name, fetched once, outside of control flow."""
        if full not in self.fetched:
            expr = GetAttr(self.flat, self.flat.inputs[0], full)
            self.flat.body.append(expr)
            self.fetched[full] = node.copied(expr, self.flat.names.unique(identifier(full)))
        return self.fetched[full]

    def inline_call(self, expr: CallMethod, into: InternalGraph, call: _Call) -> None:
        """Add the Exprs of a sublayer; its outputs get the names of the call's."""
        inner: Any = expr.graph
        given = zip(leaves(inner.form), leaves((expr.args[1:], expr.kwargs)))
        nodes = {own: call.of(value) for own, value in given if isinstance(own, Node)}
        results = list(leaves(inner.results))
        outputs = [(node, results[k]) for node, k in zip(expr.outputs, (0,) if expr.places is None else expr.places)]
        names = {leaf: call.names.get(node, call.prefix + node.name) for node, leaf in outputs if isinstance(leaf, Node)}
        within = _call(inner.self_node, call.paths[expr.args[0]], nodes, names)
        self.inline(inner, into, within)
        call.nodes.update((node, within.of(leaf)) for node, leaf in outputs)

    def add(self, expr: Expr, into: InternalGraph, call: _Call) -> None:
        """Add one step, with the parts that it has."""
        made = expr.copied(into, call.of)
        if isinstance(made, Control):
            made.blocks = tuple([self.block(part, into, call) for part in expr.blocks])
        into.body.append(made)
        for node in expr.outputs:
            self.take(node, made, call)

    def block(self, part: InternalGraph, around: InternalGraph, call: _Call) -> InternalGraph:
        """One side of an `if`, or one part of a `while`."""
        made = InternalGraph(part.name, self.flat.ids, False, around)
        made.inputs = [self.take(node, node.expr.copied(made, call.of), call) for node in part.inputs]
        self.inline(part, made, call)
        made.results = map_tree(call.of, part.results)
        return made

    def take(self, node: Node, expr: Expr, call: _Call) -> Any:
        """The Node of the flat graph, which `expr` gives, for one of a graph."""
        call.nodes[node] = node.copied(expr, self.flat.names.unique(call.names.get(node, call.prefix + node.name)))
        return call.nodes[node]
