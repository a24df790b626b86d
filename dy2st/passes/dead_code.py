"""Remove operations whose results nobody uses and that have no effect.

    main(%x: float32[3]) -> float32[3]:          main(%x: float32[3]) -> float32[3]:
      %0 = const value=1 : int                     %2 = neg %x : float32[3]
      %1 = add %x, %0 : float32[3]        ->       return %2
      %2 = neg %x : float32[3]
      return %2

1. One walk from the end to the start. The operands of an operation that is kept are used, and its Blocks are walked at that
   moment. An operation without an effect, whose results nobody uses, goes.
2. Parameters and state that nothing refers to any more leave the Program too.
3. What may fail on lengths that are open stays: `x.reshape([2, 3])` alone is a check of `x`.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.core import Block, Operation, Program, Value
from ..ir.effects import EffectAnalysis
from ..ops.registry import OPERATORS
from .base import program_pass


@program_pass()
def dead_code(program: Program) -> bool:
    """Remove dead operations."""
    return sweep(program, EffectAnalysis(program, OPERATORS).can_remove)


def sweep(program: Program, can_go: Callable[[Operation], bool]) -> bool:
    """Remove operations whose results nobody uses, where `can_go(op)`. Gives whether there were any."""
    swept = [_sweep(function.block, set(), can_go) for function in program.functions.values()]
    return _forget_unnamed(program) or any(swept)


def _sweep(block: Block, used: set[Value], can_go: Callable[[Operation], bool]) -> bool:
    """Case 1."""
    kept, changed = [], False
    for op in reversed(block.ops):
        if not any(r in used for r in op.results) and can_go(op):
            changed = True
            continue
        used.update(op.operands)
        for inner in op.blocks:
            changed |= _sweep(inner, used, can_go)
        kept.append(op)
    block.ops[:] = reversed(kept)
    return changed


def _forget_unnamed(program: Program) -> bool:
    """Case 2."""
    named = {op.attrs["name"] for op in program.walk() if op.name in ("param", "state.get", "state.set")}
    gone = [(table, name) for table in (program.parameters, program.state) for name in table if name not in named]
    for table, name in gone:
        del table[name]  # type: ignore[attr-defined]
    return bool(gone)
