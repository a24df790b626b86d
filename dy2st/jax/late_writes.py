"""Gradients in JAX of a Program that writes memory which plain Python's gradients still need: refused, as plain Python raises.

JAX differentiates the Program without writes, where each write gives a new array, and would find a gradient.
"""

from __future__ import annotations

from typing import Any

import jax

from ..errors import ConversionError
from ..ir.core import Program
from ..passes.backward import NotDifferentiableError, refuse_late_writes
from ..passes.functionalize.writes import written_tensors


class LateWrites:
    """The writes of a Program. parameters: the names of those that JAX may differentiate with respect to, besides the inputs."""

    def __init__(self, program: Program, parameters: list[str]):
        self._program, self._asked = program, [*range(len(program.entry.block.args)), *parameters]
        self._are_some = any(map(written_tensors, program.walk()))

    def refuse(self) -> None:
        """ConversionError, at the user's line, where one comes too late."""
        try:
            refuse_late_writes(self._program, self._asked, self._program.entry.name)
        except NotDifferentiableError as error:
            raise ConversionError(str(error)) from None

    def guarded(self, results: Any) -> Any:
        """The results of a call; JAX refuses to differentiate them where a write comes too late."""
        if not self._are_some:
            return results

        @jax.custom_jvp
        def same(results: Any) -> Any:
            return results

        @same.defjvp
        def forward(given: Any, slopes: Any) -> Any:
            self.refuse()
            return given[0], slopes[0]

        return same(results)
