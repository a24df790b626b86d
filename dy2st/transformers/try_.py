"""`try` becomes a function for each of its blocks and a call that runs them.

    try:                     def try_body_0(y):
        y = f(x)                 return f(x)
    except E as e:           def except_0(e, y):
        y = g(e)                 return g(e)
    else:             ->     def else_0(y):
        log(y)                   log(y)
    finally:                     return y
        close()              def finally_0(y):
                                 close()
                                 return y
                             y = _jst.try_(try_body_0, (y,), [(lambda: E, except_0)], else_0, finally_0)

A handler in which nothing happens is `None`. A name that a handler or `finally` reads after the body assigned it is a cell of the
user's function: `nonlocal`.
"""

import gast

from . import builders as build
from .base import locate, locate_at_start
from .ifelse import generated_function, hand_back, is_empty, values_before


def try_names(node, naming) -> list[str]:
    """Names for the functions, one per block that is there, and for exceptions that a handler doesn't name."""
    for handler in node.handlers:
        handler.name = handler.name or build.store(naming.fresh("error"))
    blocks = {"else": node.orelse, "finally": node.finalbody}
    body, *last = naming.group("try_body", *(prefix for prefix, block in blocks.items() if block))
    return [body, *(naming.fresh("except") for _ in node.handlers), *last]


def try_to_functions(node, plan, names):
    unused = iter(names)
    body = generated_function(next(unused), plan, 0, node.body, node)
    functions, handlers, further = [body], [], []
    for part, handler in enumerate(node.handlers, 1):
        name, run = next(unused), build.constant(None)
        if not is_empty(handler.body):
            functions.append(generated_function(name, plan, part, handler.body, handler, [handler.name.id]))
            run = build.load(name)
        kind = handler.type or build.load("BaseException")
        handlers.append(locate(gast.Tuple([build.thunk(kind), run], gast.Load()), handler))
    for keyword, part, block in (("orelse", -2, node.orelse), ("final", -1, node.finalbody)):
        if block:
            functions.append(generated_function(next(unused), plan, part, block, block[0]))
            further.append(gast.keyword(keyword, build.load(functions[-1].name)))
    call = build.jst_call("try_", build.load(body.name), values_before(plan), gast.List(handlers, gast.Load()))
    call.keywords.extend(further)
    return [*functions, locate_at_start(hand_back(plan.carried, call), node)]
