"""`match` becomes `if` and `elif`: tests of the subject's parts, then the names that the pattern binds.

    match point:                      if _jst.is_sequence(point, 2) and point[0] == 0:
        case [0, y]:                      y = point[1]
            A               ->            A
        case _:                       else:
            B                             B

A guard sees those names, which stay bound where it fails:

    case [x, y] if x > y:             guard_0 = False
        A                             if _jst.is_sequence(point, 2):
                            ->            x, y = point
                                          guard_0 = x > y
                                      if guard_0:
                                          x, y = point
                                          A
"""

import copy

import gast

from . import builders as build
from .base import BlockRewriter, Visitor, locate, walk


def rewrite_matches(function, naming):
    """Rewrites the `match` statements of one function (not those of inner functions)."""
    function.body = _Rewriter(naming).block(function.body)


class _Rewriter(BlockRewriter):
    def __init__(self, naming):
        self.naming = naming

    def statement(self, node):
        if not isinstance(node, gast.Match):
            return [node]
        before, subject = [], node.subject
        if not isinstance(subject, gast.Name) or subject.id in _bound_names(node):
            before = [locate(build.assign(self.naming.fresh("subject"), subject), subject)]
            subject = build.load(before[0].targets[0].id)
        return [*before, *self.chain(node.cases, locate(subject, node.subject))]

    def chain(self, cases, subject):
        """The statements for the cases from here on."""
        if not cases:
            return []
        case = cases[0]
        pattern = Pattern(case.pattern, subject)
        body = [*pattern.bindings(), *case.body]
        if case.guard is None:
            return body if pattern.test is None else [self.branch(case, pattern.test, body, cases, subject)]
        if pattern.test is None:
            return [*pattern.bindings(), self.branch(case, case.guard, case.body, cases, subject)]
        if not pattern.binds:
            return [self.branch(case, conjunction([pattern.test, case.guard]), body, cases, subject)]
        guard = self.naming.fresh("guard")
        matched = [*pattern.bindings(), build.assign(guard, case.guard)]
        trial = [build.assign(guard, build.constant(False)), build.branch(pattern.test, matched)]
        return [*(locate(node, case.pattern) for node in trial), self.branch(case, build.load(guard), body, cases, subject)]

    def branch(self, case, test, body, cases, subject):
        return locate(build.branch(locate(test, case.pattern), body, self.chain(cases[1:], subject)), case.pattern)


def _bound_names(node) -> set[str]:
    bound: set[str] = set()
    for part in [part for case in node.cases for part in (case.pattern, case.guard) if part is not None]:
        for inner in walk(part):
            names = [getattr(inner, field, None) for field in ("name", "rest")]
            bound.update(name for name in names if isinstance(name, str))
            if isinstance(inner, gast.NamedExpr):
                bound.add(inner.target.id)
    return bound


def conjunction(tests):
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)


class Pattern(Visitor):
    """The tests that a pattern makes of its subject, and the names that it binds."""

    def __init__(self, pattern, subject):
        self.origin, self.tests = pattern, []
        self.binds: list[gast.stmt] = []
        self.visit(pattern, subject)

    @property
    def test(self):
        return locate(conjunction(self.tests), self.origin) if self.tests else None

    def ask(self, test):
        self.tests.append(locate(test, self.origin))

    def bindings(self) -> list:
        """Fresh statements that bind the names."""
        return [locate(copy.deepcopy(node), self.origin) for node in self.binds]

    def bind(self, target, value):
        self.binds.append(build.assign(target, copy.deepcopy(value)))

    def visit_MatchValue(self, node, subject):
        self.ask(gast.Compare(copy.deepcopy(subject), [gast.Eq()], [node.value]))

    def visit_MatchSingleton(self, node, subject):
        self.ask(gast.Compare(copy.deepcopy(subject), [gast.Is()], [build.constant(node.value)]))

    def visit_MatchAs(self, node, subject):
        if node.pattern is not None:
            self.visit(node.pattern, subject)
        if node.name is not None:
            self.bind(node.name, subject)

    def visit_MatchSequence(self, node, subject):
        star = next((i for i, part in enumerate(node.patterns) if isinstance(part, gast.MatchStar)), None)
        count = len(node.patterns) - (star is not None)
        more = [] if star is None else [build.constant("or more")]
        self.ask(build.jst_call("is_sequence", copy.deepcopy(subject), build.constant(count), *more))
        names = [_captured(part) for part in node.patterns]
        if names and all(names):
            self.bind(gast.Tuple(names, gast.Store()), subject)
            return
        for position, part in enumerate(node.patterns):
            if isinstance(part, gast.MatchStar):
                if part.name:
                    limits = build.constant(position), build.constant(count - position)
                    self.bind(part.name, build.jst_call("items_between", copy.deepcopy(subject), *limits))
            else:
                index = position if star is None or position < star else position - count - 1
                self.visit(part, _item(subject, index))

    def visit_MatchMapping(self, node, subject):
        keys = [copy.deepcopy(key) for key in node.keys]
        self.ask(build.jst_call("is_mapping", copy.deepcopy(subject), *keys))
        for key, part in zip(node.keys, node.patterns):
            self.visit(part, _item(subject, key))
        if node.rest:
            keys = [copy.deepcopy(key) for key in node.keys]
            self.bind(node.rest, build.jst_call("items_beside", copy.deepcopy(subject), *keys))

    def visit_MatchClass(self, node, subject):
        counts = [build.constant(len(node.patterns))] if node.patterns or node.kwd_attrs else []
        names = [build.constant(name) for name in node.kwd_attrs]
        self.ask(build.jst_call("is_instance", copy.deepcopy(subject), node.cls, *counts, *names))
        for position, part in enumerate(node.patterns):
            index = build.constant(position)
            self.visit(part, build.jst_call("positional", copy.deepcopy(subject), copy.deepcopy(node.cls), index))
        for name, part in zip(node.kwd_attrs, node.kwd_patterns):
            self.visit(part, build.attribute(copy.deepcopy(subject), name))

    def visit_MatchOr(self, node, subject):
        parts = [Pattern(part, subject) for part in node.patterns]
        tests = [part.test for part in parts]
        if all(tests):
            self.ask(gast.BoolOp(gast.Or(), tests))
        if not parts[0].binds:
            return
        binding = parts[-1].bindings()
        for part in reversed(parts[:-1]):
            binding = [build.branch(copy.deepcopy(part.test), part.bindings(), binding)]
        self.binds.extend(binding)


def _item(subject, index):
    """`subject[index]`"""
    index = build.constant(index) if isinstance(index, int) else copy.deepcopy(index)
    return gast.Subscript(copy.deepcopy(subject), index, gast.Load())


def _captured(pattern):
    """The target for a pattern that matches anything and binds it, or None."""
    if isinstance(pattern, gast.MatchStar) and pattern.name:
        return gast.Starred(build.store(pattern.name), gast.Store())
    if isinstance(pattern, gast.MatchAs) and pattern.pattern is None and pattern.name:
        return build.store(pattern.name)
    return None
