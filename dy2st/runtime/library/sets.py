"""`set`, for classes of the user's that derive from it: as Python's C code, its methods call none of the subclass."""

from __future__ import annotations

from .base import Changeable, held_by, written


@written(set)
class Set(Changeable):
    """A set that an object holds. What it makes is a set of Python's own."""

    def __init__(self, iterable=(), /):
        items = set(iterable)
        self._items.clear()
        self._items.update(items)

    def add(self, item):
        self._items.add(item)

    def discard(self, item):
        self._items.discard(item)

    def remove(self, item):
        self._items.remove(item)

    def pop(self):
        return self._items.pop()

    def update(self, *others):
        for other in others:
            self._items.update(set(held_by(other)))

    def difference_update(self, *others):
        for other in others:
            self._items.difference_update(set(held_by(other)))

    def intersection_update(self, *others):
        for other in others:
            self._items.intersection_update(set(held_by(other)))

    def symmetric_difference_update(self, other):
        self._items.symmetric_difference_update(set(held_by(other)))

    def union(self, *others):
        made = self._items.copy()
        for other in others:
            made.update(set(held_by(other)))
        return made

    def difference(self, *others):
        made = self._items.copy()
        for other in others:
            made.difference_update(set(held_by(other)))
        return made

    def intersection(self, *others):
        made = self._items.copy()
        for other in others:
            made.intersection_update(set(held_by(other)))
        return made

    def symmetric_difference(self, other):
        return self._items.symmetric_difference(set(held_by(other)))

    def issubset(self, other):
        return self._items.issubset(set(held_by(other)))

    def issuperset(self, other):
        return self._items.issuperset(set(held_by(other)))

    def isdisjoint(self, other):
        return self._items.isdisjoint(set(held_by(other)))

    def __or__(self, other):
        return self._items.union(set(held_by(other))) if isinstance(other, KINDS) else NotImplemented

    __ror__ = __or__

    def __and__(self, other):
        return self._items.intersection(set(held_by(other))) if isinstance(other, KINDS) else NotImplemented

    __rand__ = __and__

    def __xor__(self, other):
        return self._items.symmetric_difference(set(held_by(other))) if isinstance(other, KINDS) else NotImplemented

    __rxor__ = __xor__

    def __sub__(self, other):
        return self._items.difference(set(held_by(other))) if isinstance(other, KINDS) else NotImplemented

    def __rsub__(self, other):
        return set(held_by(other)).difference(self._items) if isinstance(other, KINDS) else NotImplemented

    def __ior__(self, other):
        if not isinstance(other, KINDS):
            return NotImplemented
        self._items.update(set(held_by(other)))
        return self

    def __iand__(self, other):
        if not isinstance(other, KINDS):
            return NotImplemented
        self._items.intersection_update(set(held_by(other)))
        return self

    def __ixor__(self, other):
        if not isinstance(other, KINDS):
            return NotImplemented
        self._items.symmetric_difference_update(set(held_by(other)))
        return self

    def __isub__(self, other):
        if not isinstance(other, KINDS):
            return NotImplemented
        self._items.difference_update(set(held_by(other)))
        return self

    def __eq__(self, other):
        return self._items == set(held_by(other)) if isinstance(other, KINDS) else NotImplemented

    def __le__(self, other):
        return self._items.issubset(set(held_by(other))) if isinstance(other, KINDS) else NotImplemented

    def __ge__(self, other):
        return self._items.issuperset(set(held_by(other))) if isinstance(other, KINDS) else NotImplemented

    def __lt__(self, other):
        return Set.__le__(self, other) and len(self._items) < len(held_by(other)) if isinstance(other, KINDS) else NotImplemented

    def __gt__(self, other):
        return Set.__ge__(self, other) and len(self._items) > len(held_by(other)) if isinstance(other, KINDS) else NotImplemented

    def __repr__(self):
        name = type(self).__name__
        return f"{name}({self._items!r})" if self._items else f"{name}()"


KINDS: tuple = (set, frozenset)


def add_each(made, items):
    """`made.update(items)`, item by item: what comes before a failure stays."""
    for item in items:
        made.add(item)


def drop_each(made, items):
    """`made.difference_update(items)`, item by item."""
    for item in items:
        made.discard(item)
