"""Where the Values of a Program are used: whether one is used later than a position in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager

from ...ir.core import Block, Function, Operation, Program, Value


class Liveness:
    """Positions in textual order. What comes from outside a loop is used at the loop's end if it is used in it at all."""

    def __init__(self, program: Program):
        self.start: dict[Operation, int] = {}
        self.end: dict[Operation, int] = {}
        self._uses: dict[Value, list[int]] = {}
        self._skipped: list[tuple[int, int]] = []
        self._count = 0
        self._number(program.entry.block)
        for op in program.entry.block.walk():
            for value in op.operands:
                self._uses.setdefault(value, []).append(self._position(op, value))
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

    def _number(self, block: Block) -> None:
        for op in block.ops:
            self.start[op] = self._count
            self._count += 1
            for inner in op.blocks:
                self._number(inner)
            self.end[op] = self._count
            self._count += 1

    def _position(self, op: Operation, value: Value) -> int:
        """Where `op` uses `value`: at its own position, or at the end of the outermost loop in between."""
        home, position, at = value.block, self.start[op], op.parent
        while at is not home and isinstance(at, Block) and not isinstance(at.parent, Function):
            around = at.parent
            if around is None:
                break
            if around.name == "while":
                position = self.end[around]
            at = around.parent
        return position
