"""What Python would raise in the middle of a graph: a check writes down that it fails, and the model's output `error` tells it.

A graph can't stop. So a check gives a number, its code: its own where it fails, else FINE. Checks are numbered in the order in
which they run, so the least code is that of the exception that Python would raise. What is computed after it is never looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ir.core import Loc

FINE = 2**31 - 1  # above the number of any check


@dataclass(frozen=True)
class Detail:
    """Stands for what the model computes for a message: the output of the role "detail" of this number."""

    number: int


@dataclass(frozen=True)
class ErrorEntry:
    """An exception that a model may tell of by its place in `Lowered.errors`, counted from 1.

    exception: the name of its class. arguments: what that is called with, constants or Details. loc: the user's line.
    bases: the names of the classes above it, up to one of Python's own. fields: attributes that its `__init__` has set.
    leaves: whether state and arguments come out as Python leaves them, as at a `raise`. A check knows nothing of them: what comes
        out is as if nothing had failed.
    """

    exception: str
    arguments: tuple[Any, ...] = ()
    loc: Loc | None = None
    bases: tuple[str, ...] = ()
    fields: tuple[tuple[str, Any], ...] = ()
    leaves: bool = False
