"""Paths of a Program that fail whatever its inputs are: a method that there is none of, a name that nothing binds.

Plain Python says so only when it gets there, and so does the Program. But staging has been there, and tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...errors import Dy2stWarning
from ...ir.core import Loc, Operation, Program
from ..where.warn import warn_at

_TOLD = {"NameError", "AttributeError", "TypeError", "ShapeError", "DTypeError"}


@dataclass(frozen=True)
class FailingPath:
    """A line that raises by itself, not by a `raise` of the user's.

    error: what, with its message. is_certain: whoever gets there fails; else only where a name has no value.
    """

    loc: Loc | None
    error: str
    is_certain: bool


def failing_paths(program: Program, failures: dict[Operation, str]) -> list[FailingPath]:
    """The failing paths of a Program, but for those whose failure a `try` may catch.

    failures: what Operations that raise stand for, where it isn't a `raise` of the user's.
    """
    return [path for op in program.walk() if op in failures for path in _path(op, failures[op])]


def _path(op: Operation, error: str) -> Iterator[FailingPath]:
    around = list(_around(op))
    kind = error.partition(":")[0]
    if not around or any(outer.name == "try" for outer in around):
        return
    by_kind = any(outer.name == "if" and _asks_for_kind(outer) for outer in around)
    if (kind in _TOLD and not by_kind) or kind == "UnboundLocalError":
        yield FailingPath(op.loc, error, not by_kind)


def tell(paths: list[FailingPath]) -> None:
    """Warn of the paths that are certain to fail."""
    for path in paths:
        if path.is_certain:
            warn_at(path.loc, f"this path raises {path.error}, whatever the inputs are: mend it, or leave it out", Dy2stWarning)


def _around(op: Operation) -> Iterator[Operation]:
    """The Operations in whose Blocks another stands, the innermost first."""
    outer = None if op.parent is None else op.parent.parent
    while isinstance(outer, Operation):
        yield outer
        outer = None if outer.parent is None else outer.parent.parent


def _asks_for_kind(branch: Operation) -> bool:
    """Whether an `if` asks which of several kinds a value is of: the path may be one that never comes."""
    test = branch.operands[0].owner
    asked = [v.owner for v in test.operands] if isinstance(test, Operation) else []
    return any(isinstance(op, Operation) and op.name in ("sum.tag", "py.isinstance") for op in (test, *asked))
