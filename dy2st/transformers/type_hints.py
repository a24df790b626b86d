"""Drops the hints of local variables, which Python doesn't evaluate, and those of the function, which its twin takes over.

    a: Tensor = f(x)   ->   a = f(x)
    a: Tensor          ->   (nothing)

Inner functions and class bodies keep theirs.
"""

import gast

from .analysis.scope import parameters
from .base import blocks


def strip_type_hints(function, nodes):
    """Removes the hints of the function, of these nodes, and of the local variables in it and its inner functions."""
    for parameter in parameters(function.args):
        parameter.annotation = None
    if not isinstance(function, gast.Lambda):
        function.returns, function.type_params = None, []
        if any(type(node) is gast.AnnAssign for node in nodes):
            function.body = _strip_block(function.body)


def _strip_block(statements):
    result = []
    for statement in statements:
        if isinstance(statement, gast.AnnAssign):
            result.extend(_plain_assignment(statement))
            continue
        if isinstance(statement, (gast.FunctionDef, gast.AsyncFunctionDef)):
            statement.body = _strip_block(statement.body)
        for block in blocks(statement):
            block[:] = _strip_block(block)
        result.append(statement)
    return result or [gast.copy_location(gast.Pass(), statements[0])]


def _plain_assignment(node):
    if node.value is not None:
        return [gast.copy_location(gast.Assign([node.target], node.value, None), node)]
    if isinstance(node.target, gast.Name):
        return []
    return [gast.copy_location(gast.Expr(part), node) for part in _evaluated_parts(node.target)]


def _evaluated_parts(target):
    if isinstance(target, gast.Attribute):
        return [target.value]
    return [target.value, target.slice]
