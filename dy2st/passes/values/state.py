"""What lies in the places of the heap, and the heap at one moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ...ir.core import Value
from .things import Location, Thing, is_same


@dataclass(frozen=True, eq=False)
class Listed:
    """The items of a list whose length is known."""

    things: tuple[Thing, ...] = ()


@dataclass(frozen=True, eq=False)
class Run:
    """The items of a list, as one sequence.

    layouts: for each level of lists in it, a token that is another one once items have moved there. writes: a token that is
    another one once an element was changed in its place. owned: whether nobody else knows the lists and objects in it.
    """

    value: Value
    layouts: tuple[object, ...]
    writes: object = field(default_factory=object)
    owned: bool = True

    def moved(self, value: Value, level: int = 0) -> Run:
        """With another sequence, whose items lie elsewhere at some level."""
        layouts = tuple(object() if k == level else token for k, token in enumerate(self.layouts))
        return replace(self, value=value, layouts=layouts)


@dataclass(frozen=True, eq=False)
class Fields:
    """What an object holds by the names of its fields, or a dict by its keys, in order.

    present: of keys that needn't be there, whether they are.
    """

    things: dict[Any, Thing]
    present: dict[Any, Value] = field(default_factory=dict)

    def has(self, key: Any) -> bool:
        """Whether a key is there for sure."""
        return key in self.things and key not in self.present

    def known(self, key: Any, is_there: bool) -> Fields:
        """The same, where it is known whether a key is there."""
        things = {name: thing for name, thing in self.things.items() if is_there or name != key}
        return Fields(things, {name: flag for name, flag in self.present.items() if name != key})


@dataclass(frozen=True, eq=False)
class Held:
    """What a cell holds, or a piece of state."""

    thing: Thing


Content = Listed | Run | Fields | Held


def things_in(content: Content) -> tuple[Thing, ...]:
    """What a content holds directly."""
    if isinstance(content, Listed):
        return content.things
    if isinstance(content, Fields):
        return tuple(content.things.values())
    return (content.thing,) if isinstance(content, Held) else ()


def holds_same(a: Content, b: Content) -> bool:
    """Whether two contents are the same things."""
    if a is b:
        return True
    if isinstance(a, Run) and isinstance(b, Run):
        return (a.value, a.layouts, a.writes, a.owned) == (b.value, b.layouts, b.writes, b.owned)
    if type(a) is not type(b) or len(things_in(a)) != len(things_in(b)):
        return False
    if isinstance(a, Fields) and isinstance(b, Fields) and (list(a.things) != list(b.things) or a.present != b.present):
        return False
    return all(map(is_same, things_in(a), things_in(b)))


def merged_order(first: list[Any], second: list[Any]) -> list[Any] | None:
    """An order in which both lists are in order; None where there is none."""
    merged, left = [], list(second)
    for name in first:
        if name in left:
            before = left[: left.index(name)]
            if set(before) & set(first):
                return None
            merged += before
            del left[: len(before) + 1]
        merged.append(name)
    return merged + left


def mapped_content(change: Callable[[Thing], Thing], content: Content) -> Content:
    """A content with `change(thing)` in place of each thing in it."""
    if isinstance(content, Listed):
        return Listed(tuple(map(change, content.things)))
    if isinstance(content, Fields):
        return replace(content, things={name: change(thing) for name, thing in content.things.items()})
    return Held(change(content.thing)) if isinstance(content, Held) else content


class State:
    """What the heap holds at one moment: contents by Location, which of them may not be changed any more, and the error.

    frozen: a Location, and the operation that has copied what it holds. error: the Value that is 0 unless something was raised;
    None where nothing was.
    """

    def __init__(self, contents: dict[Location, Content] | None = None, frozen: dict | None = None, error: Value | None = None):
        self.contents = {} if contents is None else contents
        self.frozen = {} if frozen is None else frozen
        self.error = error

    def copy(self) -> State:
        return State(dict(self.contents), dict(self.frozen), self.error)
