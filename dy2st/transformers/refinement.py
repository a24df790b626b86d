"""A variable that was checked against None isn't None where the check says so (in script, where it has a type).

    if x is not None and x > 0:          if x is not None and _jst.refined(x) > 0:
        y = x + 1                   ->       x = _jst.refined(x)
                                             y = x + 1

    if x is None:                        if x is None:
        x = 1                            ->      x = 1
                                         else:
                                             x = _jst.refined(x)

    assert x is not None            ->   assert x is not None
                                         x = _jst.refined(x)

Only a check that stands in the condition itself says anything, and only of a local variable.
"""

import gast

from . import builders as build
from .base import blocks, children, walk


def refine_checked(function):
    """Rewrites the conditions of one function, and what they guard."""
    if isinstance(function, gast.Lambda):
        return
    stored = {node.id for node in walk(function) if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}
    _statements(function.body, stored)


def _statements(statements, local):
    for node in list(statements):
        for inner in blocks(node):
            _statements(inner, local)
        for part in (part for child in children(node) if isinstance(child, gast.expr) for part in walk(child)):
            if isinstance(part, gast.BoolOp):
                _operands(part, local)
            elif isinstance(part, gast.IfExp):
                _replace(part, "body", not_none(part.test, True) & local)
                _replace(part, "orelse", not_none(part.test, False) & local)
        if isinstance(node, (gast.If, gast.While)):
            node.body[:0] = _assignments(not_none(node.test, True) & local, node)
        if isinstance(node, gast.If):
            node.orelse[:0] = _assignments(not_none(node.test, False) & local, node)
        if isinstance(node, gast.Assert):
            at = next(i for i, each in enumerate(statements) if each is node) + 1
            statements[at:at] = _assignments(not_none(node.test, True) & local, node)


def not_none(test, truth):
    """The names that aren't None where `test` is true (or false)."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return not_none(test.operand, not truth)
    if isinstance(test, gast.BoolOp):
        parts = [not_none(value, truth) for value in test.values]
        return set.union(*parts) if isinstance(test.op, gast.And) is truth else set.intersection(*parts)
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and isinstance(test.left, gast.Name):
        against = test.comparators[0]
        says_none = isinstance(test.ops[0], (gast.Is, gast.Eq))
        says_other = isinstance(test.ops[0], (gast.IsNot, gast.NotEq))
        if isinstance(against, gast.Constant) and against.value is None and (says_other if truth else says_none):
            return {test.left.id}
    return set()


def _operands(node, local):
    """Each operand is evaluated where the ones before it were true (`and`) or false (`or`)."""
    known: set = set()
    for position, value in enumerate(node.values):
        if known:
            node.values[position] = _with_refined(value, known)
        known |= not_none(value, isinstance(node.op, gast.And)) & local


def _replace(node, field, names):
    if names:
        setattr(node, field, _with_refined(getattr(node, field), names))


class _Refiner(gast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        if node.id in self.names and isinstance(node.ctx, gast.Load):
            return gast.copy_location(build.jst_call("refined", node), node)
        return node

    def visit_Lambda(self, node):
        return node

    def visit_Call(self, node):
        if isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name) and node.func.value.id == build.JST:
            return node
        return self.generic_visit(node)


def _with_refined(expression, names):
    return _Refiner(names).visit(expression)


def _assignments(names, at):
    return [gast.copy_location(build.assign(name, build.jst_call("refined", build.load(name))), at) for name in sorted(names)]
