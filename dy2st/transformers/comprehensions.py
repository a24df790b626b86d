"""Comprehensions become calls that read like them: what to collect, then each `for` and `if` in its place.

    [f(x) for x in xs if c(x)]    ->    _jst.listcomp(lambda x: f(x), "for x in", xs, "if", lambda x: c(x))

    {k: i for k, v in d.items() for i in v}    ->
        _jst.dictcomp(lambda k, i: (k, i), "for k, v in", d.items(), "for i in", lambda v: v)

A part that binds names by `:=` is a function instead, since a lambda can't:

    any((n := f(x)) > 2 for x in xs)    ->    def element_0(x):
                                                  nonlocal n
                                                  return (n := f(x)) > 2
                                              any(_jst.genexp(element_0, "for x in", xs))

A comprehension whose targets a lambda of the user's captures stays: all such lambdas share its one variable.
"""

import gast

from . import builders as build
from .analysis.scope import scope_of, target_names
from .base import COMPREHENSIONS, FUNCTIONS, blocks, child_fields, children, locate, rewrites, walk
from .marks import IS_COMPREHENSION_PART
from .unparse import unparse
from .walrus import binds_names

CONVERTED = {
    gast.ListComp: "listcomp",
    gast.SetComp: "setcomp",
    gast.DictComp: "dictcomp",
    gast.GeneratorExp: "genexp",
}


@rewrites(*COMPREHENSIONS)
def rewrite_comprehension(node):
    if not _is_ours(node):
        for generator in node.generators:
            generator.iter = locate(build.jst_call("iter", generator.iter), generator.iter)
        return node if isinstance(node, gast.GeneratorExp) else build.jst_call("new", node)
    return comprehension_call(node, _lambda)


def comprehension_call(node, part):
    """The call for a comprehension; `part(kind, names, expression)` gives the function for one of its parts."""
    names: list[str] = []
    clauses = []
    for position, generator in enumerate(node.generators):
        source = part("items", names, generator.iter) if position else generator.iter
        clauses += [build.constant(f"for {unparse(generator.target).strip()} in"), source]
        names += [name for name in _in_order(generator.target) if name not in names]
        for test in generator.ifs:
            clauses += [build.constant("if"), part("condition", names, test)]
    return build.jst_call(CONVERTED[type(node)], part("element", names, _element(node)), *clauses)


def _element(node):
    """The expression of an element; of a dict, of a pair."""
    if isinstance(node, gast.DictComp):
        return locate(gast.Tuple([node.key, node.value], gast.Load()), node.key)
    return node.elt


def _lambda(_: str, names: list[str], expression: gast.expr) -> gast.Lambda:
    part = locate(gast.Lambda(build.arguments(_used(names, expression)), expression), expression)
    IS_COMPREHENSION_PART.set(part, True)
    return part


def _used(names, expression):
    mentioned = {node.id for node in walk(expression) if isinstance(node, gast.Name)}
    return [name for name in names if name in mentioned]


def _in_order(target):
    return [node.id for node in walk(target) if isinstance(node, gast.Name)]


def _is_ours(node) -> bool:
    if any(generator.is_async or not _binds_only_names(generator.target) for generator in node.generators):
        return False
    targets = set().union(*(target_names(generator.target) for generator in node.generators))
    return not binds_names(node) and not any(targets & scope_of(inner).free() for inner in walk(node) if _is_users_lambda(inner))


def _is_users_lambda(node: gast.AST) -> bool:
    """Thunks of other rewrites have no position yet."""
    return isinstance(node, gast.Lambda) and hasattr(node, "lineno") and not IS_COMPREHENSION_PART.of(node)


def _binds_only_names(target) -> bool:
    return not any(isinstance(node, (gast.Attribute, gast.Subscript)) for node in walk(target))


# Parts that bind names


def name_binding_parts(function, naming):
    """Moves the parts that bind names by `:=` into functions, in the statements of one function."""
    _Mover(function, naming).block(function.body)


class _Mover:
    def __init__(self, function, naming):
        self.globals, self.naming = scope_of(function).globals, naming

    def block(self, statements):
        for position in range(len(statements) - 1, -1, -1):
            node = statements[position]
            for inner in blocks(node):
                self.block(inner)
            if not isinstance(node, (*FUNCTIONS, gast.ClassDef)):
                moved: list = []
                self.expressions(node, moved)
                statements[position:position] = moved

    def expressions(self, node, moved):
        """Replaces the comprehensions below a node; the new functions go to `moved`."""
        for field in child_fields(node):
            value = getattr(node, field, None)
            if isinstance(value, gast.expr):
                setattr(node, field, self.expression(value, moved))
            elif isinstance(value, list):
                value[:] = [self.expression(item, moved) if isinstance(item, gast.expr) else item for item in value]
        for child in children(node):
            if not isinstance(child, (gast.expr, gast.stmt)):
                self.expressions(child, moved)

    def expression(self, node, moved):
        if isinstance(node, gast.Lambda) or not binds_names(node):
            return node
        if isinstance(node, COMPREHENSIONS):
            first = node.generators[0]
            first.iter = self.expression(first.iter, moved)
            return locate(comprehension_call(node, lambda *part: self.part(*part, moved)), node)
        self.expressions(node, moved)
        return node

    def part(self, kind, names, expression, moved):
        if not binds_names(expression):
            return _lambda(kind, names, expression)
        bound = sorted({node.target.id for node in walk(expression) if isinstance(node, gast.NamedExpr)})
        body: list = []
        value = self.expression(expression, body)
        body.append(locate(gast.Return(value), expression))
        for declare, own in ((gast.Global, set(bound) & self.globals), (gast.Nonlocal, set(bound) - self.globals)):
            if own:
                body.insert(0, locate(declare(sorted(own)), expression))
        function = build.function(self.naming.fresh(kind), _used(names, expression), body)
        moved.append(locate(function, expression))
        return locate(build.load(function.name), expression)
