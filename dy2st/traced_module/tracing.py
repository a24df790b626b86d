"""Tracing a model: its graphs, by layer, and the TracedModules made of them."""

from __future__ import annotations

from typing import Any

from ..errors import TraceWarning
from ..nn import Layer
from ..nn.before import Before
from ..runtime.tensors.call_hook import observing
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.running import working
from ..runtime.where.user_code import user_loc
from ..runtime.where.warn import warn_at
from .builtin import CONTAINERS, is_builtin
from .graph import Ids, InternalGraph
from .module import TracedModule, signature_of_layer
from .numbers import TracedTensor
from .objects import trace_error
from .restart import NeedsStaging
from .same import same_graph
from .staged import measure, stage_layer
from .tracer import Noticing, Tracer
from .tree import map_tree


def trace_module(mod: Layer, *args: Any, **kwargs: Any) -> TracedModule:
    """A TracedModule that computes what `mod` computes, traced by running it on these arguments.

    Parameters, buffers and the library's own layers are shared with `mod`; custom sublayers become TracedModules. Control flow
    that tensors decide becomes `If` and `While` Exprs; other branches and loops are recorded as this run took them. TypeError
    where `mod` is no Layer.
    """
    if not isinstance(mod, Layer):
        raise TypeError(f"trace_module takes a Layer, not {type(mod).__name__}")
    args, kwargs = map_tree(_own_copy, (args, kwargs))
    before = Before()
    before.keep_layer(mod)
    try:
        with working(f"tracing {name_of(mod)}"):
            traced = _traced(mod, args, kwargs, before)
    finally:
        before.restore()
    if before.changed:
        raise trace_error(
            f"{type(mod).__name__} assigns {', '.join(sorted(before.changed))}, which a graph can't do: pass the value as an "
            "argument, and return it"
        )
    if before.refilled:
        text = f"{type(mod).__name__} changes what is in {', '.join(sorted(before.refilled))}, which a graph can't do"
        warn_at(user_loc(), f"{text}: each call finds what was there when it was traced", TraceWarning)
    return traced


def _traced(mod: Layer, args: tuple, kwargs: dict[str, Any], before: Before) -> TracedModule:
    traces = Traces(before)
    try:
        traces.trace(mod, name_of(mod), Ids(), True, args, kwargs)
        is_staged = False
    except NeedsStaging:
        traces, is_staged = Traces(before), True
        traces.known(mod, stage_layer(traces, mod, name_of(mod), args, kwargs))
    traced = traces.module_of(mod)
    assert isinstance(traced, TracedModule)
    traced.graph.number()
    if is_staged:
        measure(traced, args, kwargs)
    return traced


def _own_copy(leaf: Any) -> Any:
    return TracedTensor(leaf._array("trace_module").copy(), leaf.stop_gradient) if isinstance(leaf, Tensor) else leaf


def name_of(layer: Layer) -> str:
    """The name of the class that the user wrote."""
    return layer.class_name if isinstance(layer, TracedModule) else type(layer).__name__


class Traces:
    """The graphs of one trace, by layer, and the TracedModules made of them.

    before: what tracing may write, as it was.
    """

    def __init__(self, before: Before) -> None:
        self.before = before
        self._graphs: dict[int, list[InternalGraph]] = {}
        self._modules: dict[int, Layer] = {}
        self.mode = Noticing(before)

    def trace(self, layer: Layer, name: str, ids: Ids, is_top: bool, args: tuple, kwargs: dict) -> tuple[InternalGraph, Any]:
        """The graph of a call, an earlier one where that is the same, and the call's result."""
        graph = InternalGraph(name, ids, is_top)
        tracer = Tracer(self, graph, layer)
        result = tracer.run(args, kwargs)
        return self.known(layer, graph), result

    def trace_or_stage(self, layer: Layer, name: str, ids: Ids, args: tuple, kwargs: dict) -> tuple[InternalGraph, Any]:
        """The same for a layer whose control flow tensors may decide, and which isn't the top one."""
        before = {key: list(graphs) for key, graphs in self._graphs.items()}
        try:
            return self.trace(layer, name, ids, False, args, kwargs)
        except NeedsStaging:
            self._graphs = before
        with observing(None):
            graph = self.known(layer, stage_layer(self, layer, name, args, kwargs))
            graph.is_top, graph.ids = False, ids
            return graph, measure(self.module_of(layer), args, kwargs)

    def known(self, layer: Layer, graph: InternalGraph) -> InternalGraph:
        """Keep the graph of a call; an earlier one where that is the same."""
        earlier = self._graphs.setdefault(id(layer), [])
        for other in earlier:
            if same_graph(graph, other):
                return other
        if earlier:
            graph.name = f"{graph.name}_{len(earlier)}"
        earlier.append(graph)
        return graph

    def module_of(self, layer: Layer) -> Layer:
        """What stands for a layer in the traced model: the library's own layers stand for themselves, but for the top one."""
        if is_builtin(layer) and id(layer) not in self._graphs:
            return layer
        made = self._modules.get(id(layer))
        if made is None:
            made = self._modules[id(layer)] = self._converted(layer)
        return made

    def _converted(self, layer: Layer) -> Layer:
        graphs = self._graphs.get(id(layer), [])
        if type(layer) in CONTAINERS and not graphs:
            made = type(layer)()
        else:
            made = TracedModule(name_of(layer), signature_of_layer(layer), graphs)
        self._modules[id(layer)] = made
        made.training = layer.training
        made._parameters.update(layer._parameters)
        made._buffers.update(layer._buffers)
        made._non_persistable_buffer_names_set.update(layer._non_persistable_buffer_names_set)
        parts = {key: None if part is None else self.module_of(part) for key, part in layer._sub_layers.items()}
        made._sub_layers.update(parts)
        return made
