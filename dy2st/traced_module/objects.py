"""Objects and the Nodes that stand for them: parts of a layer are fetched at their first use, other tensors are constants."""

from __future__ import annotations

from typing import Any

from ..errors import TraceError
from ..nn import Layer
from ..nn.tree import joined
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.user_code import user_loc
from .calls import CallFunction
from .expr import Constant, Expr, GetAttr
from .graph import InternalGraph
from .names import identifier
from .node import ModuleNode, Node, NumberNode, TensorNode
from .numbers import Traced, TracedTensor
from .tree import map_tree


def trace_error(message: str) -> TraceError:
    """At the user's line."""
    loc = user_loc()
    return TraceError(message, loc.file if loc else None, loc.line if loc else None)


class Objects:
    """What stands for objects in the graph of one Layer."""

    def __init__(self, graph: InternalGraph, layer: Layer):
        self.graph, self.layer = graph, layer
        self.unseen: dict[int, Tensor] = {}  # tensors that were computed while tracing, without a call that was seen
        self._known: dict[int, tuple[Any, Node]] = {}  # object -> its Node; the object is kept, so that its id stays its own
        self._paths: dict[int, str] = {}

    def place(self, expr: Expr) -> None:
        """Put a new Expr into the graph."""
        self.graph.body.append(expr)

    def know(self, value: Any, node: Node) -> None:
        """From now on `value` is `node`."""
        self._known[id(value)] = (value, node)

    def node_or_constant(self, leaf: Any) -> Any:
        """The Node that stands for a leaf of a call's arguments, or the constant that it is."""
        known = self._known.get(id(leaf))
        if known is not None:
            return known[1]
        if isinstance(leaf, Layer):
            return self.layer_node(leaf)
        if isinstance(leaf, Traced):
            return self._number(leaf)
        if isinstance(leaf, Tensor):
            return self._outer_tensor(leaf)
        return leaf

    def _number(self, number: Any) -> Node:
        expr = CallFunction(self.graph, number.function, map_tree(self.node_or_constant, number.operands))
        self.place(expr)
        node = self.graph.add_output(expr, NumberNode, f"{getattr(number.function, '__name__', 'number').strip('_')}_out")
        self.know(number, node)
        return node

    def _outer_tensor(self, tensor: Tensor) -> Node:
        """A parameter or buffer of the Layer; any other tensor from outside is a constant."""
        path = self.path_of(tensor)
        if path is not None:
            return self.get_attribute(path, tensor)
        if type(tensor) is TracedTensor:
            raise trace_error(
                "a tensor that another layer's forward computed is used here, but was neither given to this layer nor returned "
                "by the other: pass it as an argument"
            )
        if id(tensor) in self.unseen:
            raise trace_error(
                "this tensor was computed by a call that tracing doesn't see: use public functions of dy2st, or wrap the "
                "function that computes it, `traced_module.wrap(f)`"
            )
        expr = Constant(self.graph, tensor)
        self.place(expr)
        node = self.graph.add_output(expr, TensorNode, "const_tensor", **tensor_details(tensor))
        self.know(tensor, node)
        return node

    def layer_node(self, layer: Layer) -> Node:
        """The Node of a Layer below this one."""
        path = self.path_of(layer)
        if path is None:
            raise trace_error(f"the layer {type(layer).__name__} is no sublayer of {type(self.layer).__name__}: make it one")
        return self.get_attribute(path, layer)

    def get_attribute(self, path: str, value: Any) -> Node:
        """Fetch a part of the Layer."""
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        if value is self.layer:
            return self.graph.self_node
        expr = GetAttr(self.graph, self.graph.self_node, path)
        self.place(expr)
        is_tensor = isinstance(value, Tensor)
        node = self.graph.add_output(
            expr, TensorNode if is_tensor else ModuleNode, identifier(path), **(tensor_details(value) if is_tensor else {})
        )
        self.know(value, node)
        return node

    def path_of(self, part: Any) -> str | None:
        """The dotted name of a layer, parameter or buffer below this Layer."""
        if id(part) not in self._paths:
            self._paths = paths_of(self.layer)
        return self._paths.get(id(part))


def paths_of(layer: Layer) -> dict[int, str]:
    """The dotted names of all layers, parameters and buffers from `layer` on, whose own is empty, by id; the first of several."""
    layers = list(layer.named_sublayers(include_self=True))
    found = {id(part): path for path, part in layers}
    for table in ("_parameters", "_buffers"):
        for path, owner in layers:
            for name, tensor in getattr(owner, table).items():
                if tensor is not None:
                    found.setdefault(id(tensor), joined(path, name))
    return found


def tensor_details(tensor: Tensor) -> dict[str, Any]:
    """What a TensorNode says about its tensor."""
    return {"shape": tuple(tensor.type.shape or ()), "dtype": tensor.dtype.name}
