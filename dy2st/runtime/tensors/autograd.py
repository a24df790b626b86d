"""Gradients: the tape is walked backwards, calling each operator's gradient rule.

Rules call operators, so with `create_graph` the backward pass is on the tape too and can be differentiated again. The walk keeps
its own heap, so depth is limited by memory only.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...dtypes import FLOWING
from ...errors import StagedValueError
from ...ops.complex_numbers import DIFFERENTIABLE
from ...ops.elementwise import add
from .aliases import current_history
from .grad_mode import _enabled
from .tape import Edge, GradContext, Node
from .tensor import Tensor


class BackwardPass:
    """One backward pass from `roots`, (edge, gradient) pairs.

    `wanted` are the edges whose gradients `found` will hold, or None for `backward`, which gives every leaf its gradient.
    """

    def __init__(self, roots: list[tuple[Edge, Tensor]], wanted: list[Edge] | None, stops: Iterable[Edge], create_graph: bool):
        self.create_graph = create_graph
        self.wanted = None if wanted is None else {_key(edge) for edge in wanted}
        self.stops = {_key(edge) for edge in stops}
        self.nodes: dict[int, Node] = {}
        self.pending: dict[int, list[Tensor | None]] = {}  # by a Node's order, the gradients of its results
        self.leaves: dict[int, tuple[Tensor, Tensor]] = {}  # by id, a leaf and its gradient
        self.found: dict[Any, Tensor] = {}
        self.heap: list[int] = []
        self.useful = None if wanted is None else self._useful([edge for edge, _ in roots])
        for edge, gradient in roots:
            self.send(edge, gradient)

    def _useful(self, edges: list[Edge]) -> set[int]:
        """The orders of the Nodes from which something wanted can be reached."""
        seen: dict[int, Node] = {}
        stack = [edge[0] for edge in edges if type(edge) is tuple]
        while stack:
            node = stack.pop()
            if node.order not in seen:
                seen[node.order] = node
                stack.extend(edge[0] for edge in node.edges if type(edge) is tuple)
        useful: set[int] = set()
        for order in sorted(seen):
            if any(self._leads(edge, useful) for edge in seen[order].edges):
                useful.add(order)
        return useful

    def _leads(self, edge: Edge, useful: set[int]) -> bool:
        if edge is None or _key(edge) in self.stops:
            return False
        return _key(edge) in self.wanted or (type(edge) is tuple and edge[0].order in useful)  # type: ignore[operator]

    def needs(self, edge: Edge) -> bool:
        """Whether a gradient sent to `edge` is of use."""
        if edge is None or (self.stops and _key(edge) in self.stops):
            return False
        return self.useful is None or self._leads(edge, self.useful)

    def send(self, edge: Edge, gradient: Tensor) -> None:
        """Add `gradient` to what has arrived at `edge`."""
        if type(edge) is not tuple:
            before = self.leaves.get(id(edge))
            self.leaves[id(edge)] = (edge, gradient if before is None else add(before[1], gradient))
            return
        node, index = edge
        if node.freed:
            raise RuntimeError(
                f"the graph of {node.definition.name} was already used by backward() and freed; "
                "call the first backward() with retain_graph=True to go through it again"
            )
        gradients = self.pending.get(node.order)
        if gradients is None:
            gradients = self.pending[node.order] = [None] * len(node.results)
            self.nodes[node.order] = node
            heapq.heappush(self.heap, -node.order)
        arrived = gradients[index]
        gradients[index] = gradient if arrived is None else add(arrived, gradient)

    def run(self, retain_graph: bool) -> None:
        """Visit every Node that a gradient reaches, the latest first; hooks see the sums."""
        while self.heap:
            order = -heapq.heappop(self.heap)
            node, gradients = self.nodes.pop(order), self.pending.pop(order)
            self._arrive(node, gradients)
            if self.useful is None or order in self.useful:
                self._visit(node, gradients)
            if not retain_graph:
                node.free()
        for key, (leaf, gradient) in self.leaves.items():
            self.leaves[key] = (leaf, _hooked(leaf.__dict__.get("_hooks"), gradient))

    def _arrive(self, node: Node, gradients: list[Tensor | None]) -> None:
        """Hooks, retained gradients and wanted gradients of the results of `node`."""
        for index, gradient in enumerate(gradients):
            if gradient is None:
                continue
            if node.hooks:
                gradient = gradients[index] = _hooked(node.hooks.get(index), gradient)
            if node.retained and index in node.retained:
                kept = node.retained[index]()
                if kept is not None:
                    _accumulate(kept, gradient, fresh=False)
            if self.wanted is not None and (node.order, index) in self.wanted:
                self.found[node.order, index] = gradient

    def _visit(self, node: Node, gradients: list[Tensor | None]) -> None:
        needs = tuple(self.needs(edge) for edge in node.edges)
        if not any(needs):
            return
        _check_complex(node)
        context = GradContext(node, needs, self.create_graph)
        filled = gradients
        if not node.definition.grad_of_some:
            filled = [g if g is not None else _zeros(data) for g, (data, _, _) in zip(gradients, node.results)]
        passed = node.definition.grad(context, *filled)  # type: ignore[misc]
        if len(passed) != len(node.edges):
            raise RuntimeError(
                f"the gradient rule of {node.definition.name} gave {len(passed)} gradients for {len(node.edges)} operands"
            )
        for edge, need, gradient in zip(node.edges, needs, passed):
            if need and gradient is not None:
                self.send(edge, gradient)


def _check_complex(node: Node) -> None:
    """NotImplementedError for a rule that holds for real numbers only, on complex ones."""
    if node.definition.name not in DIFFERENTIABLE:
        for x in node.operands:
            if type(x) is np.ndarray and x.dtype.kind == "c":
                raise NotImplementedError(
                    f"{node.definition.name} has no gradient for complex numbers; compute with x.real() and x.imag()"
                )


def _key(edge: Edge) -> Any:
    return (edge[0].order, edge[1]) if type(edge) is tuple else id(edge)


def _zeros(data: Any) -> Tensor | None:
    """A gradient for a result that none arrived at."""
    return Tensor(np.zeros_like(data)) if type(data) is np.ndarray and data.dtype.kind in FLOWING else None


def _hooked(hooks: Sequence[Callable] | None, gradient: Tensor) -> Tensor:
    for hook in hooks or ():
        changed = hook(gradient)
        if changed is not None:
            gradient = changed
    return gradient


def _accumulate(x: Tensor, gradient: Tensor, fresh: bool) -> None:
    """Add `gradient` to `x.grad`; its memory becomes the gradient's own unless `fresh` says that nobody else holds it."""
    before = x._grad
    if before is not None:
        x._grad = add(before, gradient)
    elif fresh or gradient._node is not None:
        x._grad = gradient
    else:
        x._grad = Tensor(gradient._data.copy())


