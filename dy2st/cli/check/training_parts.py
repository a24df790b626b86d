"""Which parts of a function run in training only: those that `self.training` decides."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

Says = Callable[[ast.AST], bool]


def training_parts(function: ast.AST) -> set[int]:
    """The ids of all nodes under `if self.training:`, in the `else` of its opposite, or behind a return in evaluation."""
    return parts_under(function, says_training, _says_evaluation)


def parts_under(function: ast.AST, says: Says, says_not: Says) -> set[int]:
    """The ids of all nodes that run only where something holds: `says` is true of a condition that asks for it, `says_not`
    of its opposite."""
    found: set[int] = set()
    for node in ast.walk(function):
        for part in _parts(node, says, says_not):
            found.update(map(id, ast.walk(part)))
    return found


def _parts(node: ast.AST, says: Says, says_not: Says) -> Iterator[ast.AST]:
    if isinstance(node, ast.If | ast.IfExp):
        if says(node.test):
            yield from _listed(node.body)
        elif says_not(node.test):
            yield from _listed(node.orelse)
    for statements in (getattr(node, "body", ()), getattr(node, "orelse", ())):
        yield from _behind_a_return(statements if isinstance(statements, list) else [], says_not)


def _listed(part: ast.AST | list) -> Iterable[ast.AST]:
    return part if isinstance(part, list) else [part]


def _behind_a_return(statements: list, says_not: Says) -> Iterator[ast.AST]:
    for k, statement in enumerate(statements):
        if isinstance(statement, ast.If) and says_not(statement.test) and isinstance(statement.body[-1], ast.Return):
            yield from statements[k + 1 :]


def says_training(test: ast.AST) -> bool:
    """Whether a condition holds in training only."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(map(says_training, test.values))
    return isinstance(test, ast.Attribute) and test.attr == "training"


def _says_evaluation(test: ast.AST) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and says_training(test.operand)
