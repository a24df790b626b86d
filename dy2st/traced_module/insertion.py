"""Inserting Exprs: in the body of a `with`, Nodes act as what they stand for, and calls of them become Exprs of the graph.

The calls run on stand-ins, tensors of zeros with the shapes that were traced, so that results have shapes and dtypes. A tensor
from before the block is never written in place: it is copied first, and later uses in the block read the copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..nn import Layer
from ..nn.before import Before
from ..runtime.tensors.call_hook import current_observer, observing
from ..runtime.tensors.tensor import Tensor
from .calls import CallMethod
from .control import is_visible
from .expr import Expr
from .graph import InternalGraph
from .module import TracedModule
from .node import ModuleNode, Node, TensorNode
from .numbers import TracedTensor, traced_shape
from .objects import trace_error
from .placing import Placing
from .snapshot import Snapshot
from .tracing import Traces
from .tree import leaves, map_tree


@contextmanager
def insert_exprs(graph: InternalGraph, after: Expr | None = None) -> Iterator[None]:
    """Run the body with Nodes of `graph` acting as tensors and Layers; all of it counts, or, after an exception, nothing."""
    if after is not None and after not in graph.body and after not in [node.expr for node in graph.inputs]:
        raise ValueError(f"insert_exprs: {after!r} is no Expr of {graph.name}")
    before = Snapshot(graph)
    try:
        with observing(Insertion(graph, after)):
            yield
        graph.number()
    except BaseException:
        before.restore()
        raise
    finally:
        before.restore_buffers()


class Insertion(Placing):
    """The observer in the body of `insert_exprs`."""

    def __init__(self, graph: InternalGraph, after: Expr | None):
        super().__init__(graph, after)
        self._old = {node for expr in graph.outermost.exprs() for node in expr.outputs}
        self._stand_ins: dict[Any, Any] = {}
        self._traces = Traces(Before())
        self._originals: dict[int, Layer] = {}

    # --- Nodes as what they stand for ------------------------------------------------------------------------------------

    def stand_in(self, node: Node) -> Any:
        """The value that calls get in place of a Node of this graph."""
        if not is_visible(self.graph, node):
            raise trace_error(f"{node!r} is a Node of {node.top_graph.name}; Exprs are inserted into {self.graph.name}")
        if isinstance(node, ModuleNode):
            return node.owner
        if node not in self._stand_ins:
            if isinstance(node, TensorNode):
                made: Any = TracedTensor(np.zeros([max(n, 1) for n in node._shape], as_dtype(node.dtype).numpy))
            else:
                made = 1
            self._stand_ins[node] = made
            self._known[id(made)] = (made, node)
        return self._stand_ins[node]

    def value_of(self, leaf: Any) -> Any:
        if isinstance(leaf, Node):
            return self.stand_in(leaf)
        if isinstance(leaf, Tensor):
            if leaf not in self._stand_ins:
                self._stand_ins[leaf] = TracedTensor(leaf._array("insert_exprs").copy())
            return self._stand_ins[leaf]
        return super().value_of(leaf)

    def node_or_constant(self, leaf: Any) -> Any:
        if isinstance(leaf, TensorNode):  # what was written in place goes by a new Node
            return self._known[id(self.stand_in(leaf))][1]
        return leaf if isinstance(leaf, Node) else super().node_or_constant(leaf)

    def shape_of(self, node: TensorNode) -> list[Any]:
        """The shape of a Node: lengths that follow the tensor at run time."""
        return traced_shape(list(self.stand_in(node)._data.shape), node)

    def attribute(self, node: ModuleNode, name: str) -> Any:
        """An attribute of the Layer that a Node stands for: a Node where it is a tensor or a Layer."""
        value = getattr(self.stand_in(node), name)
        if not isinstance(value, Tensor | Layer):
            return value
        return self.get_attribute(self.path_of(value) or name, value)

    # --- calls -----------------------------------------------------------------------------------------------------------

    def call_node(self, node: ModuleNode, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call of the Layer that a Node stands for."""
        layer = self.stand_in(node)
        self.know(layer, node)
        return self.call_layer(layer, args, kwargs)

    def call_layer(self, layer: Layer, args: tuple, kwargs: dict[str, Any]) -> Any:
        if self.path_of(layer) is None:
            raise trace_error(f"{type(layer).__name__} is no part of the module: set it as an attribute of the module first")
        return super().call_layer(layer, args, kwargs)

    def custom_call(self, layer: Layer, args: tuple, kwargs: dict[str, Any]) -> tuple[Layer, InternalGraph, Any]:
        """A custom Layer becomes a TracedModule, with a graph for this call."""
        args, kwargs = map_tree(self.value_of, (args, kwargs))
        original = self._originals.get(id(layer), layer)
        if isinstance(original, TracedModule):
            with observing(None):
                graph, result = original.graph_for(args, kwargs), original(*args, **kwargs)
            return original, graph, result
        name = f"{self.graph.name}_{str(self.path_of(layer)).replace('.', '_')}"
        graph, result = self._traces.trace_or_stage(original, name, self.graph.ids, args, kwargs)
        made = self._traces.module_of(original)
        graph.module = made  # type: ignore[assignment]
        if made is not layer:
            self._originals[id(made)] = original
            node = self._known.pop(id(layer), (None, None))[1]
            for part in self.layer.sublayers(include_self=True):
                part._sub_layers.update((key, made) for key, old in part._sub_layers.items() if old is layer)
            self._paths = {}
            if node is not None:
                self.know(made, node)
        return made, graph, result

    def record(self, make: Any, given: tuple, taken: list, result: Any, written: list[Tensor], name: str) -> Any:
        for leaf, value in zip(leaves(given), taken):
            if any(value is w for w in written):
                self._keep_old(leaf, value)
        return super().record(make, given, taken, result, written, name)

    def _keep_old(self, leaf: Any, value: Tensor) -> None:
        """What is written in place is a copy, where the tensor is from before this block."""
        node = self.node_or_constant(leaf)
        if node in self._old or not isinstance(leaf, Node):
            expr = CallMethod(self.graph, "clone", (node,))
            self.place(expr)
            self.output(expr, value, "clone")
        elif any(value is not old and np.may_share_memory(value._data, old._data) for old in self._old_tensors()):
            raise trace_error(f"{leaf!r} shares its memory with a tensor from before insert_exprs: write to a `clone()` of it")

    def _old_tensors(self) -> list[Tensor]:
        return [value for node, value in self._stand_ins.items() if node in self._old and isinstance(value, Tensor)]

    def output(self, expr: Expr, value: Any, name: str) -> Node:
        node = super().output(expr, value, name)
        self._stand_ins[node] = value
        return node

    def result(self, result: Any, nodes: list[Node]) -> Any:
        return map_tree(lambda leaf: self._known[id(leaf)][1] if id(leaf) in self._known and leaf is not None else leaf, result)


def active_insertion(node: Node) -> Insertion:
    """The insertion that is going on; TypeError where there is none."""
    found = current_observer()
    if not isinstance(found, Insertion):
        raise TypeError(f"{node!r} is a Node, no {node.kind}: it acts as one only inside `with graph.insert_exprs():`")
    return found

