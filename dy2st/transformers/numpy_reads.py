"""`x.numpy()` becomes the tensor `x` where only a number or a truth value is needed: a Program has no array.

    if x.numpy()[0] > 0:     ->    if _jst.convert_numpy(x)[0] > 0:
    range(int(n.numpy()))    ->    range(int(_jst.convert_numpy(n)))
"""

import gast

from . import builders as build

NUMBERS = {"int", "float", "bool", "range"}     # built-ins that make numbers of their arguments
TESTS = (gast.If, gast.While, gast.IfExp, gast.Assert)


def read_tensors(nodes):
    """Rewrites, among these nodes, the conditions and the arguments of casts and of `range`."""
    for node in nodes:
        if isinstance(node, TESTS):
            node.test = _as_number(node.test)
        elif isinstance(node, gast.comprehension):
            node.ifs = [_as_number(test) for test in node.ifs]
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in NUMBERS:
            node.args = [_as_number(arg) for arg in node.args]


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
    elif _is_read(node):
        return gast.copy_location(build.jst_call("convert_numpy", node.func.value), node)
    return node


def _is_read(node):
    return (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "numpy"
            and not node.args and not node.keywords)
