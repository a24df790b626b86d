"""What a Value of the original Program stands for while the walk is at it, and what lies in a place of the heap.

    xs = []            xs: a Location, that holds Listed()
    xs.append(a)       the Location holds Listed(a)
    ys = xs            ys: the same Location
    t = (xs, n)        t: Bundle(the Location, n)
    z = xs if c else zs            z: Choice(c, xs, zs)
    w = None if c else xs          w: KnownSum(tag, {1: xs})
    r = rows[i]        r: Element of rows, where rows is a Run: a sequence that is a Value
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ...ir.core import Value
from ...ir.types import SumType, TupleType, Type


class Location:
    """An object of the original Program: a list, dict, object or cell.

    type: as the original Program has it. key: what it is known by when the walk comes again.
    """

    def __init__(self, type_: Type, key: Hashable, name: str = ""):
        self.type, self.key, self.name = type_, key, name

    def __repr__(self) -> str:
        return f"<Location {self.name or '?'}: {self.type}>"


@dataclass(eq=False)
class Bundle:
    """A tuple."""

    type: TupleType
    things: tuple[Thing, ...]


@dataclass(eq=False)
class Choice:
    """One reference or another, by what a condition was."""

    condition: Value
    then: Thing
    orelse: Thing

    @property
    def type(self) -> Type:
        return self.then.type


@dataclass(eq=False)
class KnownSum:
    """A sum whose alternatives are apart: `parts` has those that it may be, of which `tag` says which it is."""

    type: SumType
    tag: Value
    parts: dict[int, Thing]


@dataclass(eq=False)
class OpenSum:
    """A sum with references in it that is one Value. place: where it lies; None where nobody else knows it."""

    type: SumType
    value: Value
    place: Place | None


@dataclass(eq=False)
class Undefined:
    """What nobody reads, of a type for which no blank value can be made: what the other path has stands for it."""

    type: Type


class At(NamedTuple):
    """A step into a sequence: item number `position` of the sequence `of`, as it was when the step was taken."""

    position: Value
    of: Value


class Part(NamedTuple):
    """A step into a tuple."""

    number: int


class Alternative(NamedTuple):
    """A step into a sum of such a type."""

    number: int
    type: SumType


Step = At | Part | Alternative


class Place(NamedTuple):
    """Where a Value lies in the sequence that a Location holds, and how that was when the Value was read."""

    root: Location
    steps: tuple[Step, ...]
    run: Run

    def then(self, step: Step) -> Place:
        """One step further."""
        return self._replace(steps=(*self.steps, step))

    @property
    def depth(self) -> int:
        """In how many sequences it lies."""
        return sum(isinstance(step, At) for step in self.steps)


@dataclass(eq=False)
class Element:
    """A reference that lies in a sequence: `value` is what it held when it was read."""

    type: Type
    value: Value
    place: Place


Reference = Location | Choice | Element
Thing = Value | Bundle | KnownSum | OpenSum | Location | Choice | Element | Undefined
REFERENCES = (Location, Choice, Element)


# --- contents ---------------------------------------------------------------------------------------------------------


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


def parts_of(thing: Thing) -> tuple[Thing, ...]:
    """The things of which a thing consists."""
    if isinstance(thing, Bundle):
        return thing.things
    if isinstance(thing, KnownSum):
        return tuple(thing.parts.values())
    return (thing.then, thing.orelse) if isinstance(thing, Choice) else ()


def is_same(a: Thing | None, b: Thing | None) -> bool:
    """Whether two things are the same Values and references."""
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Value | Location | Undefined):
        return False
    if isinstance(a, Choice | KnownSum) and _own_values(a) != _own_values(b):
        return False
    if isinstance(a, Element | OpenSum):
        assert isinstance(b, Element | OpenSum)
        return a.value is b.value and a.place == b.place
    assert a is not None and b is not None
    return len(parts_of(a)) == len(parts_of(b)) and all(map(is_same, parts_of(a), parts_of(b)))


def _own_values(thing: Any) -> tuple:
    return (thing.condition,) if isinstance(thing, Choice) else (thing.tag, *thing.parts)


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


def parts_by_name(thing: Thing) -> list[tuple[int, Thing]]:
    """The items of a tuple and the alternatives of a sum, each with its number."""
    if isinstance(thing, Bundle):
        return list(enumerate(thing.things))
    return list(thing.parts.items()) if isinstance(thing, KnownSum) else []


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


def mapped_thing(change: Callable[[Thing], Thing], thing: Thing) -> Thing:
    """A thing with `change(part)` in place of each of its parts."""
    if isinstance(thing, Bundle):
        return Bundle(thing.type, tuple(map(change, thing.things)))
    if isinstance(thing, KnownSum):
        return KnownSum(thing.type, thing.tag, {k: change(part) for k, part in thing.parts.items()})
    if isinstance(thing, Choice):
        return Choice(thing.condition, change(thing.then), change(thing.orelse))
    return thing


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
