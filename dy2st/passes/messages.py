"""Leave out what a Program says, and the texts that are made for it alone: a graph has nobody to tell it to.

    %0 = str.percent %n, template="%d rows" : str
    io.log %0, logger="model", level=30                 ->      (nothing)

1. A message to `logging` or `warnings` goes.
2. What makes a text that nobody reads goes, too, though it might raise.
"""

from __future__ import annotations

from ..ir.core import Block, Program, Value
from .base import program_pass

_MESSAGES = ("io.log", "io.warn")
_TEXTS = ("str.", "py.str", "py.repr", "py.spell")


@program_pass()
def messages(program: Program) -> bool:
    """Forget messages to `logging` and `warnings`; what is printed stays."""
    if not any(op.name in _MESSAGES for op in program.walk()):
        return False
    used: set[Value] = set()
    for function in program.functions.values():
        _sweep(function.block, used)
    return True


def _sweep(block: Block, used: set[Value]) -> None:
    kept = []
    for op in reversed(block.ops):
        is_unread = op.name.startswith(_TEXTS) and used.isdisjoint(op.results)
        if op.name in _MESSAGES or is_unread:
            continue
        used.update(op.operands)
        for inner in op.blocks:
            _sweep(inner, used)
        kept.append(op)
    block.ops[:] = reversed(kept)
