"""Assignments that no transformer changes: arithmetic on names and numbers, `x = x * 0.5 - 1`.

The analyses ask only which names it reads and which one it binds, so its tree isn't converted. The rewritten tree holds the
statement of the user's tree itself.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from .builders import load, store

NUMBERS = {int, float, complex, bool, type(None)}
ARITHMETIC = {ast.Add, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult}


class Straight(gast.stmt):
    """`statement`, seen from outside: the names that it reads, in order of evaluation, then the one that it binds."""

    _fields = ("target", "reads")
    statement: ast.Assign


def _seen_from_outside(statement: ast.Assign, target: str, reads: list[str]) -> Straight:
    node = Straight.__new__(Straight)
    node.__dict__.update(
        statement=statement, target=store(target), reads=[load(read) for read in reads],
        lineno=statement.lineno, col_offset=statement.col_offset,
        end_lineno=statement.end_lineno, end_col_offset=statement.end_col_offset)
    return node


def straight(node: ast.Assign) -> Straight | None:
    """The assignment as a Straight one, if it is of that kind."""
    if len(node.targets) != 1 or type(target := node.targets[0]) is not ast.Name or type(node.value) is ast.Name:
        return None
    reads = _names_read(node.value)
    if reads is None or any(name.startswith("__") for name in (target.id, *reads)):      # a private name may be mangled
        return None
    return _seen_from_outside(node, target.id, reads)


def _names_read(expression: ast.expr) -> list[str] | None:
    """The names in an expression, if that is arithmetic."""
    names: list[str] = []
    pending = [expression]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.Name:
            names.append(node.id)  # type: ignore[attr-defined]
        elif kind is ast.BinOp and _is_arithmetic(node):
            pending += node.right, node.left  # type: ignore[attr-defined]
        elif kind is ast.UnaryOp and type(node.op) is not ast.Not:  # type: ignore[attr-defined]
            pending.append(node.operand)  # type: ignore[attr-defined]
        elif kind is not ast.Constant or type(node.value) not in NUMBERS:  # type: ignore[attr-defined]
            return None
    return names


def _is_arithmetic(node: Any) -> bool:
    """Whether this operator stays as it is: two names may be sets, from which `-` takes, and a text has `%`."""
    kind = type(node.op)
    return kind in ARITHMETIC or (kind is ast.Sub and ast.Constant in (type(node.left), type(node.right)))
