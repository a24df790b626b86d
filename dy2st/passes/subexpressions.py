"""Compute once what is computed twice.

    def main(%x: float32[3]) -> float32[3]:      def main(%x: float32[3]) -> float32[3]:
      %0 = tanh %x : float32[3]                    %0 = tanh %x : float32[3]
      %1 = tanh %x : float32[3]             ->     %1 = add %0, %0 : float32[3]
      %2 = add %0, %1 : float32[3]                 return %1
      return %2

An operation gives way to an earlier one, here or in a Block around, whose results are visible and that
1. has the same name, attributes (told apart down to the sign of a zero) and result types, and the same operands;
2. has read the same memory: where an operand may be written at all, nothing has been written in between (a loop that writes
   starts anew, since its body comes again);
3. gives memory that nobody can tell from a copy, or is a `param`, which is one storage anyway.
What may raise is merged too: had it raised, the second wouldn't be reached. The first one's location stays.
"""

from __future__ import annotations

from typing import Any

from ..ir.core import Block, Operation, Program
from .base import program_pass
from .memory import Memory, depends_on_operands_only
from .rewriter import Instead, Rewriter

_CORE = ("const", "atom", "param", "sum.tag")


@program_pass()
def subexpressions(program: Program) -> bool:
    """Merge operations that compute the same."""
    return _Merger(Memory(program)).run(program)


class _Merger(Rewriter):
    def __init__(self, memory: Memory):
        super().__init__()
        self.memory = memory
        self.first: dict[Any, Operation] = {}
        self.scopes: list[list[Any]] = []
        self.writes = 0  # how many writes the walk has passed

    def block(self, block: Block) -> None:
        self.scopes.append([])
        super().block(block)
        for key in self.scopes.pop():
            del self.first[key]

    def visit(self, op: Operation) -> Instead | None:
        if op in self.memory.writers:
            self.writes += 1
            return None
        if op.name not in _CORE and (not op.results or depends_on_operands_only(op) is None):
            return None
        key = self._key(op)  # case 1
        found = self.first.get(key)
        if found is None:
            self.first[key] = op
            self.scopes[-1].append(key)
            return None
        if not self._may_stand_for(found, op):
            return None
        for mine, theirs in zip(found.results, op.results):
            mine.name = mine.name or theirs.name
        return Instead(found.results)

    def keep(self, op: Operation) -> None:
        super().keep(op)
        if op in self.memory.writers:
            self.writes += 1

    def _key(self, op: Operation) -> Any:
        open_ = not all(map(self.memory.is_stable, op.operands))  # case 2
        attrs = repr(sorted(op.attrs.items())) if op.attrs else ""
        return op.name, tuple(op.operands), op.n_positional, attrs, self.writes if open_ else None

    def _may_stand_for(self, found: Operation, op: Operation) -> bool:
        if [v.type for v in found.results] != [v.type for v in op.results]:
            return False
        return op.name == "param" or all(map(self.memory.is_anonymous, (*found.results, *op.results)))  # case 3
