"""`if` becomes two functions and a call that picks one.

    if c:                    def true_fn_0(y):
        y = f(x)                 return f(x)
    else:             ->     def false_fn_0(y):
        y = x                    return x
                             y = _jst.convert_ifelse(c, true_fn_0, false_fn_0, (y,))

A branch in which nothing happens is `None`: the names keep their values.
"""

import gast

from . import builders as build
from .base import locate
from .gast_trees import opened
from .straight import Straight


def if_to_functions(node, plan, names):
    origin = node.test if hasattr(node.test, "lineno") else node      # the test of a guard has no position of its own
    functions = [generated_function(name, plan, part, block, origin)
                 for part, (name, block) in enumerate(zip(names, (node.body, node.orelse))) if not is_empty(block)]
    made = {function.name for function in functions}
    branches = [build.load(name) if name in made else build.constant(None) for name in names]
    result = build.jst_call("convert_ifelse", node.test, *branches, *([values_before(plan)] if plan.carried else []))
    return [*functions, locate(hand_back(plan.carried, result), origin)]


def is_empty(block) -> bool:
    """Whether nothing happens in a block."""
    return all(isinstance(node, gast.Pass) for node in block)


def values_before(plan):
    """`(a, y)`: the values of the carried names before the statement."""
    return gast.Tuple([build.jst("no_value") if name in plan.absent else build.load(name) for name in plan.carried], gast.Load())


def generated_function(name, plan, part, body, origin, leading=()):
    """`def name(leading, carried, kept=kept): nonlocal ...; body; return carried`"""
    declarations = [gast.Nonlocal(plan.nonlocals[part])] if plan.nonlocals[part] else []
    declarations += [gast.Global(plan.globals[part])] if plan.globals[part] else []
    ending = [gast.Return(build.pack(plan.carried))] if plan.carried and plan.arrives[part] else []
    for node in [*declarations, *ending]:
        locate(node, origin)
    body = [node for node in body if not isinstance(node, gast.Pass)]
    body = merge_return([*declarations, *body, *ending], plan.carried)
    return locate(build.function(name, [*leading, *plan.carried], body, plan.kept[part]), origin)


def hand_back(names, value):
    """`a, y = value`, or the plain expression where there are no names."""
    return build.assign(build.pack(names, build.STORE), value) if names else build.statement(value)


def merge_return(body, names):
    """`y = x`, `return y`  ->  `return x`, where `y` is one of these names"""
    if len(body) < 2 or not isinstance(body[-1], gast.Return) or not isinstance(body[-1].value, gast.Name):
        return body
    name, previous = body[-1].value.id, body[-2]
    if name not in names or not _assigns(previous, name):
        return body
    value = opened(previous).value if isinstance(previous, Straight) else previous.value
    return [*body[:-2], locate(gast.Return(value), previous)]


def _assigns(node, name):
    """Whether a statement is an assignment to this name alone."""
    targets = [node.target] if isinstance(node, Straight) else node.targets if isinstance(node, gast.Assign) else []
    return len(targets) == 1 and isinstance(targets[0], gast.Name) and targets[0].id == name
