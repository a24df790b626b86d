"""`if` becomes two functions and a call that picks one.

    if c:                    def true_fn_0(y):
        y = f(x)                 y = f(x)
    else:                        return y
        y = x         ->     def false_fn_0(y):
                                 y = x
                                 return y
                             y = _jst.convert_ifelse(c, true_fn_0, false_fn_0, (y,))
"""

import gast

from . import builders as build
from .base import locate


def if_to_functions(node, plan, names, generated):
    origin = node.test if hasattr(node.test, "lineno") else node      # the test of a guard has no position of its own
    functions = [generated_function(name, plan, part, block, generated, origin)
                 for part, (name, block) in enumerate(zip(names, (node.body, node.orelse)))]
    result = build.jst_call("convert_ifelse", node.test, *(build.load(name) for name in names), values_before(plan))
    return [*functions, locate(hand_back(plan.carried, result), origin)]


def values_before(plan):
    """`(a, y)`: the values of the carried names before the statement."""
    return gast.Tuple([build.jst("no_value") if name in plan.absent else build.load(name) for name in plan.carried], gast.Load())


def generated_function(name, plan, part, body, generated, origin, leading=()):
    """`def name(leading, carried, kept=kept): nonlocal ...; body; return carried`"""
    declarations = [gast.Nonlocal(plan.nonlocals[part])] if plan.nonlocals[part] else []
    declarations += [gast.Global(plan.globals[part])] if plan.globals[part] else []
    ending = [gast.Return(build.pack(plan.carried))] if plan.carried and plan.arrives[part] else []
    for node in [*declarations, *ending]:
        locate(node, origin)
    body = [node for node in body if not isinstance(node, gast.Pass)]
    body = merge_return([*declarations, *body, *ending], generated)
    return locate(build.function(name, [*leading, *plan.carried], body, plan.kept[part]), origin)


def hand_back(names, value):
    """`a, y = value`, or the plain expression where there are no names."""
    return build.assign(build.pack(names, build.STORE), value) if names else build.statement(value)


def merge_return(body, generated):
    """`return_value_0 = x`, `return return_value_0`  ->  `return x`"""
    if len(body) < 2 or not isinstance(body[-1], gast.Return) or not isinstance(body[-1].value, gast.Name):
        return body
    name, previous = body[-1].value.id, body[-2]
    if name in generated and isinstance(previous, gast.Assign) and _is_name(previous.targets, name):
        return [*body[:-2], locate(gast.Return(previous.value), previous)]
    return body


def _is_name(targets, name):
    return len(targets) == 1 and isinstance(targets[0], gast.Name) and targets[0].id == name
