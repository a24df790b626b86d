"""The dict of a function's `**more`, which Python makes anew at each call: the runtime learns where.

    def f(**more):                     def f(**more):
        more["a"] = 1          ->          more = _jst.new(more)
                                           more["a"] = 1

A function that only hands it on, `g(**more)`, stays as it is.
"""

import gast

from . import builders as build
from .base import FUNCTIONS, own_nodes, rewritten_functions, walk


def note_keyword_dicts(function) -> None:
    """Inserts that line in the function and the inner functions that are rewritten with it, after the docstring."""
    inner = [each for node in own_nodes(function) if isinstance(node, FUNCTIONS) for each in rewritten_functions(node)]
    for node in (function, *inner):
        if isinstance(node, gast.FunctionDef) and node.args.kwarg is not None and _is_used(node, node.args.kwarg.id):
            more = node.args.kwarg.id
            line = build.assign(more, build.jst_call("new", build.load(more)))
            node.body.insert(_starts_with_text(node.body), gast.copy_location(line, node.body[0]))


def _is_used(function, more) -> bool:
    """Whether the function does something else with the dict than to hand its items on."""
    handed_on = [keyword.value for node in walk(function) if isinstance(node, gast.Call)
                 for keyword in node.keywords if keyword.arg is None]
    return any(isinstance(node, gast.Name) and node.id == more and not any(node is value for value in handed_on)
               for statement in function.body for node in walk(statement))


def _starts_with_text(body) -> bool:
    return isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant) and isinstance(body[0].value.value, str)
