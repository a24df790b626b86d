"""Comprehensions and generator expressions: `_jst.listcomp(lambda x: f(x), "for x in", xs, "if", lambda x: c(x))`."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from types import GeneratorType
from typing import Any

from ...control.trial import note_cells
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import speaks_for_the_user
from ..operations.ifelse import convert_ifelse
from .entries import convert_iter
from .generation import Generation, push_all
from .generators import pushed, run_body
from .loops import convert_while_loop
from .pulling import Sifted, is_pulled, one_by_one
from .unpacking import parts_for


def convert_listcomp(element: Callable, *clauses: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        kept: list = []
        _each(element, _paired(clauses), kept.append)
        return kept
    items: list = rec.heap.born_here([])
    push_all(Comprehension(rec, element, clauses), lambda item: rec.convert_call(items.append)(item))
    return items


def convert_setcomp(element: Callable, *clauses: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        kept: set = set()
        _each(element, _paired(clauses), kept.add)
        return kept
    items: set = rec.heap.born_here(set())
    push_all(Comprehension(rec, element, clauses), lambda item: rec.convert_call(items.add)(item))
    return items


def convert_dictcomp(element: Callable, *clauses: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        kept: dict = {}
        _each(element, _paired(clauses), lambda pair: kept.__setitem__(*pair))
        return kept
    items: dict = rec.heap.born_here({})
    push_all(Comprehension(rec, element, clauses), lambda pair: rec.at(items).__setitem__(*pair))
    return items


def convert_genexp(element: Callable, *clauses: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        (text, items), *others = _paired(clauses)
        paired = [(text, iter(items)), *others]  # Python asks for this iterator at once
        return _simple_generator(element, paired) if _is_simple(paired) else _generator(element, paired, {})
    made = GeneratorExpression(rec, element, clauses)
    return made.pulled() if is_pulled(rec) and made.has_one_loop else made


class Comprehension(Generation):
    """A comprehension while staging."""

    def __init__(self, rec: Recorder, element: Callable, clauses: tuple):
        super().__init__(rec)
        self.element, self.clauses = element, _paired(clauses)

    def describe(self) -> str:
        return "comprehension"

    def run(self, consume: Callable[[Any], Any]) -> Any:
        return self._clause(0, {}, consume)

    def _clause(self, depth: int, known: dict[str, Any], consume: Callable[[Any], Any]) -> Any:
        """Everything from a clause on, for the names bound so far; whether the consumer stopped."""
        if depth == len(self.clauses):
            return consume(self._value(self.element, known))
        text, part = self.clauses[depth]
        if text == "if":
            return convert_ifelse(
                self._value(part, known), lambda: self._clause(depth + 1, known, consume), lambda: False
            )
        items = convert_iter(self._value(part, known) if depth else part)

        def more(stopped: Any) -> Any:
            return items.more(unless=stopped)

        def body(stopped: Any) -> Any:
            return self._clause(depth + 1, {**known, **bound_by(text, items.next())}, consume)

        return convert_while_loop(more, body, [False], items, (self.element.__code__, depth))

    def _value(self, part: Callable, known: dict[str, Any]) -> Any:
        note_cells(self.rec, part)
        return _call(self.rec.convert_call(part) if part.__name__ != "<lambda>" else part, part, known)


class GeneratorExpression(Comprehension):
    """A generator expression while staging."""

    stands_for = GeneratorType

    def describe(self) -> str:
        return "generator expression"

    @property
    def has_one_loop(self) -> bool:
        return all(text == "if" for text, _ in self.clauses[1:])

    def pulled(self) -> Sifted:
        """The same, asked for one item at a time."""
        text, items = self.clauses[0]

        def handle(item: Any, keep: Callable[[Any], Any]) -> Any:
            return run_body(self.site, lambda: self._clause(1, bound_by(text, item), keep))

        return Sifted(self, one_by_one(self.rec, items), handle)

    def run(self, consume: Callable[[Any], Any]) -> Any:
        return pushed(self.rec, self.site, super().run, consume)


# --- where nothing is staged -------------------------------------------------------------------------------------------------


@speaks_for_the_user
def _each(element: Callable, clauses: list, keep: Callable[[Any], Any]) -> None:
    """Hand over the items one by one. It is no generator, in which a StopIteration of the user's would become a RuntimeError."""
    if not _is_simple(clauses):
        _each_nested(element, clauses, keep, {}, 0)
        return
    (_, items), *tests = clauses
    tests, made = [_of_item(test) for _, test in tests], _of_item(element)
    for item in items:
        for test in tests:
            if not test(item):
                break
        else:
            keep(made(item))


@speaks_for_the_user
def _each_nested(element: Callable, clauses: list, keep: Callable[[Any], Any], known: dict[str, Any], depth: int) -> None:
    if depth == len(clauses):
        keep(_call(element, element, known))
        return
    text, part = clauses[depth]
    if text == "if":
        if _call(part, part, known):
            _each_nested(element, clauses, keep, known, depth + 1)
        return
    for item in _call(part, part, known) if depth else part:
        _each_nested(element, clauses, keep, {**known, **bound_by(text, item)}, depth + 1)


@speaks_for_the_user
def _generator(element: Callable, clauses: list, known: dict[str, Any], depth: int = 0) -> Iterator:
    """The items of a generator expression."""
    if depth == len(clauses):
        yield _call(element, element, known)
        return
    text, part = clauses[depth]
    if text == "if":
        if _call(part, part, known):
            yield from _generator(element, clauses, known, depth + 1)
        return
    for item in _call(part, part, known) if depth else part:
        yield from _generator(element, clauses, {**known, **bound_by(text, item)}, depth + 1)


@speaks_for_the_user
def _simple_generator(element: Callable, clauses: list) -> Iterator:
    (_, items), *tests = clauses
    tests, made = [_of_item(test) for _, test in tests], _of_item(element)
    for item in items:
        for test in tests:
            if not test(item):
                break
        else:
            yield made(item)


def _is_simple(clauses: list) -> bool:
    """Whether there is one loop, over items with one name."""
    return isinstance(_target(clauses[0][0]), ast.Name) and all(text == "if" for text, _ in clauses[1:])


def _of_item(part: Callable) -> Callable[[Any], Any]:
    """A part of a comprehension with one name; one that doesn't read it takes none."""
    return part if part.__code__.co_argcount else lambda _: part()


def _paired(clauses: tuple) -> list[tuple[str, Any]]:
    return list(zip(clauses[::2], clauses[1::2]))


def _call(function: Callable, part: Any, known: dict[str, Any]) -> Any:
    """Call a part with the names that it takes."""
    return function(*(known[name] for name in part.__code__.co_varnames[: part.__code__.co_argcount]))


def bound_by(text: str, item: Any) -> dict[str, Any]:
    """The names that `for i, (a, b) in` binds for an item."""
    target = _target(text)
    return _bound(target, parts_for(target, item))


@functools.cache
def _target(text: str) -> ast.expr:
    loop = ast.parse(f"{text} _: pass").body[0]
    assert isinstance(loop, ast.For)
    return loop.target


def _bound(target: ast.expr, part: Any) -> dict[str, Any]:
    if isinstance(target, ast.Starred):
        target = target.value
    if isinstance(target, ast.Name):
        return {target.id: part}
    assert isinstance(target, ast.Tuple | ast.List)
    return {name: value for inner, item in zip(target.elts, part) for name, value in _bound(inner, item).items()}
