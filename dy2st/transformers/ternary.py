"""`a if c else b`  ->  `_jst.ifexp(c, lambda: a, lambda: b)`"""

import gast

from . import builders as build
from .base import rewrites
from .walrus import binds_names


@rewrites(gast.IfExp)
def rewrite_ifexp(node):
    if binds_names(node.body) or binds_names(node.orelse):
        return node
    return build.jst_call("ifexp", node.test, build.thunk(node.body), build.thunk(node.orelse))
