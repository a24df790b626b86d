"""`f(a, k=b)`  ->  `_jst.call(f)(a, k=b)`

    f(a, *b, **c)  ->  _jst.star_call(f)(a, *_jst.star(b), **_jst.keywords(c))

What may look at the frames of its callers is told so, `_jst.call(_jst.looking(warn))(m)`: other functions stand
between those of the user's. Calls that look at the frame they are made from (`globals()`, a `super()` without arguments)
stay as they are, and so do calls of literals' methods with literals, `"a".upper()`, that make no list or dict.
"""

import gast

from ..python_library import MEASURES_TUPLES
from . import builders as build
from .base import rewrites
from .container_operators import is_constant
from .marks import IS_PLAIN_CALL

FRAME_CALLS = {"super", "globals"}
OF_NEW_OBJECTS = {"split", "rsplit", "splitlines", "maketrans"}  # methods of literals that make lists and dicts
LOOKING = {"warn", "_getframe", "currentframe", "getouterframes", "extract_stack", "format_stack", "print_stack"}


def is_jst(function) -> bool:
    """Whether this is `_jst.name`."""
    return isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name) and function.value.id == build.JST


def _is_star(node) -> bool:
    """Whether this is `*_jst.star(b)`."""
    return isinstance(node, gast.Starred) and isinstance(node.value, gast.Call) and is_jst(node.value.func)


@rewrites(gast.Call)
def rewrite_call(node: gast.Call) -> gast.Call:
    if isinstance(node.func, gast.Name) and node.func.id in FRAME_CALLS and not node.args:
        return gast.copy_location(build.jst_call("globals", node), node) if node.func.id == "globals" else node
    if is_jst(node.func) or IS_PLAIN_CALL.of(node) or _is_constant(node):
        return node
    if _may_look(node.func):
        node.func = gast.copy_location(build.jst_call("looking", node.func), node.func)
    has_stars = any(isinstance(arg, gast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords)
    node.func = gast.copy_location(build.jst_call("star_call" if has_stars else "call", node.func), node.func)
    if len(node.args) == 1 and _is_star(node.args[0]) and not MEASURES_TUPLES:
        node.args[0].value.args += [build.constant(True), build.constant(False)]  # the arguments are tuple(b)
    for keyword in node.keywords:
        if keyword.arg is None:
            keyword.value = gast.copy_location(build.jst_call("keywords", keyword.value), keyword.value)
    return node


def _is_constant(node: gast.Call) -> bool:
    """Whether this is a method of a literal, given literals, that makes nothing which could be changed."""
    if not (isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Constant)):
        return False
    if node.func.attr in OF_NEW_OBJECTS:
        return False
    return all(map(is_constant, node.args)) and all(keyword.arg and is_constant(keyword.value) for keyword in node.keywords)


def _may_look(function) -> bool:
    """Whether a function goes by the name of one that looks at frames; `stack` is that of `inspect` or none."""
    if isinstance(function, gast.Attribute) and function.attr == "stack":
        return isinstance(function.value, gast.Name) and function.value.id == "inspect"
    return getattr(function, "attr", getattr(function, "id", "")) in LOOKING
