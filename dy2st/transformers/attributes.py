"""`o.a = v`, `o.a += v`, `del o.a`  ->  the same with `_jst.at(o).a`; so do loads of what may be a property, others stay.

`o.__class__`  ->  `_jst.class_of(o)`, and `o.__dict__`  ->  `_jst.namespace_of(o)`;
`frame.f_back`  ->  `_jst.frame_behind(frame)`
"""

import gast

from . import builders as build
from .base import rewrites
from .marks import MAY_BE_PROPERTY

ASKED = {"__class__": "class_of", "__dict__": "namespace_of", "f_back": "frame_behind"}


def ask_runtime(node: gast.Attribute) -> gast.Attribute | gast.Call:
    """The call in place of an attribute that the runtime knows better."""
    if node.attr in ASKED and isinstance(node.ctx, gast.Load):
        return gast.copy_location(build.jst_call(ASKED[node.attr], node.value), node)
    return node


@rewrites(gast.Attribute)
def rewrite_attribute(node: gast.Attribute) -> gast.Attribute | gast.Call:
    asked = ask_runtime(node)
    if asked is not node:
        return asked
    if not isinstance(node.ctx, gast.Load) or MAY_BE_PROPERTY.of(node):
        node.value = gast.copy_location(build.jst_call("at", node.value), node.value)
    return node
