"""Leave out what only a gradient would need.

    %0 = greater_than %a, %b : bool[3]
    %1 = with_slope %value, %a, %0 : float32[3]      ->      %1 = assign %value : float32[3]

    %0 = before_write %x : float32[3]
    %1 = tanh %0 : float32[3]                                %1 = tanh %x : float32[3]
    copy_result_ %x, %1                                      copy_ %x, %1

1. The copy stays, since what it gives may be written in place.
2. `before_write` is read before the write alone, and nothing else holds the operand of `saving`: both are their operand.
3. `undifferentiated` is a copy of the Program, also without what slopes were computed of.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir.core import Operation, Program
from .base import program_pass
from .copying import copied
from .dead_code import dead_code
from .rewriter import Instead, Rewriter, renewed

_ITSELF = ("before_write", "saving")
_COPIES = {"with_slope": ("assign", 1), "copy_result_": ("copy_", 2)}  # the operator that is left, and its operands


@program_pass()
def slopes(program: Program) -> bool:
    """Forget the gradients that are said beside values: the Program runs, and isn't differentiated from here on."""
    return _Slopes().run(program)


class _Slopes(Rewriter):
    def visit(self, op: Operation) -> Instead | None:
        if op.name in _ITSELF:
            return Instead(op.operands[:1], [])
        if op.name not in _COPIES:
            return None
        name, count = _COPIES[op.name]
        made = renewed(op, name, op.operands[:count], {})
        return Instead(made.results, [made])


def undifferentiated(program: Program) -> Program:
    """The Program as it runs where no gradient is asked for; itself where that makes no difference."""
    if not any(op.name in _COPIES or op.name in _ITSELF for op in program.walk()):
        return program
    made = copied(program)
    slopes(made)
    dead_code(made)
    return replace(made, parameters=program.parameters, state=program.state)  # whoever runs it knows all of these
