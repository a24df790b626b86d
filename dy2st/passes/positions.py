"""The textual order of operations, and where in it each operation uses a Value."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir.core import Block, Function, Operation, Value


class Positions:
    """The start and end of each operation, in textual order."""

    def __init__(self, blocks: Iterable[Block]):
        self.start: dict[Operation, int] = {}
        self.end: dict[Operation, int] = {}
        self._count = 0
        for block in blocks:
            self._number(block)

    def of_use(self, op: Operation, value: Value) -> int:
        """Where `op` uses `value`: at its own start, or at the end of the outermost loop in between."""
        home, position, at = value.block, self.start[op], op.parent
        while at is not home and isinstance(at, Block) and not isinstance(at.parent, Function):
            around = at.parent
            if around is None:
                break
            if around.name == "while":
                position = self.end[around]
            at = around.parent
        return position

    def _number(self, block: Block) -> None:
        for op in block.ops:
            self.start[op] = self._next()
            for inner in op.blocks:
                self._number(inner)
            self.end[op] = self._next()

    def _next(self) -> int:
        self._count += 1
        return self._count - 1
