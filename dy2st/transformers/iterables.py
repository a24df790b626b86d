"""What Python itself would iterate: a list that is known only at run time must not be read as it is.

    f(*xs)              ->    f(*_jst.convert_iter(xs))
    a, *rest = xs       ->    a, rest = _jst.convert_unpack(xs, "a, *rest")
"""

import gast

from . import templates as t
from .base import locate, rewrites, walk
from .unparse import unparse

OWN = (gast.Constant, gast.Tuple, gast.List)  # displays are what they are


@rewrites(gast.Starred)
def rewrite_starred(node):
    if isinstance(node.ctx, gast.Load):
        node.value = locate(t.jst_call("convert_iter", node.value), node.value)
    return node


@rewrites(gast.Assign)
def rewrite_unpacking(node):
    if len(node.targets) == 1 and not isinstance(node.value, OWN):
        node.targets[0], node.value = unpacked(node.targets[0], node.value)
    return node


def unpacked(target, value):
    """The target and the value of `target = value`, where the value may be a list that only the Program knows."""
    if not isinstance(target, (gast.Tuple, gast.List)):
        return target, value
    inner = [node for element in target.elts for node in walk(element)]
    if isinstance(value, gast.Call) and not any(isinstance(node, (gast.Starred, gast.Tuple, gast.List)) for node in inner):
        return target, value
    text = t.constant(unparse(target).strip())
    return _without_stars(target), locate(t.jst_call("convert_unpack", value, text), value)


def _without_stars(target):
    if isinstance(target, gast.Starred):
        return _without_stars(target.value)
    if isinstance(target, (gast.Tuple, gast.List)):
        target.elts = [_without_stars(element) for element in target.elts]
    return target
