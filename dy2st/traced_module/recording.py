"""Calls become Exprs: the half that tracing a forward and inserting Exprs share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import TraceError
from ..nn import Layer
from ..runtime.blocks import user_loc
from ..runtime.call_hook import observing
from ..runtime.tensor import Tensor
from .arguments import normal_arguments, signature_of
from .builtin import is_builtin
from .expr import Call, CallFunction, CallMethod, Constant, Expr, GetAttr
from .functions import is_wrapped
from .graph import InternalGraph
from .module import signature_of_layer
from .names import identifier
from .node import ModuleNode, Node, NumberNode, TensorNode
from .numbers import Traced, TracedTensor, plain, warn_frozen
from .tree import leaves, map_tree

BAKED = {  # methods that give Python values
    "__bool__": "bool(x)", "__int__": "int(x)", "__float__": "float(x)", "__index__": "an index", "__len__": "len(x)",
    "item": "x.item()", "tolist": "x.tolist()", "__contains__": "value in x",
}  # fmt: skip
DECIDES = ("__bool__", "__index__")  # those by which a tensor chooses a path
UNSEEN = ("__deepcopy__", "backward")  # methods that are no part of a forward


def trace_error(message: str) -> TraceError:
    """At the user's line."""
    loc = user_loc()
    return TraceError(message, loc.file if loc else None, loc.line if loc else None)


