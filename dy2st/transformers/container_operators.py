"""Operators between containers: Python computes them by itself, and would overlook what only the Program knows.

    a - b      ->    _jst.operator("-", a, b)
    a <= b     ->    _jst.compare(a, "<=", lambda: b)
    -a         ->    _jst.unary("-", a)

Not with a literal, and only in a function that mentions a set: `{a, b}`, `set(...)`, `seen.add(x)`; `|` also in one that mentions
a dict; an order also of a name that is bound to a tuple or list display. Elsewhere they stay, unless the rewriting is `careful`:
of "containers" when a set is known to come in from elsewhere, and all of them are converted; of "objects" when a class of the
user's has operators that read what only the Program knows: then all operators are. So are all unpackings (`iterables.py`).
"""

import gast

from . import builders as build
from .marks import CAREFUL_UNPACKING, IS_CONVERTED_OPERATOR
from .straight import Straight

SYMBOLS = {gast.Sub: "-", gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^"}
OTHERS = {gast.Add: "+", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//", gast.Mod: "%", gast.Pow: "**", gast.MatMult: "@",
          gast.LShift: "<<", gast.RShift: ">>"}
UNARY = {gast.USub: "-", gast.UAdd: "+", gast.Invert: "~"}
ORDERS = (gast.Lt, gast.LtE, gast.Gt, gast.GtE)
DISPLAYS = (gast.Tuple, gast.List)
METHODS = {"discard", "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"}


def mark_container_operators(nodes: list[gast.AST], careful: str) -> None:
    """Marks the operators among the nodes of a function whose operands may be containers."""
    nodes = [node for node in nodes if type(node) is not Straight]
    of_sets, of_dicts = careful or any(map(mentions_a_set, nodes)), any(map(mentions_a_dict, nodes))
    sequences = {name for node in nodes for name in names_of_displays(node)}
    for node in nodes:
        if careful == "objects" and isinstance(node, OPERATORS):
            IS_CONVERTED_OPERATOR.set(node, not all(map(is_literal, operands_of(node))))
            continue
        if isinstance(node, gast.BinOp):
            may_be = of_sets or (of_dicts and isinstance(node.op, gast.BitOr))
            operands, kinds, operator = (node.left, node.right), tuple(SYMBOLS), node.op
        elif isinstance(node, gast.Compare):
            operands, kinds, operator = (node.left, *node.comparators), ORDERS, node.ops[0]
            may_be = of_sets or any(isinstance(operand, gast.Name) and operand.id in sequences for operand in operands)
        else:
            if careful and isinstance(node, (gast.Assign, gast.For)):
                CAREFUL_UNPACKING.set(node, True)
            continue
        is_converted = may_be and isinstance(operator, kinds) and not any(map(is_literal, operands))
        IS_CONVERTED_OPERATOR.set(node, is_converted)


OPERATORS = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.AugAssign)


def operands_of(node):
    """The operands of an operator."""
    if isinstance(node, gast.UnaryOp):
        return [node.operand]
    if isinstance(node, gast.AugAssign):
        return [node.target, node.value]
    return [node.left, node.right] if isinstance(node, gast.BinOp) else [node.left, *node.comparators]


def names_of_displays(node):
    """The names that an assignment binds to tuple or list displays."""
    pairs = [(target, node.value) for target in node.targets] if isinstance(node, gast.Assign) else []
    for target, value in pairs:
        if isinstance(value, DISPLAYS):
            if isinstance(target, gast.Name):
                yield target.id
            elif isinstance(target, DISPLAYS):
                pairs.extend(zip(target.elts, value.elts))


def rewrite_container_operator(node):
    """`_jst.operator("-", a, b)`, `_jst.unary("-", a)`"""
    if isinstance(node, gast.UnaryOp):
        return build.jst_call("unary", build.constant(UNARY[type(node.op)]), node.operand)
    return build.jst_call("operator", build.constant((SYMBOLS | OTHERS)[type(node.op)]), node.left, node.right)


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
    """Whether this is a number or a string, with or without a sign; a string may have values put into it."""
    return isinstance(node, gast.JoinedStr) or is_constant(node)


def is_constant(node) -> bool:
    """Whether this is a number or a string that is written out, with or without a sign."""
    return isinstance(node.operand if isinstance(node, gast.UnaryOp) else node, gast.Constant)
