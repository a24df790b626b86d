"""`while` becomes a condition, a body, and a call that runs them.

    while i < n:             def while_condition_0(i, y):
        y = y + i                return i < n
        i = i + 1     ->     def while_body_0(i, y):
                                 y = y + i
                                 i = i + 1
                                 return i, y
                             i, y = _jst.convert_while_loop(while_condition_0, while_body_0, [i, y])
"""

import gast

from . import builders as build
from .base import locate
from .ifelse import generated_function, hand_back


def while_to_functions(node, names, generated):
    return loop_functions(node, names, node.test, node.body, generated)


def loop_functions(node, names, test, body, generated, *further):
    """The two functions and the call; `further` arguments follow the list of carried values."""
    plan = node.plan
    origin = node.test if isinstance(node, gast.While) else node.iter
    condition = build.function(names[0], plan.carried, [locate(gast.Return(test), origin)])
    values = gast.List([build.load(name) for name in plan.carried], gast.Load())
    run = build.jst_call("convert_while_loop", build.load(names[0]), build.load(names[1]), values, *further)
    if hasattr(node, "begun"):      # it goes on in the middle of its body, if this isn't 0
        run.keywords.append(gast.keyword("begun", gast.Compare(build.load(node.begun), [gast.Gt()], [build.constant(0)])))
    return [locate(condition, origin), generated_function(names[1], plan, 0, body, generated, origin),
            locate(hand_back(plan.carried, run), origin)]
