"""What never runs in a Program: that which asks torch.jit.is_scripting() and the like, whose answers are known."""

from __future__ import annotations

import ast

from ..naming.pytorch import is_imported
from .names import Names
from .training_parts import parts_under


def dead_parts(function: ast.AST, names: Names) -> set[int]:
    """The ids of all nodes that such an answer keeps from running."""
    if not is_imported():
        return set()
    return parts_under(function, lambda test: _truth(test, names) is False, lambda test: _truth(test, names) is True)


def _truth(test: ast.AST, names: Names) -> bool | None:
    """What a condition is; None: that isn't known."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        truth = _truth(test.operand, names)
        return None if truth is None else not truth
    if isinstance(test, ast.BoolOp):
        ends = isinstance(test.op, ast.Or)  # with the first that is so
        truths = [_truth(part, names) for part in test.values]
        return ends if ends in truths else None if None in truths else not ends
    if isinstance(test, ast.Call) and callable(function := names.value(test.func)):
        from ...torch.lacking import answer

        return answer(function)
    return None
