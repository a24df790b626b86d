"""`:=` in a lazily evaluated operand would bind its name in a lambda; such expressions become statements first.

    if a and (n := f(a)) > 2:        and_0 = a
        use(n)                       if and_0:
                             ->          and_0 = (n := f(a)) > 2
                                     if and_0:
                                         use(n)

    while (n := f()) > 0:            test_0 = (n := f()) > 0
        use(n)               ->      while test_0:
                                         use(n)
                                         test_0 = (n := f()) > 0      (also after `continue`)

The operands before the hoisted part go to names, too, so the order of evaluation stays.
"""

import copy

import gast

from ..pytree import nodes
from . import builders as build
from .base import COMPREHENSIONS, LOOPS, BlockRewriter, children, locate
from .marks import RETEST


def binds_names(expression) -> bool:
    """Whether evaluating the expression binds a name of the function by `:=`."""
    inside = nodes(expression, lambda node: () if isinstance(node, gast.Lambda) else children(node))
    return any(isinstance(node, gast.NamedExpr) for node in inside)


def binds_lazily(expression) -> bool:
    """Whether a `:=` stands where it may not be evaluated at all; lambdas and comprehensions don't count."""
    if isinstance(expression, (gast.Lambda, *COMPREHENSIONS)):
        return False
    if any(binds_names(part) for part in _lazy_parts(expression)):
        return True
    return any(binds_lazily(child) for child in children(expression))


def _lazy_parts(node):
    if isinstance(node, gast.BoolOp):
        return node.values[1:]
    if isinstance(node, gast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, gast.Compare) and len(node.ops) > 1:
        return node.comparators
    return []


def hoist_assignments(function, naming):
    """Rewrites the statements of one function (not those of inner functions)."""
    function.body = _Hoister(naming).block(function.body)


