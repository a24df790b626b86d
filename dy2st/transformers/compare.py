"""Comparison chains, and the comparisons that have no overloadable operator.

    a < b <= c      ->    _jst.convert_compare(a, "<", lambda: b, "<=", lambda: c)
    a is not b      ->    _jst.convert_is_not(a, b)
    a in b          ->    _jst.convert_in(a, b)

A single `<`, `==` ... stays: the operands overload it.
"""

import gast

from . import templates as t
from .base import rewrites
from .walrus import binds_names

SYMBOLS = {gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=", gast.Eq: "==", gast.NotEq: "!=",
           gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in"}
FUNCTIONS = {gast.Is: "convert_is", gast.IsNot: "convert_is_not", gast.In: "convert_in", gast.NotIn: "convert_not_in"}


@rewrites(gast.Compare)
def rewrite_compare(node):
    if len(node.ops) == 1:
        function = FUNCTIONS.get(type(node.ops[0]))
        return t.jst_call(function, node.left, node.comparators[0]) if function else node
    if any(binds_names(value) for value in node.comparators):
        return node
    links = [part for op, value in zip(node.ops, node.comparators)
             for part in (t.constant(SYMBOLS[type(op)]), t.thunk(value))]
    return t.jst_call("convert_compare", node.left, *links)
