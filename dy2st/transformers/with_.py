"""`with` becomes an object that enters and leaves, and a function that it runs in between.

    with m() as v:           manager_0 = _jst.with_(m())
        y = f(v)             def with_body_0(y):
                      ->         v = manager_0.value
                                 y = f(v)
                                 return y
                             y = manager_0.run(with_body_0, (y,))

A manager that is known to let exceptions through (`no_grad()`) keeps its `with`.
"""

import gast

from . import builders as build
from .analysis.plan import is_control_flow
from .base import blocks, locate, locate_at_start
from .ifelse import generated_function, hand_back, values_before


def nest_managers(statements):
    """`with a, b:`  ->  `with a:` around `with b:`"""
    for node in statements:
        for block in blocks(node):
            nest_managers(block)
        if isinstance(node, gast.With) and is_control_flow(node):
            first, *others = node.items
            for item in reversed(others):
                node.body = [locate(gast.With([item], node.body, None), node)]
            node.items = [first]


def with_to_functions(node, plan, names):
    (item,) = node.items
    manager, body = names
    statements = node.body
    if item.optional_vars:
        entered = build.assign(item.optional_vars, build.attribute(build.load(manager), "value"))
        statements = [locate(entered, item.optional_vars), *statements]
    run = build.call(build.attribute(build.load(manager), "run"), build.load(body), values_before(plan))
    return [locate(build.assign(manager, build.jst_call("with_", item.context_expr)), item.context_expr),
            generated_function(body, plan, 0, statements, node.body[0]),
            locate_at_start(hand_back(plan.carried, run), node)]
