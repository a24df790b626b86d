"""Stars and unpackings: Python would iterate a list by itself, and miss the elements that only the Program knows.

    f(*xs), [*xs]       ->    f(*_jst.star(xs)), [*_jst.star(xs)]
    a, *rest = xs       ->    a, rest = _jst.unpack(xs, "a, *rest")
    y = a, b = xs       ->    y, (a, b) = _jst.unpack((xs,) * 2, "y, (a, b)")

What a call gives is mostly a tuple: `a, b = f(x)` stays, unless the rewriting is `careful`, since it has turned out to be more.
"""

import gast

from . import builders as build
from .base import locate, rewrites, walk
from .marks import CAREFUL_UNPACKING
from .unparse import unparse

WRITTEN_OUT = (gast.Constant, gast.Tuple, gast.List)      # Python sees all of their elements


@rewrites(gast.Starred)
def rewrite_starred(node):
    if isinstance(node.ctx, gast.Load):
        node.value = locate(build.jst_call("star", node.value), node.value)
    return node


@rewrites(gast.Assign)
def rewrite_unpacking(node: gast.Assign) -> gast.Assign:
    if isinstance(node.value, WRITTEN_OUT):
        return node
    target, value = node.targets[0], node.value
    if len(node.targets) > 1:
        if not any(isinstance(target, (gast.Tuple, gast.List)) for target in node.targets):
            return node
        target = locate(gast.Tuple(node.targets, gast.Store()), node.targets[0])
        each = locate(gast.Tuple([value], gast.Load()), value)
        value = locate(gast.BinOp(each, gast.Mult(), build.constant(len(node.targets))), value)
    target, node.value = unpacked(target, value, CAREFUL_UNPACKING.of(node))
    node.targets = [target]
    return node


def unpacked(target, value, careful):
    """The target and the value of `target = value`, where the value may be a list that only the Program knows."""
    if not isinstance(target, (gast.Tuple, gast.List)):
        return target, value
    inner = [node for element in target.elts for node in walk(element)]
    is_plain = len(inner) > 1 and not any(isinstance(node, (gast.Starred, gast.Tuple, gast.List)) for node in inner)
    if isinstance(value, gast.Call) and is_plain and not careful:
        return target, value
    text = build.constant(unparse(target).strip())
    return _without_stars(target), locate(build.jst_call("unpack", value, text), value)


def _without_stars(target):
    if isinstance(target, gast.Starred):
        return _without_stars(target.value)
    if isinstance(target, (gast.Tuple, gast.List)):
        target.elts = [_without_stars(element) for element in target.elts]
    return target
