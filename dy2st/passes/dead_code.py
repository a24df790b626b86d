"""Remove operations whose results nobody uses and that have no effect.

    main(%x: float32[3]) -> float32[3]:          main(%x: float32[3]) -> float32[3]:
      %0 = const value=1 : int                     %2 = neg %x : float32[3]
      %1 = add %x, %0 : float32[3]        ->       return %2
      %2 = neg %x : float32[3]
      return %2

One walk from the end to the start: an operation that is kept makes what it uses used, and its Blocks are walked at that moment.
Parameters and state that nothing refers to any more leave the Program too.
"""

from __future__ import annotations

from ..ir.core import Block, Program, Value
from ..ir.effects import EffectAnalysis
from ..ops.registry import OPERATORS


def eliminate_dead_code(program: Program) -> None:
    """Remove dead operations, in place."""
    analysis = EffectAnalysis(program, OPERATORS)
    for function in program.functions.values():
        _sweep(function.block, set(), analysis)
    named = {op.attrs["name"] for op in program.walk() if op.name in ("param", "state.get", "state.set")}
    for table in (program.parameters, program.state):
        for name in [n for n in table if n not in named]:
            del table[name]  # type: ignore[attr-defined]


def _sweep(block: Block, used: set[Value], analysis: EffectAnalysis) -> None:
    kept = []
    for op in reversed(block.ops):
        if not any(r in used for r in op.results) and analysis.can_remove(op):
            continue
        used.update(op.operands)
        for inner in op.blocks:
            _sweep(inner, used, analysis)
        kept.append(op)
    block.ops[:] = reversed(kept)
