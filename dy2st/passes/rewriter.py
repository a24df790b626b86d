"""One walk over a Program in textual order, in which operations give way to others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..ir.core import Block, Operation, Program, Value


class Instead(NamedTuple):
    """What stands in place of an operation: operations, and the Values that take the place of its results."""

    values: Sequence[Value]
    ops: Sequence[Operation] = ()


def renewed(op: Operation, name: str, operands: Sequence[Value], attrs: dict[str, Any]) -> Operation:
    """Another operation that gives the very Values of `op`: what is known of their memory holds on."""
    made = Operation(name, operands, attrs, loc=op.loc, path=op.path)
    made.results = op.results
    for value in made.results:
        value.owner = made
    return made


class Rewriter:
    """A subclass says in `visit` what stands in place of an operation, whose operands have been replaced already."""

    def __init__(self) -> None:
        self.replaced: dict[Value, Value] = {}
        self.changed = False

    def visit(self, op: Operation) -> Instead | None:
        """What stands in place of `op`; None: it stays."""
        raise NotImplementedError

    def run(self, program: Program) -> bool:
        """Rewrite every Function; whether anything was."""
        for function in program.functions.values():
            self.block(function.block)
        return self.changed

    def block(self, block: Block) -> None:
        """Rewrite one Block and those in it."""
        kept: list[Operation] = []
        self._into(kept, block.ops, block)
        block.ops[:] = kept

    def _into(self, kept: list[Operation], ops: Iterable[Operation], block: Block) -> None:
        for op in ops:
            op.operands = [self.replaced.get(v, v) for v in op.operands]
            instead = self.visit(op)
            if instead is None:
                self.keep(op)
                op.parent = block
                kept.append(op)
                continue
            self.changed = True
            self._into(kept, instead.ops, block)
            for old, new in zip(op.results, instead.values):
                self.replaced[old] = self.replaced.get(new, new)

    def keep(self, op: Operation) -> None:
        """Go on into the Blocks of an operation that stays."""
        for inner in op.blocks:
            self.block(inner)
