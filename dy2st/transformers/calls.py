"""`f(a, *b, k=c, **d)`  ->  `_jst.convert_call(f)(a, *b, k=c, **_jst.convert_keywords(d))`

Calls that look at the frame they are made from (`super()`, `globals()`) stay as they are.
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
    if isinstance(node.func, gast.Name) and node.func.id in FRAME_CALLS or is_jst(node.func):
        return node
    if getattr(node.func, "is_generated", False):      # what a generator hands its items to
        return node
    node.func = gast.copy_location(t.jst_call("convert_call", node.func), node.func)
    for keyword in node.keywords:
        if keyword.arg is None:
            keyword.value = gast.copy_location(t.jst_call("convert_keywords", keyword.value), keyword.value)
    return node
