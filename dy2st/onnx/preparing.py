"""What a Program goes through before it is lowered: no writes, no heap, no calls; then less of it."""

from __future__ import annotations

from ..ir.core import Program
from ..passes import run
from ..passes.copying import copied
from ..passes.functionalize import functionalize_program

_SMALLER = ("shapes", "constants", "simplify", "subexpressions", "dead_code", "shapes")


def prepared(program: Program) -> Program:
    """A copy of a Program in which nothing is written in place, made as small as passes make it.

    FunctionalizeError, at the user's line: it can't be told whose memory is written.
    """
    pure = functionalize_program(run(copied(program), "inline"), "mutations_and_views", lift=True)
    return run(pure, *_SMALLER)
