"""Tracing a model whose control flow tensors decide: it is staged, as by `to_static`, and the calls that it makes are noted.

Each call of a public function, Tensor method or Layer notes which Operations it has recorded; `from_program` makes Exprs of them.
The first axis of each input is of any length; lengths and dtypes of Nodes are then filled in by a run on the example.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import TraceError
from ..ir.core import Value
from ..ir.types import TensorType
from ..nn import Layer
from ..nn.hooks import has_hooks
from ..passes import run as run_passes
from ..runtime.outside.policy import Policy
from ..runtime.stage.stage import stage
from ..runtime.tensors.call_hook import current_observer, observing
from ..runtime.tensors.spec import InputSpec
from ..runtime.tensors.tensor import Tensor
from .arguments import normal_arguments
from .from_program import fill_from_entry
from .graph import Ids, InternalGraph
from .module import signature_of_layer
from .node import ModuleNode, Node, TensorNode
from .objects import paths_of
from .program_calls import argument_names
from .program_values import Source
from .records import Noting
from .tree import map_tree
from .value_nodes import add_input
from .watch import Watch, watching

if TYPE_CHECKING:
    from .tracing import Traces


class Example(InputSpec):
    """The spec of a tensor whose first axis may have any length."""

    def __init__(self, tensor: Tensor, name: str):
        super().__init__(tensor.type.shape, tensor.dtype, name, tensor.stop_gradient)

    @property
    def type(self) -> TensorType:
        return TensorType(self.dtype, tuple(f"{self.name}_{k}" if k == 0 else n for k, n in enumerate(self.shape)))


class TracePolicy(Policy):
    """As `to_static`, but a result that is a Python number stays one."""

    boxes_scalars = False


def stage_layer(traces: Traces, layer: Layer, name: str, args: tuple, kwargs: dict[str, Any]) -> InternalGraph:
    """The graph of a call of `layer`, as staging records it; the graphs of sublayers are kept in `traces`."""
    forward = getattr(layer.forward, "dygraph_function", layer.forward)
    if has_hooks(layer):
        text = "has forward hooks and control flow that tensors decide: make it a sublayer of a layer without, and trace that one"
        raise TraceError(f"{type(layer).__name__} {text}")
    given = normal_arguments(signature_of_layer(layer), args, kwargs)
    names = argument_names(layer, given)
    counted: dict[str, int] = {}

    def spec(leaf: Any) -> Any:
        label = next(names)
        counted[label] = counted.get(label, -1) + 1
        return Example(leaf, f"{label}_{counted[label]}" if counted[label] else label) if isinstance(leaf, Tensor) else leaf

    specs = map_tree(spec, given)
    noting = Noting()
    with observing(noting):
        function, owner = getattr(forward, "__func__", forward), getattr(forward, "__self__", None)
        found = stage(function, owner, specs[0], specs[1], paths_of(layer), TracePolicy())
    if found.changed:
        text = "changes a list or dict that it is given, which a graph can't do: return the new one"
        raise TraceError(f"{type(layer).__name__}.forward {text}")
    for tensor in found.tensors.values():
        traces.before.keep_tensor(tensor)
    run_passes(found.program, "inline", "dead_code")
    source = Source(found.program, found.tensors, traces, noting.records, found.objects, found.exceptions)
    return _graph(source, layer, name, specs)


def _graph(source: Source, layer: Layer, name: str, specs: tuple) -> InternalGraph:
    """The graph of the entry Function."""
    graph = InternalGraph(name, Ids(), True)
    graph.add_input(ModuleNode, "self")
    values, names = iter(source.program.entry.block.args), argument_names(layer, specs)
    known: dict[Value, Any] = {}

    def argument(leaf: Any) -> Any:
        label = next(names)
        if not isinstance(leaf, InputSpec):
            return leaf
        value = next(values)
        known[value] = add_input(graph, value, label)
        return known[value]

    graph.form = map_tree(argument, specs)
    fill_from_entry(source, graph, layer, known)
    return graph


class Measuring(Watch):
    """Gives Nodes the shapes and dtypes of their values."""

    def see(self, nodes: Iterable[Node], values: dict[Node, Any]) -> None:
        for node in nodes:
            value = values[node]
            if isinstance(node, TensorNode) and isinstance(value, Tensor):
                node._shape, node.dtype = value._data.shape, value.dtype.name


def measure(module: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Run a module, and let its Nodes know what they were; its result."""
    assert current_observer() is None
    with watching(Measuring()):
        return module(*args, **kwargs)
