"""What Python itself would iterate: a list that is known only at run time must not be read as it is.

    [f(x) for x in xs]    ->    [f(x) for x in _jst.convert_iter(xs)]
    f(*xs)                ->    f(*_jst.convert_iter(xs))
    a, *rest = xs         ->    a, *rest = _jst.convert_iter(xs)
"""

import gast

from . import templates as t
from .base import rewrites

OWN = (gast.Constant, gast.Tuple, gast.List)  # displays are what they are


@rewrites(gast.comprehension)
def rewrite_comprehension(node):
    if not isinstance(node.iter, (gast.Call, *OWN)):
        node.iter = _iterated(node.iter)
    return node


@rewrites(gast.Starred)
def rewrite_starred(node):
    if isinstance(node.ctx, gast.Load):
        node.value = _iterated(node.value)
    return node


@rewrites(gast.Assign)
def rewrite_unpacking(node):
    tuples = [target for target in node.targets if isinstance(target, (gast.Tuple, gast.List))]
    starred = any(isinstance(element, gast.Starred) for target in tuples for element in target.elts)
    if tuples and not isinstance(node.value, OWN) and (starred or not isinstance(node.value, gast.Call)):
        node.value = _iterated(node.value)
    return node


def _iterated(value):
    return gast.copy_location(t.jst_call("convert_iter", value), value)
