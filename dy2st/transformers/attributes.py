"""`o.a = v`, `o.a += v`, `del o.a`  ->  the same with `_jst.at(o).a`; so do loads of what may be a property, others stay."""

import gast

from . import builders as build
from .base import rewrites
from .properties import may_be_property


@rewrites(gast.Attribute)
def rewrite_attribute(node):
    if not isinstance(node.ctx, gast.Load) or may_be_property(node):
        node.value = gast.copy_location(build.jst_call("at", node.value), node.value)
    return node
