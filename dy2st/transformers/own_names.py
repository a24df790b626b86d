"""`locals()`, `vars()`  ->  `_jst.locals(locals, [("x", lambda: x), ...], [("free", lambda: free), ...])`

The frame that asks may be a generated function's, which has other names. A name that is bound later only has no value yet: it is
left out, as it would have to live in a cell.
"""

import gast

from . import builders as build
from .analysis.scope import parameter_names, scope_of
from .base import FUNCTIONS, LOOPS, own_nodes, walk
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
            later = _bound_later(function, node)
            node.args = [node.func, _readers([name for name in own if name not in later]), _readers(free)]
            node.func = build.jst("locals")


def _bound_later(function, call) -> set[str]:
    """The names that code behind a call binds, and none before it; none where a loop may lead back to the call."""
    nodes = list(own_nodes(function))
    if any(call is inside for node in nodes if isinstance(node, LOOPS) for inside in walk(node)):
        return set()
    first: dict[str, tuple] = dict.fromkeys(parameter_names(function.args), (0, 0))
    for node in nodes:
        for name in _names_bound_by(node):
            first[name] = min(first.get(name, _place(node)), _place(node))
    return {name for name, place in first.items() if place > _place(call)}


def _names_bound_by(node) -> list[str]:
    if isinstance(node, gast.Name):
        return [] if isinstance(node.ctx, gast.Load) else [node.id]
    if isinstance(node, gast.alias):
        return [node.asname or node.name.split(".")[0]]
    found = [getattr(node, field, None) for field in ("name", "rest")]  # of functions, classes, handlers and patterns
    return [name for name in found if isinstance(name, str)]


def _place(node) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _asks_for_names(call):
    return isinstance(call.func, gast.Name) and call.func.id in ASKING and not call.args and not call.keywords


def _readers(names):
    """`[("x", lambda: x), ...]`"""
    return gast.List([gast.Tuple([build.constant(name), _reader(name)], build.LOAD) for name in names], build.LOAD)


def _reader(name):
    read = build.thunk(build.load(name))
    TELLS_A_NAME.set(read, True)
    return read
