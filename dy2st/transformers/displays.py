"""`[a, b]` and `{...}`  ->  `_jst.new([a, b])`: the runtime learns where an object is created.

    {"a": 1, **d}       ->  _jst.merge({"a": 1}, d)
    {a, b}, {a: b}      ->  _jst.set([a, b]), _jst.dict([(a, b)])
    [a, *xs], (a, *xs)  ->  _jst.new([a, *_jst.star(xs)]), _jst.new((a, *_jst.star(xs)))

So does a list made by an operator on a display, `a + [b]`, a class, and an inner function or lambda that holds values of the
call: in its defaults, or in variables of the function around it. A decorator is called as any other function is:

    @counted                   @_jst.call(counted)
    def inc():                 @_jst.new
        nonlocal n       ->    def inc():
        n += 1                     nonlocal n
                                   n += 1
"""

import gast

from . import builders as build
from .analysis.scope import Scope, defaults_of, scope_of, target_names
from .base import FUNCTIONS, locate, own_nodes, rewrites
from .calls import is_jst
from .container_operators import rewrite_container_operator
from .fstrings import is_percent, rewrite_percent
from .marks import HOLDS_VALUES, IS_CONVERTED_OPERATOR


@rewrites(gast.List, gast.Set, gast.Dict, gast.Tuple)
def rewrite_display(node):
    if isinstance(node, (gast.List, gast.Tuple)) and not isinstance(node.ctx, gast.Load):
        return node
    if isinstance(node, gast.Dict) and None in node.keys:
        return build.jst_call("merge", *merged_parts(node))
    has_stars = any(isinstance(part, gast.Starred) for part in getattr(node, "elts", ()))
    if isinstance(node, (gast.Set, gast.Dict)) and not has_known_keys(node):
        return with_any_keys(node)
    return node if isinstance(node, gast.Tuple) and not has_stars else build.jst_call("new", node)


def has_known_keys(node) -> bool:
    """Whether all keys are constants."""
    return all(isinstance(key, gast.Constant) for key in (node.elts if isinstance(node, gast.Set) else node.keys))


def with_any_keys(node):
    """A call that builds a set or dict without Python's own hashing: a key may be known only at run time."""
    if isinstance(node, gast.Set):
        for part in node.elts:
            if isinstance(part, gast.Starred):
                part.value.args.append(build.constant(False))  # Python doesn't ask how many items there are
        return build.jst_call("set", gast.List(node.elts, gast.Load()))
    pairs = [gast.Tuple([key, value], gast.Load()) for key, value in zip(node.keys, node.values)]
    return build.jst_call("dict", gast.List(pairs, gast.Load()))


def merged_parts(node):
    """The parts of a dict display with `**`: its pairs as dicts, and the operand of each `**`."""
    parts: list = []
    written = None
    for key, value in zip(node.keys, node.values):
        if key is None:
            parts.append(value)
            written = None
            continue
        if written is None:
            parts.append(written := locate(gast.Dict([], []), key))
        written.keys.append(key)
        written.values.append(value)
    return [with_any_keys(part) if isinstance(part, gast.Dict) and not has_known_keys(part) else part for part in parts]


@rewrites(gast.BinOp)
def rewrite_operator(node: gast.BinOp) -> gast.expr:
    if is_percent(node):
        return rewrite_percent(node)
    if IS_CONVERTED_OPERATOR.of(node):
        return rewrite_container_operator(node)
    makes_a_list = isinstance(node.op, (gast.Add, gast.Mult)) and any(map(is_new, (node.left, node.right)))
    return build.jst_call("new", node) if makes_a_list else node


def mark_holders(function, nodes) -> None:
    """Marks the inner functions and lambdas, among these nodes, that hold values of the call."""
    if sum(isinstance(node, FUNCTIONS) for node in nodes) > 1:
        scope = scope_of(function)
        targets = [target_names(node.target) for node in nodes if isinstance(node, gast.comprehension)]
        _mark_holders(scope, scope.locals.union(*targets))


def _mark_holders(scope: Scope, around: set[str]) -> None:
    for child in scope.children:
        if isinstance(child.node, FUNCTIONS) and (defaults_of(child.node.args) or child.free() & around):
            HOLDS_VALUES.set(child.node, True)
        _mark_holders(child, around if child.is_class else around | child.locals)


@rewrites(gast.FunctionDef)
def rewrite_function(node):
    node.decorator_list = _called(node.decorator_list)
    if HOLDS_VALUES.of(node) or any(isinstance(inner, gast.Nonlocal) for inner in own_nodes(node)):
        node.decorator_list.append(gast.copy_location(build.jst("new"), node))
    return node


@rewrites(gast.Lambda)
def rewrite_lambda(node):
    return build.jst_call("new", node) if HOLDS_VALUES.of(node) else node


@rewrites(gast.ClassDef)
def rewrite_class(node):
    node.decorator_list = [*_called(node.decorator_list), gast.copy_location(build.jst("new"), node)]
    return node


def _called(decorators: list) -> list:
    """The decorators, converted as functions that are called."""
    return [d if is_jst(d) else gast.copy_location(build.jst_call("call", d), d) for d in decorators]


def is_new(node) -> bool:
    """Whether this is `_jst.new(...)`."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "new" and (
        isinstance(node.func.value, gast.Name) and node.func.value.id == build.JST)
