"""`for` becomes a loop over an iterator that can say whether there is more.

    for x in xs:             for_iter_0 = _jst.iter(xs)
        y = y + x            def for_body_0(x, y):
                      ->         x = for_iter_0.next()
                                 y = y + x
                                 return x, y
                             x, y = _jst.convert_while_loop(None, for_body_0, [x, y], for_iter_0)

A loop that a `break` or `return` leaves has a condition, which asks `for_iter_0.more(unless=break_0)`.
"""

import gast

from . import builders as build
from .analysis.plan import Plan
from .base import locate
from .ifelse import hand_back
from .iterables import unpacked
from .logical import disjunction
from .loops import loop_functions
from .marks import CAREFUL_UNPACKING, STOP_FLAGS


def for_to_functions(node: gast.For, plan: Plan, names: tuple[str, ...]) -> list[gast.stmt]:
    iterator, *parts = names
    stops, more = STOP_FLAGS.of(node), None
    if stops:
        more = build.call(build.attribute(build.load(iterator), "more"))
        more.keywords.append(gast.keyword("unless", disjunction(stops)))
    item = build.call(build.attribute(build.load(iterator), "next"))
    fetch = build.assign(*unpacked(node.target, item, CAREFUL_UNPACKING.of(node)))
    body = [locate(fetch, node.target), *node.body]
    start = build.assign(iterator, build.jst_call("iter", node.iter))
    functions, run = loop_functions(plan, parts, more, body, node.iter, build.load(iterator))
    return [locate(start, node.iter), *functions, locate(hand_back(plan.carried, run), node.iter)]
