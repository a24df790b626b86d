"""What a Value of the original Program stands for while the walk is at it.

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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ...ir.core import Value
from ...ir.types import SumType, TupleType, Type

if TYPE_CHECKING:
    from .state import Run


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


def parts_by_name(thing: Thing) -> list[tuple[int, Thing]]:
    """The items of a tuple and the alternatives of a sum, each with its number."""
    if isinstance(thing, Bundle):
        return list(enumerate(thing.things))
    return list(thing.parts.items()) if isinstance(thing, KnownSum) else []


def mapped_thing(change: Callable[[Thing], Thing], thing: Thing) -> Thing:
    """A thing with `change(part)` in place of each of its parts."""
    if isinstance(thing, Bundle):
        return Bundle(thing.type, tuple(map(change, thing.things)))
    if isinstance(thing, KnownSum):
        return KnownSum(thing.type, thing.tag, {k: change(part) for k, part in thing.parts.items()})
    if isinstance(thing, Choice):
        return Choice(thing.condition, change(thing.then), change(thing.orelse))
    return thing
