"""Operations that have no form in a graph: the operator, the user's line, and what to write instead."""

from __future__ import annotations

from typing import TypeVar

from ...errors import ConversionError
from ...ir.core import Loc, Operation
from ...ir.spoken import spoken_operator
from ...runtime.where.tracebacks import lead_through


class GraphError(ConversionError):
    """A Program that has no form as a graph: names the operator, the user's line and the alternative."""


ErrorType = TypeVar("ErrorType", bound=GraphError)


class InexpressibleError(Exception):
    """A lowering found no form; whoever walks the Program adds the operator and the line."""


class NeedsOpsetError(InexpressibleError):
    """A lowering has a form in a later opset only."""

    def __init__(self, opset: int, what: str):
        super().__init__(f"{what} came with opset {opset}; give opset_version={opset} or more")
        self.opset = opset


def refusal(op: Operation, why: str, target: str, error: type[ErrorType]) -> ErrorType:
    """The error that `op` has no form in the target."""
    return at_line(op.loc, f"{spoken_operator(op.name)} has no form in {target}: {why}", error)


def at_line(loc: Loc | None, why: str, error: type[ErrorType]) -> ErrorType:
    """The error at a line of the user's, where there is one."""
    where = (loc.file, loc.line) if loc else (None, None)
    return lead_through(loc, error(why, *where))
