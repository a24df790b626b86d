"""`x.numpy()` becomes the tensor `x` where only numbers are taken from it: a Program has no array.

    if x.numpy()[0] > 0:            ->    if _jst.numpy(x)[0] > 0:
    range(int(n.numpy()))           ->    range(int(_jst.numpy(n)))
    x.numpy().item()                ->    _jst.numpy(x).item()
    for v in enumerate(x.numpy())   ->    for v in enumerate(_jst.numbers_of(x))
    k = x.numpy()[0]                ->    k = _jst.number_of(x, 0)
"""

import gast

from . import builders as build
from .base import children

NUMBERS = {"int", "float", "bool", "range"}     # built-ins that make numbers of their arguments
ITEMS = {"enumerate", "zip", "list", "tuple", "sorted", "reversed", "sum", "min", "max"}   # that take items one by one
TESTS = (gast.If, gast.While, gast.IfExp, gast.Assert)
LOOPS = (gast.For, gast.comprehension)
AS_NUMBERS = {"item", "tolist"}                             # methods whose result has no array
REDUCTIONS = {"item", "max", "min", "sum", "any", "all"}    # that give a number


def read_tensors(function, nodes):
    """Rewrites, among these nodes: conditions, the arguments of casts and of `range`, loops and items."""
    for node in nodes:
        if isinstance(node, TESTS):
            node.test = _as_number(node.test)
        elif isinstance(node, gast.comprehension):
            node.ifs = [_as_number(test) for test in node.ifs]
        elif _is_call_of(node, NUMBERS):
            node.args = [_as_number(arg) for arg in node.args]
    _take_items(function)


def _as_number(node):
    """The form of an expression whose value is only compared, or made a number of."""
    if isinstance(node, gast.Subscript):
        node.value = _as_number(node.value)
    elif isinstance(node, gast.Compare):
        node.left, node.comparators = _as_number(node.left), [_as_number(x) for x in node.comparators]
    elif isinstance(node, gast.BoolOp):
        node.values = [_as_number(x) for x in node.values]
    elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        node.operand = _as_number(node.operand)
    elif _is_method(node, REDUCTIONS) and not node.args and not node.keywords:
        node.func.value = _as_number(node.func.value)
    elif _is_read(node):
        return _call("numpy", node)
    return node


def _take_items(node):
    """Rewrites what is left below a node: reads of which only items are asked."""
    for child in children(node):
        _take_items(child)
    if isinstance(node, LOOPS) and _is_read(node.iter):
        node.iter = _call("numbers_of", node.iter)
    elif _is_call_of(node, ITEMS):
        node.args = [_call("numbers_of", arg) if _is_read(arg) else arg for arg in node.args]
    elif _is_method(node, AS_NUMBERS):
        node.func.value = _as_number(node.func.value)
    elif not isinstance(node, gast.Attribute):      # a number has other attributes than an array's item
        for field, value in list(gast.iter_fields(node)):
            if _is_item(value):
                setattr(node, field, _item(value))
            elif isinstance(value, list):
                setattr(node, field, [_item(each) if _is_item(each) else each for each in value])


def _is_item(node):
    """Whether this is `x.numpy()[i]`, with one index."""
    return (isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Load) and _is_read(node.value)
            and not isinstance(node.slice, (gast.Slice, gast.Tuple)))


def _item(node):
    return gast.copy_location(build.jst_call("number_of", node.value.func.value, node.slice), node)


def _call(name, read):
    """`_jst.name(x)` in place of `x.numpy()`."""
    return gast.copy_location(build.jst_call(name, read.func.value), read)


def _is_call_of(node, names):
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in names


def _is_method(node, names):
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in names


def _is_read(node):
    return _is_method(node, {"numpy"}) and not node.args and not node.keywords
