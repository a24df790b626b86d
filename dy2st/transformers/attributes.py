"""`o.a = v`, `o.a += v`, `del o.a`  ->  the same with `_jst.at(o).a`; so do loads of what may be a property, others stay.

`o.__class__`  ->  `_jst.convert_type(o)`
"""

import gast

from . import templates as t
from .base import rewrites
from .properties import may_be_property


@rewrites(gast.Attribute)
def rewrite_attribute(node):
    if node.attr == "__class__" and isinstance(node.ctx, gast.Load):
        return gast.copy_location(t.jst_call("convert_type", node.value), node)
    if not isinstance(node.ctx, gast.Load) or may_be_property(node):
        node.value = gast.copy_location(t.jst_call("at", node.value), node.value)
    return node
