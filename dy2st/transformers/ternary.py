"""`a if c else b`  ->  `_jst.convert_ifexp(c, lambda: a, lambda: b)`"""

import gast

from . import templates as t
from .base import rewrites
from .walrus import binds_names


@rewrites(gast.IfExp)
def rewrite_ifexp(node):
    if binds_names(node.body) or binds_names(node.orelse):
        return node
    return t.jst_call("convert_ifexp", node.test, t.thunk(node.body), t.thunk(node.orelse))
