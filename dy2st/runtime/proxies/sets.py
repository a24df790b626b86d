"""Sets whose members are known only at run time, and the operators between sets."""

from __future__ import annotations

import functools
from typing import Any

from ...ops.registry import lookup
from .base import recorder
from .containers import StagedContainer


class StagedSet(StagedContainer):
    """A set whose members are known only at run time; shared by reference."""

    __slots__ = ()
    stands_for = set

    def add(self, item, /):
        lookup("set.add")(self, item)

    def update(self, *others):
        for other in map(as_set, others):
            lookup("set.update")(self, other)

    def __ior__(self, other):
        self.update(other)
        return self

    def discard(self, item, /):
        lookup("set.discard")(self, item)

    def remove(self, item, /):
        lookup("set.remove")(self, item)

    def pop(self):
        return lookup("set.pop")(self)

    def difference_update(self, *others):
        self._become(self.difference(*others))

    def intersection_update(self, *others):
        self._become(self.intersection(*others))

    def symmetric_difference_update(self, other, /):
        self._become(self.symmetric_difference(other))

    def _become(self, other):
        self.clear()
        self.update(other)

    def copy(self):
        return lookup("set.copy")(self)

    def clear(self):
        lookup("set.clear")(self)

    def length(self):
        return lookup("set.len")(self)

    def contains(self, item):
        return lookup("set.contains")(self, item)

    def union(self, *others):
        return functools.reduce(lookup("set.union"), map(as_set, others), self.copy())

    def intersection(self, *others):
        return functools.reduce(lookup("set.intersection"), map(as_set, others), self.copy())

    def difference(self, *others):
        return functools.reduce(lookup("set.difference"), map(as_set, others), self.copy())

    def symmetric_difference(self, other, /):
        return lookup("set.symmetric_difference")(self, as_set(other))

    def isdisjoint(self, other, /):
        return lookup("set.isdisjoint")(self, as_set(other))

    def issubset(self, other, /):
        return lookup("container.compare")(self, as_set(other), symbol="<=")

    def issuperset(self, other, /):
        return lookup("container.compare")(self, as_set(other), symbol=">=")


def as_set(value: Any) -> Any:
    """The items of a value as a set that the Program can take; a set is not copied."""
    return value if isinstance(value, StagedSet) else recorder().convert_call(set)(value)


def _between_sets(name: str):
    def forward(self, other):
        return lookup(name)(self, as_set(other)) if isinstance(other, SETS) else NotImplemented

    def reflected(self, other):
        return lookup(name)(as_set(other), self) if isinstance(other, SETS) else NotImplemented

    return forward, reflected


def _in_place(name: str):
    def change(self, other):
        self._become(lookup(name)(self, as_set(other)))
        return self

    return change


SETS = (set, frozenset, StagedSet)
for _symbol, _name in {"and": "intersection", "or": "union", "sub": "difference", "xor": "symmetric_difference"}.items():
    for _prefix, _method in zip(("", "r"), _between_sets(f"set.{_name}")):
        setattr(StagedSet, f"__{_prefix}{_symbol}__", _method)
    if _symbol != "or":
        setattr(StagedSet, f"__i{_symbol}__", _in_place(f"set.{_name}"))
