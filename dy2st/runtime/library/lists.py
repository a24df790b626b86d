"""`list`, for classes of the user's that derive from it: as Python's C code, its methods call none of the subclass."""

from __future__ import annotations

from .base import Changeable, Sequence, held_by, written
from .length_hints import length_hint


@written(list)
class List(Sequence, Changeable):
    """A list that an object holds."""

    def __init__(self, iterable=(), /):
        items = list(iterable)
        self._items.clear()
        self._items.extend(items)

    def append(self, item):
        self._items.append(item)

    def extend(self, iterable):
        self._items.extend(iterable)

    def insert(self, index, item):
        self._items.insert(index, item)

    def pop(self, *index):
        return self._items.pop(*index)

    def remove(self, item):
        self._items.remove(item)

    def reverse(self):
        self._items.reverse()

    def sort(self, *, key=None, reverse=False):
        self._items.sort(key=key, reverse=reverse)

    def __setitem__(self, index, item):
        self._items[index] = item

    def __delitem__(self, index):
        del self._items[index]

    def __reversed__(self):
        return reversed(self._items)

    def __add__(self, other):
        if not isinstance(other, list):
            raise TypeError(f'can only concatenate list (not "{type(other).__name__}") to list')
        return list(self._items + held_by(other))

    def __radd__(self, other):
        return list(held_by(other) + self._items) if isinstance(other, list) else NotImplemented

    def __iadd__(self, other):
        self._items.extend(other)
        return self

    def __mul__(self, times):
        return list(self._items * times)

    __rmul__ = __mul__

    def __imul__(self, times):
        items = list(self._items * times)
        self._items.clear()
        self._items.extend(items)
        return self

    def __eq__(self, other):
        return self._items == held_by(other) if isinstance(other, list) else NotImplemented

    def __lt__(self, other):
        return [*self._items] < [*held_by(other)] if isinstance(other, list) else NotImplemented

    def __le__(self, other):
        return [*self._items] <= [*held_by(other)] if isinstance(other, list) else NotImplemented

    def __gt__(self, other):
        return [*self._items] > [*held_by(other)] if isinstance(other, list) else NotImplemented

    def __ge__(self, other):
        return [*self._items] >= [*held_by(other)] if isinstance(other, list) else NotImplemented


def append_all(made, items):
    """Append items as Python's `copy` does."""
    for item in items:
        made.append(item)


def extend_by_each(made, items):
    """`made.extend(items)`, item by item: what comes before a failure stays."""
    for item in items:
        made.extend([item])


def extend_by_measured(made, items):
    """`made.extend(items)` of an object that says how many items it gives."""
    iterator = iter(items)
    length_hint(items)
    for item in iterator:
        made.extend([item])
