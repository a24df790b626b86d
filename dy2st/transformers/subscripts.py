"""`x[i]`, `x[i] = v`, `x[i] += v`, `del x[i]`  ->  the same with `_jst.at(x)[i]`

    x[0][1][i]    ->    _jst.at(x, 0, 1)[i]          the way to an item by indices that are written out
    "abc"[1]      ->    "abc"[1]                     which no one can know at run time only
"""

import gast

from . import builders as build
from .base import rewrites
from .container_operators import is_constant


@rewrites(gast.Subscript)
def rewrite_subscript(node: gast.Subscript) -> gast.Subscript:
    if is_constant(node.value) and is_constant(node.slice):
        return node
    around = node.value
    if isinstance(around, gast.Subscript) and is_constant(around.slice) and isinstance(around.value, gast.Call):
        node.value = around.value      # `_jst.at(x)` of `_jst.at(x)[0]`
        node.value.args.append(around.slice)
    else:
        node.value = gast.copy_location(build.jst_call("at", around), around)
    return node