class Recording:
    """Records calls in one graph, on behalf of one Layer: an observer of the call hook."""

    def __init__(self, graph: InternalGraph, layer: Layer):
        self.graph, self.layer = graph, layer
        self.unseen: dict[int, Tensor] = {}  # tensors that were computed while tracing, without a call that was seen
        self._known: dict[int, tuple[Any, Node]] = {}  # object -> its Node; the object is kept, so that its id stays its own
        self._paths: dict[int, str] = {}

    # --- what the two kinds differ in --------------------------------------------------------------------------------------

    def value_of(self, leaf: Any) -> Any:
        """The value that a call gets for a leaf of its arguments."""
        return plain(leaf)

    def place(self, expr: Expr) -> None:
        """Put a new Expr into the graph."""
        self.graph.body.append(expr)

    def result(self, result: Any, nodes: list[Node]) -> Any:
        """What a recorded call returns; `nodes` stand for the tensors and numbers in `result`."""
        return result

    def decide(self) -> None:
        """A tensor, or a step that isn't a call, is about to decide which path Python takes."""

    # --- the hook ----------------------------------------------------------------------------------------------------------

    def call(self, function: Callable, method: str | None, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Do and record a call of a function or a Tensor method."""
        if method in DECIDES and id(args[0]) in self._known:
            self.decide()
        if method in BAKED:
            warn_frozen(BAKED[method])
        if method == "__iter__":
            return iter([args[0][k] for k in range(plain(args[0].shape[0]))])
        args, kwargs = normal_arguments(signature_of(function), args, kwargs)
        values = map_tree(self.value_of, (args, kwargs))
        with watching_writes(values) as written, observing(None):
            result = function(*values[0], **values[1])
        if is_wrapped(function):
            _check_wrapped(function, result)
        if method in UNSEEN or not (written or any(isinstance(leaf, Tensor) for leaf in leaves(result))):
            return result
        make = lambda a, k: CallMethod(self.graph, method, a, k) if method else CallFunction(self.graph, function, a, k)  # noqa: E731
        return self.record(make, (args, kwargs), values, result, written, base_name(method or function.__name__))

    def call_layer(self, layer: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Do and record a call of a Layer: of one of the library's as it is, of a custom one with a graph of its own."""
        args, kwargs = normal_arguments(signature_of_layer(layer), args, kwargs)
        name = self.layer_node(layer).name
        values = map_tree(self.value_of, ((layer, *args), kwargs))
        inner: InternalGraph | None = None
        with watching_writes(values) as written:
            if is_builtin(layer):
                with observing(None):
                    result = layer(*values[0][1:], **values[1])
            else:
                layer, inner, result = self.custom_call(layer, args, kwargs)

        def make(a: tuple, k: dict[str, Any]) -> CallMethod:
            expr = CallMethod(self.graph, "__call__", a, k)
            expr.graph = inner
            return expr

        return self.record(make, ((layer, *args), kwargs), values, result, written, name)

    def custom_call(self, layer: Layer, args: tuple, kwargs: dict[str, Any]) -> tuple[Layer, InternalGraph, Any]:
        """Call a custom Layer: what stands for it in the module, the graph of the call, the result."""
        raise NotImplementedError

    def record(
        self, make: Callable[[tuple, dict], Call], given: tuple, values: tuple, result: Any, written: list[Tensor], name: str
    ) -> Any:
        """Add the Expr of a call that has happened with `values` for what was `given`, and Nodes for its results."""
        if result is not None:
            result = map_tree(lambda leaf: self._own_object(leaf, written), result)
        args, kwargs = map_tree(self.node_or_constant, given)
        expr = make(args, kwargs)
        expr.loc = user_loc()
        found = [written[0]] if result is None and written else list(leaves(result))
        places = [k for k, leaf in enumerate(found) if isinstance(leaf, Tensor | Traced)]
        if len(found) != 1 or isinstance(result, list | tuple | dict) or not places:
            expr.places, expr.n_results = tuple(places), len(found)
        operands = [value for value, leaf in zip(leaves(values), leaves((args, kwargs))) if isinstance(leaf, Node)]
        expr.writes = tuple(k for k, value in enumerate(operands) if any(value is w for w in written))
        expr.shares = any(_share(found[k], value) for k in places for value in operands)
        self.place(expr)
        nodes = [self.output(expr, found[k], name) for k in places]
        return self.result(result, nodes)

    def _own_object(self, leaf: Any, written: list[Tensor]) -> Any:
        """An operand that a call returns unchanged is told from the operand."""
        unchanged = isinstance(leaf, Tensor) and id(leaf) in self._known and not any(leaf is w for w in written)
        return alias(leaf) if unchanged else leaf

    def output(self, expr: Expr, value: Any, name: str) -> Node:
        """A Node for one leaf of a result; the leaf is known by it from now on."""
        base = f"{name}_out"
        if isinstance(value, Tensor):
            node: Node = self.graph.add_output(expr, TensorNode, base, **tensor_details(value))
            if type(value) is Tensor and id(value) not in self._known:
                value.__class__ = TracedTensor
        else:
            node = self.graph.add_output(expr, NumberNode, base)
        self.know(value, node)
        return node

    # --- leaves of arguments -------------------------------------------------------------------------------------------------

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
            self._paths = {id(found): path for path, found in reversed(list(parts_of(self.layer)))}
        return self._paths.get(id(part))


def alias(tensor: Tensor) -> TracedTensor:
    """Another tensor on the same memory."""
    made = TracedTensor(tensor._data, tensor.stop_gradient)
    made._writes, made._node, made._view = tensor._writes, tensor._node, tensor._view
    return made


def base_name(name: str) -> str:
    """What the results of a function or method are called after: `__add__` gives `add_out`."""
    return re.sub(r"\W", "", name).strip("_") or "call"


def parts_of(layer: Layer) -> list[tuple[str, Any]]:
    """(dotted name, part) of all layers, parameters and buffers from `layer` on, whose own name is empty."""
    found: list[tuple[str, Any]] = [("", layer)]
    found += layer.named_sublayers()
    found += layer.named_parameters()
    found += layer.named_buffers()
    return found


def tensor_details(tensor: Tensor) -> dict[str, Any]:
    """What a TensorNode says about its tensor."""
    return {"shape": tuple(tensor.type.shape or ()), "dtype": tensor.dtype.name}


def _check_wrapped(function: Callable, result: Any) -> None:
    strange = [leaf for leaf in leaves(result) if not isinstance(leaf, Tensor)]
    if strange:
        raise trace_error(
            f"the wrapped function {function.__name__} returned {strange[0]!r}; it must return tensors, or lists, tuples and "
            "dicts of tensors"
        )


def _share(a: Any, b: Any) -> bool:
    return isinstance(a, Tensor) and isinstance(b, Tensor) and bool(np.may_share_memory(a._data, b._data))


@contextmanager
def watching_writes(values: Any) -> Iterator[list[Tensor]]:
    """Afterwards, the list holds the tensors among `values` that the body wrote in place."""
    given = [leaf for leaf in leaves(values) if isinstance(leaf, Tensor)]
    before = [tensor._writes[0] for tensor in given]
    written: list[Tensor] = []
    yield written
    written += [tensor for tensor, count in zip(given, before) if tensor._writes[0] != count]
