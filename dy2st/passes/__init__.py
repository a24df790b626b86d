"""Program -> Program, in place. `print(DEFAULT)` lists what every staged Program goes through, `PASSES` has all passes by name.

passes.run(program, "inline", "loop_invariants")     # by name
passes.run(program)                                  # all that keep every bit, in the order of `EXACT`
"""

from __future__ import annotations

from ..ir.core import Program
from . import (  # noqa: F401
    constants,
    conv_batch_norm,
    dead_code,
    functionalize,
    gradients,
    inline,
    linear,
    loop_invariants,
    merged_products,
    messages,
    shapes,
    simplify,
    slopes,
    subexpressions,
    values,
    weights_in_order,
)
from .base import PASSES, Pass, PassError, Pipeline

__all__ = ["DEFAULT", "EXACT", "PASSES", "Pass", "PassError", "Pipeline", "optimize", "run"]

EXACT = Pipeline.of(
    "exact", "inline", "constants", "simplify", "shapes", "subexpressions", "loop_invariants", "dead_code"
)  # fmt: skip
DEFAULT = Pipeline.of("default", "gradients", "loop_invariants", "dead_code")


def run(program: Program, *passes: str) -> Program:
    """Run the `passes` with these names, or all that keep every bit, on `program` in place; the Program itself is given back.

    PassError: there is no pass of such a name, or the Program lacks what one needs.
    """
    return (Pipeline.of("chosen", *passes) if passes else EXACT).run(program)


def optimize(program: Program) -> Program:
    """What every staged Program goes through: the pipeline `DEFAULT` on `program`, in place; the Program itself is given back."""
    return DEFAULT.run(program, fresh=True)
