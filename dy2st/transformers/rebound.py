"""The names that the body of a loop surely rebinds to another value, each time that it runs to its end.

    def while_body_0(i, x, y):        {"while_body_0": {"i": COUNTED, "x": COMPUTED}}
        x = x * y
        if ...: y = ...
        i += 1
        return i, x, y

Staging starts from there, instead of finding out by staging the body with the values before the loop. A name that an inner loop
is the last to bind has the name of that loop's body: it changes if that loop is staged.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from .base import FUNCTIONS, blocks, walk
from .builders import store
from .straight import Straight

COUNTED = "counted"      # bound once, to itself and a number other than 0
COMPUTED = "computed"      # the result of an operator: of a tensor, another tensor


def rebound_names(function) -> dict[str, dict[str, str | None]]:
    """For the body of each loop in a rewritten function, by its name: the names that it rebinds, and how."""
    by_body: dict[str, dict[str, str | None]] = {}
    pending = [function.body] if isinstance(function.body, list) else []
    while pending:
        statements = pending.pop()
        functions = {}
        for node in statements:
            pending.extend(blocks(node))
            if isinstance(node, gast.FunctionDef):
                functions[node.name] = node
                pending.append(node.body)
            body = _body_of_loop(node)
            if body is not None and body in functions:
                by_body[body] = _rebound(_with_result(functions[body]))
    return by_body


def _with_result(body: gast.FunctionDef) -> list[gast.stmt]:
    """The statements of a loop's body; a result that it returns at once is bound to the only name that it hands back."""
    *statements, last = body.body
    carried = body.args.args[: len(body.args.args) - len(body.args.defaults)]
    if len(carried) != 1 or not isinstance(last, gast.Return) or _is_name(last.value, carried[0].id):
        return body.body
    return [*statements, gast.Assign([store(carried[0].id)], last.value, None)]


def _rebound(statements) -> dict[str, str | None]:
    """The names that these statements bind, and how the last of them does."""
    last: dict[str, str | None] = {}
    for node in statements:
        for name, how in _bound_by(node):
            last[name] = COMPUTED if how == COUNTED and name in last else how
    return last


def _bound_by(node):
    """The names that a statement binds, and how."""
    if isinstance(node, Straight):
        yield node.target.id, _how_straight(node)
    elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        yield node.target.id, COUNTED if _is_step(node.op, node.value) else COMPUTED
    elif not isinstance(node, FUNCTIONS):
        how = _how_assigned(node)
        yield from ((name.id, how) for name in walk(node) if isinstance(name, gast.Name) and isinstance(name.ctx, gast.Store))


def _how_straight(node: Straight) -> str | None:
    value = node.statement.value
    return _how_computed(value, node.target) if isinstance(value, ast.BinOp) else None


def _how_assigned(node) -> str | None:
    value = getattr(node, "value", None) if isinstance(node, gast.Assign) else None
    if isinstance(value, gast.BinOp):
        return _how_computed(value, node.targets[-1])
    return COMPUTED if _called(value) == "augmented" else _body_of_loop(node)


def _how_computed(value: Any, target: Any) -> str:
    """How a target is bound to the result of an operator."""
    return COUNTED if _is_name(value.left, getattr(target, "id", None)) and _is_step(value.op, value.right) else COMPUTED


def _is_name(node, name) -> bool:
    return isinstance(node, (ast.Name, gast.Name)) and node.id == name


def _is_step(operator, value) -> bool:
    """Whether adding or taking away this changes every int."""
    kinds = (ast.Add, ast.Sub, gast.Add, gast.Sub)
    return isinstance(operator, kinds) and isinstance(value, (ast.Constant, gast.Constant)) and (
        type(value.value) is int and value.value != 0)


def _body_of_loop(node) -> str | None:
    """The name of the loop's body, where a statement is the call that runs a loop."""
    value: Any = getattr(node, "value", None)
    return value.args[1].id if _called(value) == "convert_while_loop" else None


def _called(value) -> str | None:
    """Which function of `_jst` an expression calls."""
    return value.func.attr if isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) else None
