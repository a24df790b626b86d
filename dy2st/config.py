"""The version, and the limits that decide when staging stops unrolling.

Each limit can be changed by assigning to `limits`, or for a whole process by an environment variable `DY2ST_<NAME>`, for
example `DY2ST_UNROLL_OPERATIONS=1000`. Nothing here changes what a model computes, only how large its Program gets.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields

VERSION = "0.1.0"


@dataclass
class Limits:
    """How far staging goes before it generalises.

    unroll_operations: a Python loop that has recorded more operations than this goes on as a staged loop.
    recursion_depth: a recursion that is this many calls deep while it is staged goes on as a Function of the Program.
    """

    unroll_operations: int = 20_000
    recursion_depth: int = 64


def read_limits(environment: dict[str, str] | os._Environ[str]) -> Limits:
    """The default limits with what `environment` overrides; ValueError names a variable that is no positive integer."""
    found = Limits()
    for field in fields(Limits):
        variable = f"DY2ST_{field.name.upper()}"
        if variable in environment:
            setattr(found, field.name, _positive(variable, environment[variable]))
    return found


def _positive(variable: str, text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise ValueError(f"{variable} must be a positive integer, not {text!r}")
    return int(text)


limits = read_limits(os.environ)
