"""Exceptions in the middle of a graph: a check records that it fails, and the model's output `error` reports it.

A graph can't stop. So a check gives a number, its code: its own where it fails, else FINE. Checks are numbered in the order in
which they run, so the least code is that of the exception that Python would raise. What is computed after it is never looked at.

No check is needed for what the runtime checks as well, an index beyond a tensor, shapes that don't fit: the run fails at a node,
whose name tells the operation. A `Failure` says what Python raises there.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

from ...ir.core import Loc, Operation
from ...ops.registry import OPERATORS
from ...ops.torch_errors import of_operation
from ...passes.values.reraising import Reraised, raisers

FINE = 2**31 - 1  # above the number of any check


@dataclass(frozen=True)
class Detail:
    """Stands for what the model computes for a message: the output of the role "detail" of this number."""

    number: int


@dataclass(frozen=True)
class ErrorEntry:
    """An exception that a model may tell of by its place in `Lowered.errors`, counted from 1.

    exception: the name of its class. arguments: what that is called with, constants, Details or a MadeText of such.
    loc: the user's line.
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


_BY_VALUE = frozenset("Gather GatherElements GatherND Range ScatterElements ScatterND".split())  # fail at a value, not at a shape
_OF_SHAPES = ("ShapeError", "RuntimeError")  # the latter in models of torch's
OF_LENGTHS = "Lengths"  # stands in names before the operators of nodes that check the lengths of a tensor


@dataclass(frozen=True)
class Failure:
    """The exception that Python raises where a node of an operation fails.

    exceptions: the names of the classes that the operation may raise, in order. loc: the user's line. after: how many of
    `Lowered.checks` come before it. instead: what handlers around raise instead, by the names of the classes.
    """

    exceptions: tuple[str, ...]
    loc: Loc | None
    after: int = 0
    instead: tuple[tuple[str, str], ...] = ()

    def exception(self, kind: str) -> str | None:
        """The class where the failing node has this kind, an operator of ONNX's; None where nobody can tell."""
        name = self._own(kind)
        return dict(self.instead).get(name, name) if name else None

    def _own(self, kind: str) -> str | None:
        """The class that the operation itself raises."""
        of_shapes = [name for name in self.exceptions if name in _OF_SHAPES]
        if len(self.exceptions) > 1 and of_shapes and kind not in _BY_VALUE:
            return of_shapes[0]
        own = self.exceptions if len(self.exceptions) == 1 else [name for name in self.exceptions if name not in of_shapes]
        return own[0] if len(own) == 1 else None


def failure_of(op: Operation, errors: str = "", around: tuple[Reraised, ...] = ()) -> Failure | None:
    """The exception that Python raises where a node of `op` fails; None where it raises nothing. errors: of the Program.

    around: handlers that raise something else.
    """
    names = OPERATORS[op.name].may_raise(op) if op.name in OPERATORS else frozenset()
    names = frozenset(of_operation(op, name) for name in names) if errors else names
    raised = {name: [*raisers(around, name)] for name in names}
    instead = {name: _known(handlers[-1].bases) for name, handlers in raised.items() if handlers}
    return Failure(tuple(sorted(names)), op.loc, instead=tuple(sorted(instead.items()))) if names else None


def _known(bases: tuple[str, ...]) -> str:
    """The first class that Python itself has: of a node, a file tells one name."""
    return next((name for name in bases if hasattr(builtins, name)), "Exception")
