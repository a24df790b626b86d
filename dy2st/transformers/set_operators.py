"""Operators between sets or dicts, which Python computes without asking either: what the Program knows would be overlooked.

    a - b      ->    _jst.convert_operator("-", a, b)
    a <= b     ->    _jst.convert_compare(a, "<=", lambda: b)

Only in a function that mentions a set (`{a, b}`, `set(...)`, `seen.add(x)`), or for `|` a dict, and not with a literal; elsewhere
they stay.
"""

import gast

from . import templates as t
from .base import walk

SYMBOLS = {gast.Sub: "-", gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^"}
ORDERS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)
METHODS = {"discard", "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"}


def mark_set_operators(function):
    """Notes on each operator whether its operands may be sets."""
    nodes = list(walk(function))
    of_sets = any(map(mentions_a_set, nodes))
    if of_sets or any(map(mentions_a_dict, nodes)):
        for node in nodes:
            if isinstance(node, gast.BinOp):
                may_be = type(node.op) in SYMBOLS if of_sets else isinstance(node.op, gast.BitOr)
                node.may_be_of_sets = may_be and not any(map(is_literal, (node.left, node.right)))
            elif of_sets and isinstance(node, gast.Compare):
                node.may_be_of_sets = isinstance(node.ops[0], ORDERS) and not any(map(is_literal, (node.left, *node.comparators)))


def rewrite_set_operator(node):
    """`_jst.convert_operator("-", a, b)`"""
    return t.jst_call("convert_operator", t.constant(SYMBOLS[type(node.op)]), node.left, node.right)


def may_be_of_sets(node) -> bool:
    """Whether an operator was marked."""
    return getattr(node, "may_be_of_sets", False)


def mentions_a_set(node) -> bool:
    """Whether a node makes a set or changes one."""
    if isinstance(node, gast.Name):
        return node.id in ("set", "frozenset")
    if isinstance(node, gast.Expr):
        return isinstance(node.value, gast.Call) and isinstance(node.value.func, gast.Attribute) and node.value.func.attr == "add"
    return isinstance(node, (gast.Set, gast.SetComp)) or (isinstance(node, gast.Attribute) and node.attr in METHODS)


def mentions_a_dict(node) -> bool:
    """Whether a node makes a dict."""
    return isinstance(node, (gast.Dict, gast.DictComp)) or (isinstance(node, gast.Name) and node.id == "dict")


def is_literal(node) -> bool:
    """Whether this is a number or a string, with or without a sign."""
    return isinstance(node.operand if isinstance(node, gast.UnaryOp) else node, (gast.Constant, gast.JoinedStr))
