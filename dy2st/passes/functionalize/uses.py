"""Until where the Values of a Program are used."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.core import Operation, Program, Value
from ..positions import Positions


class LiveRanges:
    """Positions in textual order. What comes from outside a loop is used until the loop's end if it is used in it at all."""

    def __init__(self, program: Program):
        self._positions = Positions(function.block for function in program.functions.values())
        self.start = self._positions.start
        self._last: dict[Value, int] = {}
        for op in program.walk():
            for value in op.operands:
                self._last[value] = max(self._last.get(value, -1), self._positions.of_use(op, value))

    def ends_with(self, values: Sequence[Value], op: Operation) -> bool:
        """Whether none of the Values is used after `op` has started."""
        return all(self._last.get(value, -1) <= self.start[op] for value in values)
