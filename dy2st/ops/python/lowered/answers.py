"""Yes or no in a graph: bool of any shape, or Python's True and False where the types alone decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

from ....ir.types import SumType, Type

Typed = tuple[Type, list]  # a type, and the leaves of a value of it, or the columns of those of many


def every(g: Any, answers: Iterable[Any]) -> Any:
    """Whether all of them hold."""
    asked = []
    for answer in answers:
        if answer is False:
            return False
        asked += [] if answer is True else [answer]
    return reduce(g.And, asked) if asked else True


def some(g: Any, answers: Iterable[Any]) -> Any:
    """Whether one of them holds."""
    asked = []
    for answer in answers:
        if answer is True:
            return True
        asked += [] if answer is False else [answer]
    return reduce(g.Or, asked) if asked else False


def opposite(g: Any, answer: Any) -> Any:
    """Whether it doesn't hold."""
    return not answer if isinstance(answer, bool) else g.Not(answer)


def as_value(g: Any, answer: Any) -> Any:
    """The answer as bool[]."""
    return g.const(answer) if isinstance(answer, bool) else answer


def of_alternatives(g: Any, x: Typed, ask: Callable[[Typed], Any]) -> Any:
    """What is answered for the alternative that a sum holds; for a value of another type, for itself."""
    type_, leaves = x
    if not isinstance(type_, SumType):
        return ask(x)
    found = []
    for place, alternative in enumerate(zip(type_.alternatives, g.split(leaves[1:], type_.alternatives))):
        held = g.Equal(leaves[0], place)
        with g.only_if(held):
            found.append(every(g, [ask(alternative), held]))
    return some(g, found)


def typed(g: Any, x: Any) -> Typed:
    """An operand as its type and its leaves."""
    return g.type_of(x), g.leaves_of(x)
