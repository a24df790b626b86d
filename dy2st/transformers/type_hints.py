"""Drops annotations, which no generated function could carry.

    a: Tensor = f(x)   ->   a = f(x)
    a: Tensor          ->   (nothing)
"""

import gast

from .base import blocks, walk


def strip_type_hints(function):
    """Removes the annotations of the function and of its inner functions; class bodies keep theirs."""
    for node in walk(function):
        if isinstance(node, gast.Name):
            node.annotation = None
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
            node.returns = None
    if not isinstance(function, gast.Lambda):
        function.type_params = []
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
