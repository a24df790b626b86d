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
from .analysis.plan import Plan
from .base import locate
from .ifelse import generated_function, hand_back
from .marks import RESUMED_AT


def while_to_functions(node: gast.While, plan: Plan, names: tuple[str, ...]) -> list[gast.stmt]:
    functions, run = loop_functions(plan, names, node.test, node.body, node.test)
    resumed_at = RESUMED_AT.of(node)
    if resumed_at is not None:
        run.keywords.append(gast.keyword("begun", gast.Compare(build.load(resumed_at), [gast.Gt()], [build.constant(0)])))
    return [*functions, locate(hand_back(plan.carried, run), node.test)]


def loop_functions(plan, names, test, body, origin, *further):
    """The functions, and the call that runs them; its `further` arguments follow the list of carried values.

    test: None for a loop that goes on as long as its iterator has more.
    """
    tests = [locate(build.function(names[0], plan.carried, [locate(gast.Return(test), origin)]), origin)] if test else []
    condition = build.load(names[0]) if test else build.constant(None)
    values = gast.List([build.load(name) for name in plan.carried], gast.Load())
    run = build.jst_call("convert_while_loop", condition, build.load(names[1]), values, *further)
    return [*tests, generated_function(names[1], plan, 0, body, origin)], run
