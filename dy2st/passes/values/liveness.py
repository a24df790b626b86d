"""Where the Values of a Program are used: whether one is used later than a position in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager

from ...ir.core import Block, Program, Value
from ..positions import Positions


class Liveness:
    """Positions in textual order. What comes from outside a loop is used at the loop's end if it is used in it at all."""

    def __init__(self, program: Program):
        self._positions = Positions([program.entry.block])
        self.start, self.end = self._positions.start, self._positions.end
        self._uses: dict[Value, list[int]] = {}
        self._skipped: list[tuple[int, int]] = []
        for op in program.entry.block.walk():
            for value in op.operands:
                self._uses.setdefault(value, []).append(self._positions.of_use(op, value))
        for uses in self._uses.values():
            uses.sort()

    def is_used_after(self, value: Value, position: int) -> bool:
        """Whether something behind a position uses the Value, on the path that the walk is on."""
        uses = self._uses.get(value, [])
        return any(not self._is_skipped(use) for use in uses[bisect_right(uses, position) :])

    @contextmanager
    def without(self, block: Block) -> Iterator[None]:
        """On the path that the walk is on now, this Block isn't taken."""
        self._skipped.append((self.start[block.ops[0]], self.end[block.ops[-1]]))
        try:
            yield
        finally:
            self._skipped.pop()

    def _is_skipped(self, use: int) -> bool:
        return any(first <= use <= last for first, last in self._skipped)
