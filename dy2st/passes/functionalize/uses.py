"""Until where the Values of a Program are used."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.core import Block, Function, Operation, Program, Value


class Uses:
    """Positions in textual order. What comes from outside a loop is used until the loop's end if it is used in it at all."""

    def __init__(self, program: Program):
        self.start: dict[Operation, int] = {}
        self._end: dict[Operation, int] = {}
        self._last: dict[Value, int] = {}
        self._count = 0
        for function in program.functions.values():
            self._number(function.block)
        for op in program.walk():
            for value in op.operands:
                self._last[value] = max(self._last.get(value, -1), self._position(op, value))

    def ends_with(self, values: Sequence[Value], op: Operation) -> bool:
        """Whether none of the Values is used after `op` has started."""
        return all(self._last.get(value, -1) <= self.start[op] for value in values)

    def _number(self, block: Block) -> None:
        for op in block.ops:
            self.start[op] = self._count
            self._count += 1
            for inner in op.blocks:
                self._number(inner)
            self._end[op] = self._count

    def _position(self, op: Operation, value: Value) -> int:
        """Where `op` uses `value`: at its own position, or at the end of the outermost loop in between."""
        home, position, at = value.block, self.start[op], op.parent
        while at is not home and isinstance(at, Block) and not isinstance(at.parent, Function):
            around = at.parent
            if around is None:
                break
            if around.name == "while":
                position = self._end[around]
            at = around.parent
        return position
