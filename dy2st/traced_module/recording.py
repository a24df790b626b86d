"""Calls become Exprs: the half that tracing a forward and inserting Exprs share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..nn import Layer
from ..runtime.tensors.call_hook import observing
from ..runtime.tensors.grad_mode import is_grad_enabled
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.user_code import user_loc
from .arguments import normal_arguments, signature_of
from .builtin import is_builtin
from .calls import Call, CallFunction, CallMethod
from .expr import Expr
from .functions import is_wrapped
from .graph import InternalGraph
from .module import signature_of_layer
from .node import Node, NumberNode, TensorNode
from .numbers import Traced, TracedTensor, plain, warn_frozen
from .objects import Objects, tensor_details, trace_error
from .tree import leaves, map_tree

BAKED = {  # methods that give Python values
    "__bool__": "bool(x)", "__int__": "int(x)", "__float__": "float(x)", "__index__": "an index", "__len__": "len(x)",
    "item": "x.item()", "tolist": "x.tolist()", "__contains__": "value in x",
}  # fmt: skip
DECIDES = ("__bool__", "__index__", "__iter__")  # those by which a tensor chooses a path, or how often it is taken
UNSEEN = ("__deepcopy__", "backward")  # methods that are no part of a forward


class Recording(Objects):
    """Records calls in one graph, on behalf of one Layer: an observer of the call hook."""

    def __init__(self, graph: InternalGraph, layer: Layer):
        super().__init__(graph, layer)
        self._graded = is_grad_enabled()

    # --- what the two kinds differ in --------------------------------------------------------------------------------------

    def value_of(self, leaf: Any) -> Any:
        """The value that a call gets for a leaf of its arguments."""
        return plain(leaf)

    def result(self, result: Any, nodes: list[Node]) -> Any:
        """What a recorded call returns; `nodes` stand for the tensors and numbers in `result`."""
        return result

    def decide(self) -> None:
        """What only another run would tell decides the path, or the gradients."""

    # --- the hook ----------------------------------------------------------------------------------------------------------

    def call(self, function: Callable, method: str | None, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Do and record a call of a function or a Tensor method."""
        if method in DECIDES or self._is_cut_off():
            self.decide()
        if method in BAKED:
            warn_frozen(BAKED[method])
        if method == "__iter__":
            return iter([args[0][k] for k in range(plain(args[0].shape[0]))])
        args, kwargs = normal_arguments(signature_of(function), args, kwargs)
        values = map_tree(self.value_of, (args, kwargs))
        taken = list(leaves(values))
        with watching_writes(taken) as written, observing(None):
            result = function(*values[0], **values[1])
        if is_wrapped(function):
            _check_wrapped(function, result)
        if method in UNSEEN or not (written or any(isinstance(leaf, Tensor) for leaf in leaves(result))):
            return result
        make = lambda a, k: CallMethod(self.graph, method, a, k) if method else CallFunction(self.graph, function, a, k)  # noqa: E731
        return self.record(make, (args, kwargs), taken, result, written, base_name(method or function.__name__))

    def call_layer(self, layer: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Do and record a call of a Layer: of one of the library's as it is, of a custom one with a graph of its own."""
        if self._is_cut_off():
            self.decide()
        args, kwargs = normal_arguments(signature_of_layer(layer), args, kwargs)
        name = self.layer_node(layer).name
        values = map_tree(self.value_of, ((layer, *args), kwargs))
        taken, inner = list(leaves(values)), None
        with watching_writes(taken) as written:
            if is_builtin(layer):
                with observing(None):
                    result = layer(*values[0][1:], **values[1])
            else:
                layer, inner, result = self.custom_call(layer, args, kwargs)

        def make(a: tuple, k: dict[str, Any]) -> CallMethod:
            expr = CallMethod(self.graph, "__call__", a, k)
            expr.graph = inner
            return expr

        return self.record(make, ((layer, *args), kwargs), taken, result, written, name)

    def _is_cut_off(self) -> bool:
        """Whether the model's code has turned gradients off here, which calls alone don't tell."""
        return self._graded and not is_grad_enabled()

    def custom_call(self, layer: Layer, args: tuple, kwargs: dict[str, Any]) -> tuple[Layer, InternalGraph, Any]:
        """Call a custom Layer: what stands for it in the module, the graph of the call, the result."""
        raise NotImplementedError

    def record(
        self, make: Callable[[tuple, dict], Call], given: tuple, taken: list, result: Any, written: list[Tensor], name: str
    ) -> Any:
        """Add the Expr of a call for what was `given`, in whose place it has taken these leaves, and Nodes for its results."""
        if result is not None:
            result = map_tree(lambda leaf: self._own_object(leaf, written), result)
        args, kwargs = map_tree(self.node_or_constant, given)
        expr = make(args, kwargs)
        expr.loc = user_loc()
        found = [written[0]] if result is None and written else list(leaves(result))
        places = [k for k, leaf in enumerate(found) if isinstance(leaf, Tensor | Traced)]
        if len(found) != 1 or isinstance(result, list | tuple | dict) or not places:
            expr.places, expr.n_results = tuple(places), len(found)
        operands = [value for value, leaf in zip(taken, leaves((args, kwargs))) if isinstance(leaf, Node)]
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


def alias(tensor: Tensor) -> TracedTensor:
    """Another tensor on the same memory."""
    made = TracedTensor(tensor._data, tensor.stop_gradient)
    made._writes, made._node, made._view = tensor._writes, tensor._node, tensor._view
    return made


def base_name(name: str) -> str:
    """What the results of a function or method are called after: `__add__` gives `add_out`."""
    return re.sub(r"\W", "", name).strip("_") or "call"


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
def watching_writes(values: list) -> Iterator[list[Tensor]]:
    """Afterwards, the list holds the tensors among `values` that the body wrote in place."""
    given = [leaf for leaf in values if isinstance(leaf, Tensor)]
    before = [tensor._writes[0] for tensor in given]
    written: list[Tensor] = []
    yield written
    written += [tensor for tensor, count in zip(given, before) if tensor._writes[0] != count]
