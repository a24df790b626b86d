"""The tape: which operator made a tensor, from what, so that gradients can be taken backwards.

A Node keeps arrays, not Tensors, of its operands and results. A Tensor points to its Node, so nothing points in a circle: a graph
is freed as soon as its last Tensor is. An `Edge` says where the gradient of an operand goes: to result `i` of a Node, to a
leaf Tensor, or nowhere (None).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from ...dtypes import BY_NUMPY, FLOWING
from ...ir.types import TensorType
from ...ops.registry import OpDef, lookup
from .tensor import Tensor

Edge = Any  # tuple[Node, int] | Tensor | None
_next_order = count().__next__


class Node:
    """One operator that ran. Every operand was made by a Node of smaller `order`, so descending order is a backward order."""

    __slots__ = ("definition", "operands", "attrs", "edges", "cells", "counts", "results", "order", "hooks", "retained", "freed")

    def __init__(self, definition: OpDef, operands: list, attrs: dict[str, Any], edges: list[Edge], cells: list):
        self.definition, self.operands, self.attrs = definition, operands, attrs
        self.edges = edges
        self.cells = cells  # per operand the cell that counts writes to its memory; None for Python values
        self.counts = [0 if c is None else c[0] for c in cells]
        self.results: list[tuple[np.ndarray, list, int]] = []  # array, cell of writes, their count when it was made
        self.order = _next_order()
        self.hooks: dict[int, list[Callable]] | None = None  # by result
        self.retained: dict[int, Any] | None = None  # by result: weak references to tensors that keep their gradient
        self.freed = False

    def add_result(self, data: Any, cell: list) -> None:
        self.results.append((data, cell, cell[0]))

    def free(self) -> None:
        """Let go of everything kept for the backward pass."""
        self.operands, self.edges, self.cells, self.results, self.freed = [], [], [], [], True


def edge_of(x: Tensor) -> Edge:
    """Where the gradient of `x` goes."""
    return None if x.stop_gradient else x._node or x


def record(definition: OpDef, operands: Sequence, natives: list, attrs: dict[str, Any]) -> Node:
    """A Node for an operator on `operands` (Tensors and Python values), which are `natives` as the kernel sees them."""
    edges: list[Edge] = []
    cells: list = []
    for x in operands:
        if isinstance(x, Tensor):
            edges.append(None if x._stops else x._node or x)
            cells.append(x._writes)
        else:
            edges.append(None)
            cells.append(None)
    return Node(definition, natives, attrs, edges, cells)


class GradContext:
    """What a gradient rule sees: `inputs`, `outputs`, `attrs`, and `needs` (per operand, whether its gradient is asked for)."""

    __slots__ = ("inputs", "outputs", "attrs", "needs")

    def __init__(self, node: Node, needs: tuple[bool, ...], taped: bool):
        self.inputs = [_operand(node, i, taped) for i in range(len(node.operands))]
        self.outputs = [_result(node, i, taped) for i in range(len(node.results))]
        self.attrs = node.attrs
        self.needs = needs


class OverwrittenError(RuntimeError):
    """A gradient rule needs values that were written in place since."""


class OverwrittenTensor(Tensor):
    """Stands for a tensor that a gradient rule may need and that was written since; only its type is left."""

    def __init__(self, like: np.ndarray, operator: str, before: int, now: int):
        self._stops, self._node, self._view, self._writes = True, None, None, [now]
        self.like, self._words = like, (operator, before, now)

    @property
    def _data(self):  # type: ignore[override]
        operator, before, now = self._words
        raise OverwrittenError(
            f"the gradient of {operator} needs a tensor of shape {list(self.like.shape)} that was changed in place since "
            f"{operator} used it (its version was {before} and is {now} now); use the operator without the trailing "
            "underscore, or change a copy (`x.clone()`)"
        )

    @property
    def type(self) -> TensorType:
        return TensorType(self.dtype.name, self.like.shape)

    @property
    def static_shape(self):
        return self.like.shape

    @property
    def dtype(self):
        return BY_NUMPY[self.like.dtype]

    @property
    def shape(self) -> list:
        return list(self.like.shape)


def _operand(node: Node, i: int, taped: bool) -> Any:
    data, cell, edge = node.operands[i], node.cells[i], node.edges[i]
    if cell is None:
        return data
    if cell[0] != node.counts[i]:
        return OverwrittenTensor(data, node.definition.name, node.counts[i], cell[0])
    if taped and isinstance(edge, Tensor):
        return _on_former_memory(edge, data, cell) if _has_other_memory(edge._data, data) else edge
    return _tensor(data, cell, edge if taped else None)


def _has_other_memory(now: np.ndarray, before: np.ndarray) -> bool:
    is_alike = now is not before and now.dtype == before.dtype and now.shape == before.shape
    return is_alike and not np.may_share_memory(now, before)


def _on_former_memory(leaf: Tensor, data: np.ndarray, cell: list) -> Tensor:
    """A leaf as it was before it was given other memory: a Tensor with the former, whose gradient goes to the leaf."""
    node = Node(lookup("assign"), [data], {}, [leaf], [cell])
    node.add_result(data, cell)
    return _tensor(data, cell, (node, 0))


def _result(node: Node, i: int, taped: bool) -> Any:
    data, cell, before = node.results[i]
    if type(data) is not np.ndarray:
        return data
    if cell[0] != before:
        return OverwrittenTensor(data, node.definition.name, before, cell[0])
    return _tensor(data, cell, (node, i) if taped and data.dtype.kind in FLOWING else None)


def _tensor(data: np.ndarray, cell: list, edge: Edge) -> Tensor:
    tensor = Tensor(data, edge is None)
    tensor._node, tensor._writes = edge, cell
    return tensor
