"""`for` becomes a loop over an iterator that can say whether there is more.

    for x in xs:             for_iter_0 = _jst.convert_iter(xs)
        y = y + x            def for_condition_0(x, y):
                      ->         return for_iter_0.more()
                             def for_body_0(x, y):
                                 x = for_iter_0.next()
                                 y = y + x
                                 return x, y
                             x, y = _jst.convert_while_loop(for_condition_0, for_body_0, [x, y], for_iter_0)

A loop that a `break` or `return` leaves asks `for_iter_0.more(unless=break_0)`.
"""

import gast

from . import builders as build
from .base import locate
from .iterables import is_careful, unpacked
from .logical import disjunction
from .loops import loop_functions


def for_to_functions(node, names, generated):
    iterator, *functions = names
    more = build.call(build.attribute(build.load(iterator), "more"))
    stops = getattr(node, "stop_flags", ())
    if stops:
        more.keywords.append(gast.keyword("unless", disjunction(stops)))
    fetch = build.assign(*unpacked(node.target, build.call(build.attribute(build.load(iterator), "next")), is_careful(node)))
    body = [locate(fetch, node.target), *node.body]
    return [locate(build.assign(iterator, build.jst_call("convert_iter", node.iter)), node.iter),
            *loop_functions(node, functions, more, body, generated, build.load(iterator))]
