"""Drops annotations, which no generated function could carry.

    a: Tensor = f(x)   ->   a = f(x)
    a: Tensor          ->   (nothing)
"""

import gast

from .base import blocks


def strip_type_hints(function, nodes):
    """Removes the annotations of the function, of these nodes, and of its inner functions; class bodies keep theirs."""
    assigned = False
    for node in nodes:
        kind = type(node)
        if kind is gast.Name:
            node.annotation = None
        elif kind in (gast.FunctionDef, gast.AsyncFunctionDef):
            node.returns = None
        elif kind is gast.AnnAssign:
            assigned = True
    if not isinstance(function, gast.Lambda):
        function.type_params = []
        function.body = _strip_block(function.body) if assigned else function.body


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
