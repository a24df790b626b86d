"""The walk over a Program that computes it in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.core import Operation, Program, Value
from ...ir.types import FLOAT, NUMBER
from ...onnx.lowering import coercion
from ...onnx.lowering.faults import failure_of
from ...onnx.lowering.packed import Packed
from ...onnx.lowering.walk import Walk
from ...ops.registry import OPERATORS
from . import texts
from .says import said, says
from .writer import JaxWriter, MisfitError


class JaxWalk(Walk):
    """Computes the operations of a Program. parameters: their arrays by name."""

    target = "JAX"

    def __init__(self, g: JaxWriter, program: Program, parameters: Mapping[str, Any]):
        super().__init__(g, program)
        self._writer, self._ends_gradients = g, False
        self.parameters = {name: g.made(array) for name, array in parameters.items()}

    def operation(self, op: Operation) -> None:
        """As a Walk's; `g` knows what the operation may raise."""
        outer, self._writer.failure, self._ends_gradients = self._writer.failure, failure_of(op), ends_gradients(op)
        try:
            super().operation(op)
        except MisfitError:
            self.found.update((value, coercion.blanks(self.g, value.type)) for value in op.results)
        self._writer.failure = outer
        if op.name == "gradient_hook":
            why = "a hook on gradients is Python code, which a graph doesn't hold"
            self.found[op.operands[0]] = [self.g.without_gradient(x, [], why) for x in self.found[op.operands[0]]]

    def _operator(self, op: Operation) -> list[Any]:
        if says(op):
            said(self._writer, op, [self.packed(x) for x in op.operands])
            return []
        text = texts.made(self._writer, op, [self.packed(x) for x in op.operands]) if texts.makes_text(op) else None
        return super()._operator(op) if text is None else [text]

    def packed(self, value: Value) -> Packed:
        """As a Walk's."""
        found = super().packed(value)
        return Packed(self.g, found.type, [*map(self.g.detached, found.leaves)]) if self._ends_gradients else found


def ends_gradients(op: Operation) -> bool:
    """Whether no gradient flows through an operation: it draws, has none, or gives a number."""
    definition = OPERATORS.get(op.name)
    if definition is None:
        return False
    is_of_tensors = "." not in op.name
    return definition.random or is_of_tensors and definition.grad is None or any(x.type in (FLOAT, NUMBER) for x in op.results)
