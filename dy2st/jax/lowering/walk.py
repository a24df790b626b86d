"""The walk over a Program that computes it in JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.core import Operation, Program
from ...onnx.lowering import coercion
from ...onnx.lowering.faults import failure_of
from ...onnx.lowering.walk import Walk
from .writer import JaxWriter, MisfitError


class JaxWalk(Walk):
    """Computes the operations of a Program. parameters: their arrays by name."""

    target = "JAX"

    def __init__(self, g: JaxWriter, program: Program, parameters: Mapping[str, Any]):
        super().__init__(g, program)
        self._writer = g
        self.parameters = {name: g.made(array) for name, array in parameters.items()}

    def operation(self, op: Operation) -> None:
        """As a Walk's; `g` knows what the operation may raise."""
        outer, self._writer.failure = self._writer.failure, failure_of(op)
        try:
            super().operation(op)
        except MisfitError:
            self.found.update((value, coercion.blanks(self.g, value.type)) for value in op.results)
        self._writer.failure = outer
