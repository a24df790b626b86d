"""Hand-built Programs, one or more for each type and each core operation, with what calling them gives.

    for case in CASES:
        program = case.build()
        for call in case.calls():           # on one running Program, in order: state lives on between calls
            ... run(*call.inputs) == call.expected, or raises call.raises

Inputs and results are in native form (`docs/architecture/program.md`). Nothing here depends on an engine.
"""

from ir import flow_programs, value_programs  # noqa: F401  (they register their cases)
from ir.cases import CASES, Call, Case, Raises

__all__ = ["CASES", "Call", "Case", "Raises", "by_name"]


def by_name(name: str) -> Case:
    """The case called `name`."""
    return next(c for c in CASES if c.name == name)
