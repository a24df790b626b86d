"""Comparison chains, and the comparisons that Python computes by itself, where values are known only at run time.

    a < b <= c      ->    _jst.compare(a, "<", lambda: b, "<=", lambda: c)
    a is not b      ->    _jst.is_not(a, b)
    a in b          ->    _jst.in_(a, b)
    a == b          ->    _jst.eq(a, b)          a display or a name may be a list, which Python compares by itself
    a < (b, c)      ->    _jst.compare(a, "<", lambda: (b, c))

A single `<` ... of anything but a display stays, and `==` with a literal number or string: the operands overload it.
"""

import gast

from . import builders as build
from .base import rewrites
from .container_operators import is_literal
from .displays import is_new
from .marks import IS_CONVERTED_OPERATOR
from .walrus import binds_names

SYMBOLS = {gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=", gast.Eq: "==", gast.NotEq: "!=",
           gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in"}
FUNCTIONS = {gast.Is: "is_", gast.IsNot: "is_not", gast.In: "in_", gast.NotIn: "not_in"}
EQUALITY = {gast.Eq: "eq", gast.NotEq: "ne"}


@rewrites(gast.Compare)
def rewrite_compare(node: gast.Compare) -> gast.expr:
    if len(node.ops) == 1:
        is_converted = IS_CONVERTED_OPERATOR.of(node)
        kind, operands = type(node.ops[0]), (node.left, node.comparators[0])
        function = FUNCTIONS.get(kind) or (EQUALITY.get(kind) if is_converted or not any(map(is_literal, operands)) else None)
        if function:
            return build.jst_call(function, *operands)
        if kind in EQUALITY or not (is_converted or any(map(is_display, operands))):
            return node
    if any(binds_names(value) for value in node.comparators):
        return node
    links = [part for op, value in zip(node.ops, node.comparators)
             for part in (build.constant(SYMBOLS[type(op)]), build.thunk(value))]
    return build.jst_call("compare", node.left, *links)


def is_display(node):
    """Whether this is a list, tuple, set or dict written out."""
    return isinstance(node, gast.Tuple) or is_new(node)
