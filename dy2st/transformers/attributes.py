"""`o.a = v`, `o.a += v`, `del o.a`  ->  the same with `_jst.at(o).a`; loads stay as they are."""

import gast

from . import templates as t
from .base import rewrites


@rewrites(gast.Attribute)
def rewrite_attribute(node):
    if not isinstance(node.ctx, gast.Load):
        node.value = gast.copy_location(t.jst_call("at", node.value), node.value)
    return node
