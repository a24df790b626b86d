"""Tracing: a forward runs once, with real tensors, and what it calls becomes a graph; below it are those of sublayers."""

from __future__ import annotations

from typing import Any

from ..nn import Layer
from ..ops import dispatch
from ..runtime.call_hook import current_observer, observing
from ..runtime.eager import EagerMode
from ..runtime.tensor import Tensor
from .arguments import normal_arguments
from .builtin import CONTAINERS, is_builtin
from .graph import Ids, InternalGraph
from .module import TracedModule, signature_of_layer
from .node import ModuleNode, NumberNode, TensorNode
from .numbers import Traced, TracedTensor, plain, traced_number
from .recording import Recording, alias, tensor_details, trace_error
from .same import same_graph
from .staged import NeedsStaging, measure, stage_layer
from .tree import leaves, map_tree


def trace_module(mod: Layer, *args: Any, **kwargs: Any) -> TracedModule:
    """A TracedModule that computes what `mod` computes, traced by running it on these arguments.

    Parameters, buffers and the library's own layers are shared with `mod`; custom sublayers become TracedModules. Control flow
    that tensors decide becomes `If` and `While` Exprs; other branches and loops are recorded as this run took them. TypeError
    where `mod` is no Layer.
    """
    if not isinstance(mod, Layer):
        raise TypeError(f"trace_module takes a Layer, not {type(mod).__name__}")
    args, kwargs = map_tree(_own_copy, (args, kwargs))
    buffers = [(buffer, buffer._data.copy()) for buffer in mod.buffers()]
    try:
        return _traced(mod, args, kwargs)
    finally:
        for buffer, data in buffers:
            buffer._data[...] = data


def _traced(mod: Layer, args: tuple, kwargs: dict[str, Any]) -> TracedModule:
    traces = Traces()
    try:
        traces.trace(mod, name_of(mod), Ids(), True, args, kwargs)
        is_staged = False
    except NeedsStaging:
        traces, is_staged = Traces(), True
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
    """The graphs of one trace, by layer, and the TracedModules made of them."""

    def __init__(self) -> None:
        self._graphs: dict[int, list[InternalGraph]] = {}
        self._modules: dict[int, Layer] = {}
        self.mode = Noticing()

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
        """What stands for a layer in the traced model: the library's own layers stand for themselves."""
        if is_builtin(layer):
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
        made._sub_layers.update((key, part and self.module_of(part)) for key, part in layer._sub_layers.items())
        return made


class Noticing(EagerMode):
    """Eager execution that notes what operators compute outside the calls that are seen."""

    def __init__(self) -> None:
        self.unseen: dict[int, Tensor] = {}

    def bind(self, definition: Any, operands: tuple, attrs: dict[str, Any]) -> Any:
        result = super().bind(definition, operands, attrs)
        if current_observer() is not None:
            self.unseen.update((id(leaf), leaf) for leaf in leaves(result) if isinstance(leaf, Tensor))
        return result


class Tracer(Recording):
    """Records the forward of one Layer."""

    def __init__(self, traces: Traces, graph: InternalGraph, layer: Layer):
        super().__init__(graph, layer)
        self._traces = traces
        self.unseen = traces.mode.unseen
        self._buffers = dict(layer._buffers)

    def run(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Run the forward on these arguments: tensors and traced numbers among them become inputs."""
        args, kwargs = normal_arguments(signature_of_layer(self.layer), args, kwargs)
        graph = self.graph
        graph.add_input(ModuleNode, "self")
        args, kwargs = self._name_inputs(args, kwargs)
        graph.form = map_tree(self._form_leaf, (args, kwargs))
        with observing(self), dispatch.entered(self._traces.mode):
            result = self.layer._run(_itself, args, kwargs)
            graph.results = map_tree(self._result_leaf, result)
        if any(self._buffers.get(name) is not tensor for name, tensor in self.layer._buffers.items()):
            self.layer._buffers.update(self._buffers)
            raise trace_error(
                f"{type(self.layer).__name__}.forward assigns a tensor to an attribute of the layer, which a graph can't do: "
                "change the buffer in place, `self.h[:] = h`, or return the tensor"
            )
        return result

    def _name_inputs(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        signature = signature_of_layer(self.layer)
        if signature is None:
            return tuple(self._inputs("args", value) for value in args), kwargs
        bound = signature.bind(*args, **kwargs)
        bound.arguments.update({name: self._inputs(name, value) for name, value in bound.arguments.items()})
        return bound.args, bound.kwargs

    def _inputs(self, name: str, value: Any) -> Any:
        """An argument with tensor objects of its own, so that one that is given twice is two inputs."""

        def fresh(leaf: Any) -> Any:
            if not isinstance(leaf, Tensor | Traced):
                return leaf
            if isinstance(leaf, Tensor):
                own: Any = alias(leaf)
                self.know(own, self.graph.add_input(TensorNode, name, **tensor_details(leaf)))
            else:
                own = traced_number(plain(leaf), leaf.function, leaf.operands)
                self.know(own, self.graph.add_input(NumberNode, name))
            return own

        return map_tree(fresh, value)

    def _form_leaf(self, leaf: Any) -> Any:
        return self.node_or_constant(leaf) if id(leaf) in self._known else leaf

    def _result_leaf(self, leaf: Any) -> Any:
        return self.node_or_constant(leaf) if isinstance(leaf, Tensor | Traced) else leaf

    def call_layer(self, layer: Layer, args: tuple, kwargs: dict[str, Any]) -> Any:
        if self.path_of(layer) is None or layer is self.layer:  # no part of the model: what it does is recorded in its place
            return layer._run(_itself, args, kwargs)
        return super().call_layer(layer, args, kwargs)

    def decide(self) -> None:
        raise NeedsStaging

    def custom_call(self, layer: Layer, args: tuple, kwargs: dict[str, Any]) -> tuple[Layer, InternalGraph, Any]:
        name = f"{self.graph.name}_{str(self.path_of(layer)).replace('.', '_')}"
        return layer, *self._traces.trace(layer, name, self.graph.ids, False, args, kwargs)


def _itself(function: Any) -> Any:
    return function
