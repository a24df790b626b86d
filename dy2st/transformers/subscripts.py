"""`x[i]`, `x[i] = v`, `x[i] += v`, `del x[i]`  ->  the same with `_jst.at(x)[i]`"""

import gast

from . import builders as build
from .base import rewrites


@rewrites(gast.Subscript)
def rewrite_subscript(node):
    node.value = gast.copy_location(build.jst_call("at", node.value), node.value)
    return node
