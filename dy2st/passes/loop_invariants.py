"""Compute before a loop what is the same in every turn.

    %r = while %x : float32[3]                    %0 = tanh %w : float32[3]
      cond(%a: float32[3]):                       %r = while %x : float32[3]
        ...                                         cond(%a: float32[3]):
      body(%a: float32[3]):                ->         ...
        %0 = tanh %w : float32[3]                   body(%a: float32[3]):
        %1 = add %a, %0 : float32[3]                  %1 = add %a, %0 : float32[3]
        yield %1                                      yield %1

An operation directly in a loop's condition or body moves before the loop under four conditions:
1. Its operands are defined outside the loop.
2. It does nothing but compute, and can't raise: the loop may have no turn, and the exception would have come later.
3. Nothing writes what it reads, and one result for all turns can't be told from one for each.
4. It costs something, or an operation that moves needs it: constants and parameters alone stay.
Inner loops come first, so that what leaves one may leave the next. Locations stay.
"""

from __future__ import annotations

from ..ir.core import Block, Operation, Program, Value
from .base import program_pass
from .memory import Memory, cannot_raise, depends_on_operands_only

_FREE = ("const", "atom", "param")


@program_pass()
def loop_invariants(program: Program) -> bool:
    """Move operations out of the loops that they don't depend on."""
    mover = _Mover(program)
    for function in program.functions.values():
        mover.block(function.block)
    return mover.changed


class _Mover:
    """Knows of each Value how many Blocks are around it, as the moves so far have left it."""

    def __init__(self, program: Program):
        self.memory = Memory(program)
        self.depth: dict[Value, int] = {}
        self.changed = False

    def block(self, block: Block, depth: int = 0) -> None:
        """Move what can be moved out of each loop of `block`."""
        for value in block.args:
            self.depth[value] = depth
        kept: list[Operation] = []
        for op in block.ops:
            for inner in op.blocks:
                self.block(inner, depth + 1)
            if op.name == "while":
                self._move_out(op, kept, depth)
            kept.append(op)
            for value in op.results:
                self.depth[value] = depth
        for op in kept:
            op.parent = block
        block.ops[:] = kept

    def _move_out(self, loop: Operation, before: list[Operation], depth: int) -> None:
        for block in loop.blocks:
            found: list[Operation] = []
            for op in block.ops:
                if self._is_invariant(op, depth):
                    found.append(op)
                    self.depth.update((value, depth) for value in op.results)
            moved = _worth_it(found)
            for op in found:
                if op not in moved:
                    self.depth[op.result] = depth + 1
            before += [op for op in found if op in moved]
            block.ops[:] = [op for op in block.ops if op not in moved]
            self.changed |= bool(moved)

    def _is_invariant(self, op: Operation, depth: int) -> bool:
        if not all(self.depth[v] <= depth for v in op.operands):  # case 1
            return False
        if op.name in _FREE:
            return True
        if depends_on_operands_only(op) is None or not op.results or not cannot_raise(op):  # case 2
            return False
        memory = self.memory
        return all(map(memory.is_stable, op.operands)) and all(map(memory.is_anonymous, op.results))  # case 3


def _worth_it(found: list[Operation]) -> set[Operation]:
    """Case 4: all but what costs nothing and nothing else needs."""
    moved: set[Operation] = set()
    needed: set[Value] = set()
    for op in reversed(found):
        if op.name not in _FREE or op.result in needed:
            moved.add(op)
            needed.update(op.operands)
    return moved
