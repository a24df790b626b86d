"""Where each Value of a Function is used last, so that its local variable, and its memory, can serve again."""

from __future__ import annotations

from functools import cached_property

from ...ir.core import Block, Operation, Value


class Liveness:
    """Uses of Values, per Block.

    last[block][value]: index in `block` of the last Operation that uses `value`, in itself or in the blocks nested in it.
    count[value]: number of operands that are `value`, anywhere.
    """

    def __init__(self, block: Block):
        self._block = block
        self.last: dict[Block, dict[Value, int]] = {}
        self.count: dict[Value, int] = {}
        self._visit(block, [])

    def _visit(self, block: Block, around: list[tuple[Block, int]]) -> None:
        self.last[block] = {}
        for index, op in enumerate(block.ops):
            path = [*around, (block, index)]
            for value in op.operands:
                self._use(value, path)
            for inner in op.blocks:
                self._visit(inner, path)

    def _use(self, value: Value, path: list[tuple[Block, int]]) -> None:
        self.count[value] = self.count.get(value, 0) + 1
        home = value.block
        for block, index in reversed(path):
            self.last[block][value] = index
            if block is home:
                break

    def deaths(self, block: Block) -> dict[int, list[Value]]:
        """Operation index -> Values defined by Operations of `block` that nobody needs after it."""
        dying: dict[int, list[Value]] = {}
        last = self.last[block]
        for index, op in enumerate(block.ops):
            for value in op.results:
                dying.setdefault(last.get(value, index), []).append(value)
        return dying

    @cached_property
    def asking(self) -> dict[Value, list[Operation]]:
        """The Operations that use each exception that was caught."""
        found: dict[Value, list[Operation]] = {}
        for op in self._block.walk():
            for value in op.operands:
                if isinstance(value.owner, Operation) and value.owner.name == "caught":
                    found.setdefault(value, []).append(op)
        return found

    def captures(self, op: Operation) -> list[Value]:
        """The Values from outside that `op` uses: its operands and what its blocks capture, in order of first use."""
        found = dict.fromkeys(op.operands)
        for block in op.blocks:
            found.update(dict.fromkeys(v for v in self.last[block] if v.block is not block))
        return list(found)
