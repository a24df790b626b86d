"""Tensors that share memory: views, and what writing in place means for gradients.

A view remembers its root tensor and the steps that lead from it. When the view is written, the root's history becomes
`scatter(root before, new view)`. The other views take their history from the root again when they are next used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops.registry import OpDef, lookup
from .grad_mode import is_grad_enabled
from .tape import Edge, Node, edge_of
from .tensor import Tensor


class ViewStep:
    """One view operator on the way from the root: its other operands (natives) and attributes, and which result it is."""

    __slots__ = ("definition", "others", "attrs", "index")

    def __init__(self, definition: OpDef, others: tuple, attrs: dict[str, Any], index: int | None):
        self.definition, self.others, self.attrs = definition, others, attrs
        self.index = index  # None: the only result

    def take(self, array: np.ndarray) -> np.ndarray:
        result = self.definition.kernel(array, *self.others, **self.attrs)
        return result if self.index is None else result[self.index]


class TensorView:
    """How a tensor shares the memory of `base`; `node` is the history of `base` that the view's own history continues."""

    __slots__ = ("base", "steps", "node")

    def __init__(self, base: Tensor, steps: tuple[ViewStep, ...]):
        self.base, self.steps, self.node = base, steps, base._node


def link(view: Tensor, source: Tensor, step: ViewStep) -> None:
    """Note that `view` is `step` taken on `source`, where they do share memory."""
    if not np.may_share_memory(view._data, source._data):
        return
    before = source._view
    view._view = TensorView(source, (step,)) if before is None else TensorView(before.base, before.steps + (step,))
    view._writes = source._writes


def refresh(x: Tensor) -> None:
    """Give the view `x` its history again, after its root was written."""
    view = x._view
    base = view.base
    view.node = base._node
    if base.stop_gradient:
        return
    memory, x._node = _histories(base, edge_of(base), view.steps)[-1]
    if (memory.ctypes.data, memory.shape, memory.strides) != (x._data.ctypes.data, x._data.shape, x._data.strides):
        raise RuntimeError("this tensor is a view of one that has taken another shape since (reshape_, cast_ ...); take it again")
    x.stop_gradient = False


def current_history(x: Tensor) -> Edge:
    """The (Node, index) that made `x`, or None for a leaf; up to date also for a view whose root was written."""
    if x._view is not None and x._view.node is not x._view.base._node:
        refresh(x)
    return x._node


def _histories(base: Tensor, edge: Edge, steps: tuple[ViewStep, ...]) -> list[tuple[np.ndarray, Edge]]:
    """The array and edge of the root and of every view on the way through `steps`."""
    histories = [(base._data, edge)]
    for step in steps:
        array, edge = histories[-1]
        taken = step.take(array)
        if edge is not None:
            blank = [None] * len(step.others)
            node = Node(step.definition, [array, *step.others], step.attrs, [edge, *blank], [base._writes, *blank])
            count = 1 if step.index is None else step.index + 1
            for _ in range(count):
                node.add_result(taken, base._writes)
            edge = (node, count - 1)
        histories.append((taken, edge))
    return histories


def refuse_leaf(name: str, target: Tensor) -> None:
    """RuntimeError where writing `target` in place would change a leaf that gradients are asked for."""
    base = target if target._view is None else target._view.base
    if base._node is None and not base.stop_gradient and is_grad_enabled():
        raise RuntimeError(
            f"{name} would change in place a leaf tensor{f' ({base.name})' if base.name else ''} that requires a "
            "gradient (stop_gradient=False); do it under `with dy2st.no_grad():`, or use the operator without the underscore"
        )


def become(x: Tensor, function: Callable[[Tensor], Tensor]) -> None:
    """Make x the tensor that `function` gives for it, with that one's memory and history, under the same name."""
    before = Tensor(x._data, x.stop_gradient)
    before._node, before._view, before._writes = x._node, x._view, x._writes
    made = function(before)
    view = made._view
    x._data, x._node, x._writes, x.stop_gradient = made._data, made._node, made._writes, made.stop_gradient
    x._view = None if view is None or view.base is before else view


def rebase(target: Tensor, edge: Edge) -> None:
    """The history of `target` is `edge` from now on, and its root and the root's other views follow."""
    view = target._view
    if view is None:
        target._node, target.stop_gradient = edge, False
        return
    base, cell = view.base, view.base._writes
    outer = _histories(base, edge_of(base), view.steps[:-1])
    inner = target._data
    for step, (array, outer_edge) in zip(reversed(view.steps), reversed(outer)):
        view = step.definition.view
        if view is None or view.scatter is None or step.index is not None:
            raise RuntimeError(f"a view made by {step.definition.name} can't be written in place while gradients are recorded")
        blank = [None] * len(step.others)
        node = Node(
            lookup(view.scatter),
            [array, inner, *step.others],
            step.attrs,
            [outer_edge, edge, *blank],
            [cell, cell, *blank],
        )
        node.add_result(array, cell)
        inner, edge = array, (node, 0)
    base._node, base.stop_gradient = edge, False
