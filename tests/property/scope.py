"""What a writer of random code knows about the names at one point: which are bound there, and which may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

# Every name tells the kind of what it holds by its letters: i0 an int, xs1 a list of tensors.
KINDS = {
    "i": "an int",
    "f": "an int or float",
    "c": "a condition: a bool or a bool tensor",
    "x": "a float32 tensor of the input's shape",
    "s": "a 0-d tensor, or a number",
    "g": "a string",
    "l": "a list of ints",
    "xs": "a list of tensors",
    "ll": "a list of lists of ints",
    "d": "a dict from strings to ints",
    "p": "a pair of an int and a tensor",
    "o": "a Box",
    "t": "a set of ints",
    "u": "a tuple of ints",
    "q": "a Point (a dataclass)",
    "r": "a Reading (a namedtuple)",
    "j": "a function from an int to an int",
    "m": "anything",
}
NAMES_PER_KIND = 3


@dataclass
class Scope:
    """The names at one point of one function: surely bound, maybe bound, and the nested functions that can be called."""

    bound: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)
    functions: dict[str, str] = field(default_factory=dict)
    frozen: set[str] = field(default_factory=set)  # names that only read: captured, counters

    def of(self, kind: str) -> list[str]:
        return sorted(n for n in self.bound if kind_of(n) == kind)

    def unsure(self, kind: str) -> list[str]:
        return sorted(n for n in self.maybe - self.bound if kind_of(n) == kind)

    def copy(self) -> Scope:
        return Scope(set(self.bound), set(self.maybe), dict(self.functions), set(self.frozen))

    def bind(self, name: str) -> str:
        self.bound.add(name)
        self.maybe.add(name)
        return name

    def unbind(self, name: str) -> None:
        self.bound.discard(name)

    def meet(self, *paths: Scope) -> None:
        """After control flow: bound is what every path that arrives binds; `paths` lacks those that don't arrive."""
        for path in paths:
            self.maybe |= path.maybe
        if paths:
            self.bound = set.intersection(*(p.bound for p in paths))


@cache
def kind_of(name: str) -> str:
    return name.rstrip("0123456789")
