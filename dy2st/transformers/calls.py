"""`f(a, k=b)`  ->  `_jst.convert_call(f)(a, k=b)`

    f(a, *b, **c)  ->  _jst.convert_star_call(f)(a, *_jst.convert_star(b), **_jst.convert_keywords(c))

Calls that look at the frame they are made from (`globals()`, a `super()` without arguments) stay as they are.
"""

import gast

from . import templates as t
from .base import rewrites

FRAME_CALLS = {"super", "globals"}


def is_jst(function) -> bool:
    """Whether it is one of the calls that the transformers wrote."""
    return isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name) and function.value.id == t.JST


@rewrites(gast.Call)
def rewrite_call(node):
    if isinstance(node.func, gast.Name) and node.func.id in FRAME_CALLS and not node.args or is_jst(node.func):
        return node
    if getattr(node.func, "is_generated", False):      # what a generator hands its items to
        return node
    has_stars = any(isinstance(arg, gast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords)
    node.func = gast.copy_location(t.jst_call("convert_star_call" if has_stars else "convert_call", node.func), node.func)
    for keyword in node.keywords:
        if keyword.arg is None:
            keyword.value = gast.copy_location(t.jst_call("convert_keywords", keyword.value), keyword.value)
    return node
