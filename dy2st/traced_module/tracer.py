"""Tracing one layer: its forward runs once, with real tensors, and what it calls becomes a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..nn import Layer
from ..nn.before import Before
from ..ops import dispatch
from ..runtime.tensors.call_hook import current_observer, observing
from ..runtime.tensors.eager import EagerMode
from ..runtime.tensors.tensor import Tensor
from .arguments import normal_arguments
from .graph import InternalGraph
from .module import signature_of_layer
from .node import ModuleNode, NumberNode, TensorNode
from .numbers import Traced, plain, traced_number
from .objects import tensor_details, trace_error
from .recording import Recording, alias
from .restart import NeedsStaging
from .tree import leaves, map_tree

if TYPE_CHECKING:
    from .tracing import Traces


class Noticing(EagerMode):
    """Eager execution that notes what operators compute outside the calls that are seen."""

    def __init__(self, before: Before) -> None:
        self._before = before
        self.unseen: dict[int, Tensor] = {}

    def bind(self, definition: Any, operands: tuple, attrs: dict[str, Any]) -> Any:
        for written in definition.mutates:
            self._before.keep_tensor(operands[written])
        result = super().bind(definition, operands, attrs)
        if current_observer() is not None:
            self.unseen.update((id(leaf), leaf) for leaf in leaves(result) if isinstance(leaf, Tensor))
        return result


def refuse_changed(layer: Layer) -> None:
    """TraceError: a container among the arguments holds something else now."""
    raise trace_error(
        f"{type(layer).__name__}.forward changes a list or dict that it is given, which a graph can't do: return the new one"
    )


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
        given = list(leaves((args, kwargs)))
        with observing(self), dispatch.entered(self._traces.mode):
            result = self.layer._run(_itself, args, kwargs)
            graph.results = map_tree(self._result_leaf, result)
        left = list(leaves((args, kwargs)))
        if len(left) != len(given) or any(x is not y for x, y in zip(given, left)):
            refuse_changed(self.layer)
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