class _Hoister(BlockRewriter):
    def __init__(self, naming):
        self.naming = naming

    def statement(self, node):
        if isinstance(node, gast.While) and binds_names(node.test):
            return self.while_loop(node)
        before: list = []
        if isinstance(node, gast.If) and binds_names(node.test):
            node.test = self.leading_assignments(node.test, before)
            if binds_names(node.test):
                node.test = self.to_name(node.test, "test", before)
        elif not isinstance(node, (*LOOPS, gast.With, gast.FunctionDef, gast.ClassDef)):
            self.simple_statement(node, before)
        elif isinstance(node, gast.For) and binds_lazily(node.iter):
            node.iter = self.linear(node.iter, before)
        return [*before, node]

    def while_loop(self, node: gast.While) -> list[gast.stmt]:
        """The test becomes a name, computed before the loop and again at the end of each round."""
        before: list = []
        test = self.to_name(node.test, "test", before)
        RETEST.set(node, copy.deepcopy(before))
        node.test = test
        return [*before, node]

    def leading_assignments(self, test, before):
        """`(n := f()) > 2`  ->  `n = f()` and `n > 2`, where the `:=` is evaluated first anyway."""
        if isinstance(test, gast.NamedExpr):
            value = self.linear(self.leading_assignments(test.value, before), before)
            before.append(locate(build.assign(test.target.id, value), test))
            return locate(build.load(test.target.id), test)
        for field in ("left", "operand", "value"):
            if isinstance(getattr(test, field, None), gast.AST) and isinstance(
                    test, (gast.Compare, gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Subscript)):
                setattr(test, field, self.leading_assignments(getattr(test, field), before))
                return test
        if isinstance(test, gast.BoolOp):
            test.values[0] = self.leading_assignments(test.values[0], before)
        return test

    def simple_statement(self, node, before):
        if isinstance(node, gast.Assign) and any(binds_lazily(target) for target in node.targets):
            node.value = self.to_name(node.value, "value", before)
            node.targets = [self.linear(target, before) for target in node.targets]
        elif isinstance(node, gast.AugAssign) and binds_lazily(node.value):
            self.augmented(node, before)
        else:
            for field in ("value", "test", "exc"):
                value = getattr(node, field, None)
                if isinstance(value, gast.AST):
                    setattr(node, field, self.linear(value, before))

    def augmented(self, node, before):
        """`y += a and (y := b)` adds to the `y` from before."""
        if not isinstance(node.target, gast.Name):
            self.linear_children(node, [node.target, node.value], before)
            return
        target, kept = node.target.id, self.naming.fresh("value")
        before.append(locate(build.assign(kept, build.load(target)), node))
        node.value = self.linear(node.value, before)
        before.append(locate(build.assign(target, build.load(kept)), node))

    # Expressions: `linear` returns the expression that is left, and appends the statements to run before it.

    def linear(self, node, before):
        if not binds_lazily(node):
            return node
        if isinstance(node, gast.BoolOp):
            return self.bool_op(node, before)
        if isinstance(node, gast.IfExp):
            return self.ternary(node, before)
        if isinstance(node, gast.Compare) and len(node.ops) > 1:
            return self.compare(node, before)
        return self.linear_children(node, _evaluation_order(node), before)

    def linear_children(self, node, parts, before):
        """Every part up to the last one that is hoisted goes to a name, in order of evaluation."""
        last = max(index for index, part in enumerate(parts) if binds_lazily(part))
        replaced = {}
        for index, part in enumerate(parts[:last + 1]):
            if index == last:
                replaced[id(part)] = self.linear(part, before)
            elif _has_effects(part):
                replaced[id(part)] = self.evaluated(part, before)
        _replace_children(node, replaced)
        return node

    def evaluated(self, node, before):
        """The value of a part, kept in a name; of a store target, only its object and index are evaluated."""
        if isinstance(node, gast.Starred):
            kept = gast.Tuple([gast.Starred(self.linear(node.value, before), gast.Load())], gast.Load())
            return locate(gast.Starred(self.to_name(locate(kept, node), "value", before), gast.Load()), node)
        if isinstance(node, (gast.keyword, gast.FormattedValue)):
            node.value = self.to_name(node.value, "value", before)
            return node
        if not isinstance(getattr(node, "ctx", gast.Load()), gast.Load):
            parts = _evaluation_order(node)
            _replace_children(node, {id(part): self.evaluated(part, before) for part in parts if _has_effects(part)})
            return node
        if isinstance(node, gast.Slice):
            return self.linear_slice(node, before)
        return self.to_name(node, "value", before)

    def linear_slice(self, node, before):
        for field in ("lower", "upper", "step"):
            part = getattr(node, field)
            if part is not None and _has_effects(part):
                setattr(node, field, self.to_name(part, "value", before))
        return node

    def to_name(self, node, prefix, before):
        value = self.linear(node, before)
        if isinstance(value, gast.Name) and value.id in self.naming.generated:
            return value
        name = self.naming.fresh(prefix)
        before.append(locate(build.assign(name, value), node))
        return locate(build.load(name), node)

    def into(self, name, node):
        """Statements that evaluate `node` into `name`."""
        before: list = []
        value = self.linear(node, before)
        return [*before, locate(build.assign(name, value), node)]

    def bool_op(self, node, before):
        is_and = isinstance(node.op, gast.And)
        name = self.naming.fresh("and" if is_and else "or")
        statements = self.into(name, node.values[-1])
        for value in reversed(node.values[:-1]):
            test = build.load(name) if is_and else build.negation(build.load(name))
            statements = [*self.into(name, value), locate(build.branch(test, statements), node)]
        before.extend(statements)
        return locate(build.load(name), node)

    def ternary(self, node, before):
        name = self.naming.fresh("value")
        test = self.linear(node.test, before)
        before.append(locate(build.branch(test, self.into(name, node.body), self.into(name, node.orelse)), node))
        return locate(build.load(name), node)

    def compare(self, node, before):
        """`a < b < c`: the second comparison is made only if the first one holds."""
        name = self.naming.fresh("compare")
        left = self.to_name(node.left, "left", before)
        statements = before
        for position, (op, value) in enumerate(zip(node.ops, node.comparators)):
            last = position == len(node.ops) - 1
            right = self.linear(value, statements) if last else self.to_name(value, "right", statements)
            statements.append(locate(build.assign(name, gast.Compare(left, [op], [right])), node))
            left = copy.copy(right)
            if not last:
                further: list = []
                statements.append(locate(gast.If(build.load(name), further, []), node))
                statements = further
        return locate(build.load(name), node)


def _evaluation_order(node):
    if isinstance(node, gast.Dict):
        return [part for pair in zip(node.keys, node.values) for part in pair if part is not None]
    return [child for child in children(node)
            if not isinstance(child, (gast.expr_context, gast.operator, gast.unaryop, gast.cmpop, gast.boolop))]


def _has_effects(node):
    return not isinstance(node, (gast.Constant, gast.Lambda)) and not (
        isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load))


def _replace_children(node, replaced):
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            setattr(node, field, [replaced.get(id(item), item) for item in value])
        elif id(value) in replaced:
            setattr(node, field, replaced[id(value)])
