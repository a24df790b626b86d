"""`locals()`, `vars()`  ->  `_jst.locals(locals, [("x", lambda: x), ...], [("free", lambda: free), ...])`

The frame that asks may be a generated function's, which has other names.
"""

import gast

from . import builders as build
from .analysis.scope import scope_of
from .base import FUNCTIONS, own_nodes
from .marks import TELLS_A_NAME

ASKING = ("locals", "vars")


def spell_out_names(function):
    """Writes down the names that `locals()` and `vars()` tell of, in the function and in its inner functions."""
    asking = []
    for node in own_nodes(function):
        if isinstance(node, FUNCTIONS):
            spell_out_names(node)
        elif isinstance(node, gast.Call) and _asks_for_names(node):
            asking.append(node)
    if asking:
        scope = scope_of(function)
        own = [name for name in scope.bound if name in scope.locals]
        free = sorted(scope.free() - {*ASKING, build.JST})
        for node in asking:
            node.args = [node.func, _readers(own), _readers(free)]
            node.func = build.jst("locals")


def _asks_for_names(call):
    return isinstance(call.func, gast.Name) and call.func.id in ASKING and not call.args and not call.keywords


def _readers(names):
    """`[("x", lambda: x), ...]`"""
    return gast.List([gast.Tuple([build.constant(name), _reader(name)], build.LOAD) for name in names], build.LOAD)


def _reader(name):
    read = build.thunk(build.load(name))
    TELLS_A_NAME.set(read, True)
    return read