def _seed(op: str, x: Any, gradient: Any) -> Tensor:
    """The gradient that the walk starts with at `x`: ones unless one is given."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{op} takes Tensors, not {type(x).__name__}")
    if x.is_staged:
        raise StagedValueError(
            f"{op}: this tensor is computed by a Program, which is differentiated as a whole; return it from the static "
            f"function, and call {op} on the result"
        )
    if gradient is None:
        return Tensor(np.ones_like(x._array(op)))
    if not isinstance(gradient, Tensor):
        raise TypeError(f"{op}: a gradient must be a Tensor or None, not {type(gradient).__name__}")
    if gradient.shape != x.shape:
        raise ValueError(f"{op}: the gradient of a tensor of shape {x.shape} can't have shape {gradient.shape}")
    return gradient


def edge_of(x: Tensor) -> Edge:
    """Where the gradient of `x` goes."""
    history = current_history(x)
    return None if x.stop_gradient else history or x


def _list(value: Any) -> list:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _roots(op: str, tensors: list, gradients: Any) -> list[tuple[Edge, Tensor]]:
    given = [None] * len(tensors) if gradients is None else _list(gradients)
    if len(given) != len(tensors):
        raise ValueError(f"{op}: {len(tensors)} tensors, but {len(given)} gradients")
    return [(edge_of(x), seed) for x, seed in zip(tensors, [_seed(op, x, g) for x, g in zip(tensors, given)])]


def _run(roots: list, wanted: list[Edge] | None, stops: list[Edge], create_graph: bool, retain_graph: bool) -> BackwardPass:
    token = _enabled.set(create_graph)
    try:
        walk = BackwardPass(roots, wanted, stops, create_graph)
        walk.run(retain_graph)
        return walk
    finally:
        _enabled.reset(token)


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool = False, create_graph: bool = False) -> None:
    """Add to `.grad` of every leaf what `tensors` change with it, weighted by `grad_tensors` (ones where None).

    Nothing, where no gradient can flow, as in Paddle. RuntimeError: an earlier call has freed the graph; or a tensor that a rule
    needs was changed in place.
    """
    tensors = _list(tensors)
    roots = _roots("backward", tensors, grad_tensors)
    roots = [root for root in roots if root[0] is not None]
    walk = _run(roots, None, [], create_graph, retain_graph or create_graph)
    held = {id(gradient._data) for _, gradient in roots}
    for leaf, gradient in walk.leaves.values():
        fresh = id(gradient._data) not in held and gradient._data.flags.owndata
        held.add(id(gradient._data))
        token = _enabled.set(create_graph)
        try:
            _accumulate(leaf, gradient, fresh)
        finally:
            _enabled.reset(token)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
) -> list:
    """`dy2st.grad` on the tape."""
    outputs, inputs = _list(outputs), _list(inputs)
    for x in inputs:
        if not isinstance(x, Tensor):
            raise TypeError(f"grad takes Tensors as inputs, not {type(x).__name__}")
    wanted = [edge_of(x) for x in inputs]
    stops = [] if no_grad_vars is None else [edge_of(x) for x in _list(no_grad_vars)]
    roots = [root for root in _roots("grad", outputs, grad_outputs) if root[0] is not None]
    keep = create_graph if retain_graph is None else retain_graph
    walk = _run(roots, [e for e in wanted if e is not None], [e for e in stops if e is not None], create_graph, keep)
    gradients: list = []
    for position, edge in enumerate(wanted):
        leaf = walk.leaves.get(id(edge)) if type(edge) is not tuple else None
        gradient = leaf[1] if leaf is not None else walk.found.get(_key(edge))
        if gradient is None and not allow_unused:
            raise RuntimeError(
                f"grad: the outputs don't depend on input number {position}, or it has stop_gradient=True; "
                "pass allow_unused=True to get None for it"
            )
        gradients.append(gradient)
    return gradients
