"""Flattening: the graphs of sublayers in place of their calls.

    %9: layer1 = getattr(self, "layer1")          %9: layer1_conv = getattr(self, "layer1.conv")
    %10: layer1_out = layer1(x, )           ->    %10: layer1_out = layer1_conv(x, )
"""

from __future__ import annotations

from typing import Any

from ..nn import Layer
from .builtin import is_builtin
from .expr import CallMethod, Expr, GetAttr
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
    _Inlining(flat).inline(source, "", nodes, {})
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
        made._sub_layers.update((name, part and shell(part, memo)) for name, part in module._sub_layers.items())
    return memo[id(module)]


class _Inlining:
    def __init__(self, flat: InternalGraph):
        self.flat = flat
        self.fetched: dict[str, Any] = {}

    def inline(self, graph: InternalGraph, path: str, nodes: dict[Node, Any], names: dict[Node, str]) -> None:
        """Add the Exprs of the Layer at `path`. `nodes`: what its Nodes are in the flat graph; `names`: what to call them."""
        paths: dict[Node, str] = {graph.inputs[0]: path}
        prefix = f"{identifier(path)}_" if path else ""
        for expr in graph.body:
            if isinstance(expr, GetAttr):
                full = ".".join(filter(None, (paths[expr.args[0]], expr.name)))
                node = expr.outputs[0]
                paths[node] = full
                if not isinstance(node, ModuleNode) or is_builtin(node.owner):
                    nodes[node] = self.fetch(full, node)
            elif isinstance(expr, CallMethod) and expr.graph is not None:
                self.inline_call(expr, paths[expr.args[0]], prefix, nodes, names)
            else:
                self.add(expr, prefix, nodes, names)

    def fetch(self, full: str, node: Node) -> Any:
        """The part of the module at this dotted name, fetched once."""
        if full not in self.fetched:
            expr = GetAttr(self.flat, self.flat.inputs[0], full)
            self.flat.body.append(expr)
            self.fetched[full] = node.copied(expr, self.flat.names.unique(identifier(full)))
        return self.fetched[full]

    def inline_call(self, call: CallMethod, path: str, prefix: str, nodes: dict[Node, Any], names: dict[Node, str]) -> None:
        """Add the Exprs of a sublayer; its outputs get the names of the call's."""
        inner: Any = call.graph
        within: dict[Node, Any] = {}
        for own, given in zip(leaves(inner.form), leaves((call.args[1:], call.kwargs))):
            if isinstance(own, Node):
                within[own] = nodes[given]
        results = list(leaves(inner.results))
        places = (0,) if call.places is None else call.places
        called = {results[k]: names.get(out, prefix + out.name) for out, k in zip(call.outputs, places)}
        self.inline(inner, path, within, called)
        nodes.update((out, within[results[k]]) for out, k in zip(call.outputs, places))

    def add(self, expr: Expr, prefix: str, nodes: dict[Node, Any], names: dict[Node, str]) -> None:
        """Add one step."""
        made = expr.copied(self.flat, nodes.__getitem__)
        self.flat.body.append(made)
        for node in expr.outputs:
            nodes[node] = node.copied(made, self.flat.names.unique(names.get(node, prefix + node.name)))
