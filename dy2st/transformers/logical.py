"""`and`, `or`, `not`: operands after the first are evaluated only where Python would.

    a and b and c    ->    _jst.and_(a, lambda: b, lambda: c)
    not a            ->    _jst.not_(a)
"""

import gast

from . import builders as build
from .base import rewrites
from .container_operators import rewrite_container_operator
from .marks import IS_CONVERTED_OPERATOR
from .walrus import binds_names


def conjunction(values):
    """The rewritten form of `a and b and c`."""
    return values[0] if len(values) == 1 else build.jst_call("and_", values[0], *map(build.thunk, values[1:]))


def disjunction(values):
    """The rewritten form of `a or b or c`."""
    return values[0] if len(values) == 1 else build.jst_call("or_", values[0], *map(build.thunk, values[1:]))


@rewrites(gast.BoolOp)
def rewrite_bool_op(node):
    if any(binds_names(value) for value in node.values[1:]):
        return node      # the name would be bound in the lambda: only inside lambdas and comprehensions, see `walrus`
    if isinstance(node.op, gast.And):
        return conjunction(node.values)
    return disjunction(node.values)


@rewrites(gast.UnaryOp)
def rewrite_not(node: gast.UnaryOp) -> gast.expr:
    if isinstance(node.op, gast.Not):
        return build.jst_call("not_", node.operand)
    return rewrite_container_operator(node) if IS_CONVERTED_OPERATOR.of(node) else node
