"""Sets whose members are known only at run time, and the operators between sets."""

from __future__ import annotations

import functools
from typing import Any

from ...errors import ConversionError
from ...ops.registry import lookup
from ..library import PYTHONS, sets
from .base import recorder
from .containers import StagedContainer


class StagedSet(StagedContainer):
    """A set whose members are known only at run time; shared by reference."""

    __slots__ = ()
    stands_for = set

    def add(self, item, /):
        lookup("set.add")(self, item)

    def update(self, *others):
        for other in others:
            if _is_whole(other):
                lookup("set.update")(self, as_set(other))
            else:
                recorder().convert_call(sets.add_each)(self, other)

    def __ior__(self, other):
        if not _is_set(other):
            return NotImplemented
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


def _is_whole(value: Any) -> bool:
    """Whether a value can be made a set at once: an iterator, or an item that can't be hashed, fails between two items."""
    if isinstance(value, list | tuple):
        return not any(type(item) in (list, dict, set) for item in value)
    return isinstance(value, (str, range, dict, set, frozenset, StagedContainer)) or type(value) in PYTHONS


def as_set(value: Any) -> Any:
    """The items of a value as a set that the Program can take; a set is not copied."""
    return value if isinstance(value, StagedSet) else recorder().convert_call(set)(value)


def _is_set(value: Any) -> bool:
    """Whether Python takes a value for a set where an operator changes another one."""
    return isinstance(value, SETS) or any(issubclass(PYTHONS.get(cls, object), (set, frozenset)) for cls in type(value).__mro__)


def _between_sets(name: str):
    def forward(self, other):
        return lookup(name)(self, as_set(other)) if isinstance(other, SETS) else NotImplemented

    def reflected(self, other):
        if isinstance(other, frozenset):
            raise ConversionError(
                "an operator on a frozenset gives a frozenset, which has no type in a Program: write set(value) on its left"
            )
        return lookup(name)(as_set(other), self) if isinstance(other, SETS) else NotImplemented

    return forward, reflected


def _in_place(name: str):
    def change(self, other):
        if not _is_set(other):
            return NotImplemented
        self._become(lookup(name)(self, as_set(other)))
        return self

    return change


SETS = (set, frozenset, StagedSet)
for _symbol, _name in {"and": "intersection", "or": "union", "sub": "difference", "xor": "symmetric_difference"}.items():
    for _prefix, _method in zip(("", "r"), _between_sets(f"set.{_name}")):
        setattr(StagedSet, f"__{_prefix}{_symbol}__", _method)
    if _symbol != "or":
        setattr(StagedSet, f"__i{_symbol}__", _in_place(f"set.{_name}"))
