"""One Block of an operation with several, of which one is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Operation, Value
from .places import Place

if TYPE_CHECKING:
    from .walk import Walk


class Arm:
    """A Block that has been rewritten up to its terminator, and what the Storages hold there."""

    def __init__(self, walk: Walk, block: Block, prologue: Any = None):
        self.walk, self.block = walk, block
        with walk.contents.inside(block):
            self.end = walk.block(block, prologue)
            self.now, self.stamps = dict(walk.contents.now), dict(walk.contents.stamps)
            self.arrives = self.end.name == "yield"
            self.places = [walk.place(v) for v in self.end.operands] if self.arrives else []
            if not self.arrives:
                walk.contents.at = self.end
                walk.plain(self.end)
        self.marks = walk.containers.marks()
        walk.containers.forget([block])

    def finish(self, yields: Sequence[Place | Value]) -> None:
        """End the Block: it yields the Values given, and those at the places given."""
        contents = self.walk.contents
        with contents.inside(self.block), self.walk.containers.back_at(self.marks):
            contents.now, contents.stamps = dict(self.now), dict(self.stamps)
            contents.at = self.end
            values = [contents.read(y) if isinstance(y, Place) else y for y in yields]
            contents.append(Operation("yield", values, loc=self.end.loc, path=self.end.path))


def written_groups(walk: Walk, blocks: list[Block]) -> set[Any]:
    """The groups of memory that the operations of these Blocks write."""
    ops = [op for block in blocks for op in block.walk()]
    found = {walk.group(op.operands[k]) for op in ops for k in walk.writes(op)}
    return found | {walk.group(v) for op in ops if op.name == "call" for v in walk.recursion.written_operands(op)}


def is_inside(value: Value, op: Operation) -> bool:
    """Whether a Value is made in a Block of `op`, at any depth."""
    at: Any = value.owner
    while at is not None:
        if at is op:
            return True
        at = at.parent if isinstance(at, (Block, Operation)) else None
    return False
