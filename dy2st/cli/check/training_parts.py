"""Which parts of a function run in training only: those that `self.training` decides."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def training_parts(function: ast.AST) -> set[int]:
    """The ids of all nodes under `if self.training:`, in the `else` of its opposite, or behind a return in evaluation."""
    found: set[int] = set()
    for node in ast.walk(function):
        for part in _parts(node):
            found.update(map(id, ast.walk(part)))
    return found


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If | ast.IfExp):
        if says_training(node.test):
            yield from _listed(node.body)
        elif _says_evaluation(node.test):
            yield from _listed(node.orelse)
    for statements in (getattr(node, "body", ()), getattr(node, "orelse", ())):
        yield from _behind_a_return(statements if isinstance(statements, list) else [])


def _listed(part: ast.AST | list) -> Iterable[ast.AST]:
    return part if isinstance(part, list) else [part]


def _behind_a_return(statements: list) -> Iterator[ast.AST]:
    for k, statement in enumerate(statements):
        if isinstance(statement, ast.If) and _says_evaluation(statement.test) and isinstance(statement.body[-1], ast.Return):
            yield from statements[k + 1 :]


def says_training(test: ast.AST) -> bool:
    """Whether a condition holds in training only."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(map(says_training, test.values))
    return isinstance(test, ast.Attribute) and test.attr == "training"


def _says_evaluation(test: ast.AST) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and says_training(test.operand)
