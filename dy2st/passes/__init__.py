"""Program -> Program. `PIPELINE` is what every staged Program goes through, in order; each result is verified."""

from __future__ import annotations

from ..ir.core import Program
from ..ir.verify import verify
from ..ops.registry import OPERATORS
from .dead_code import eliminate_dead_code

PIPELINE = (eliminate_dead_code,)


def optimize(program: Program) -> Program:
    """Run the pipeline in place; the Program itself is given back."""
    for run in PIPELINE:
        run(program)
        verify(program, OPERATORS)
    return program
