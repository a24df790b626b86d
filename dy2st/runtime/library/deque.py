"""`collections.deque`, on a list."""

from __future__ import annotations

import collections
import sys
from array import array

from ...ops import dispatch
from ..where.spelled_once import spelled_once
from .base import Changeable, Sequence, name_in_c, written

NAMES_NO_ITEM = sys.version_info >= (3, 14)  # in the messages for what isn't there
ROWS = (list, tuple, str, bytes, bytearray, array, collections.UserList, collections.UserString)  # that repeat nothing


@written(collections.deque)
class deque(Sequence, Changeable):  # noqa: N801
    """A list that is changed at both ends; a full one lets go of items at the other end."""

    def __init__(self, iterable=(), maxlen=None):
        self._items = []
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self.maxlen = maxlen
        deque.extend(self, iterable)

    def append(self, item):
        note_change(self._items)
        self._items.append(item)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop(0)

    def appendleft(self, item):
        note_change(self._items)
        self._items.insert(0, item)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            self._items.pop()

    def extend(self, iterable):
        if self.maxlen is None and not is_iterated(self._items):
            self._items.extend(iterable)
        else:
            for item in list(iterable) if iterable is self else iterable:
                deque.append(self, item)

    def extendleft(self, iterable):
        for item in list(iterable) if iterable is self else iterable:
            deque.appendleft(self, item)

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        note_change(self._items)
        return self._items.pop()

    def popleft(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        note_change(self._items)
        return self._items.pop(0)

    def rotate(self, n=1):
        if len(self._items) > 1:
            note_change(self._items)
            start = -n % len(self._items)
            self._items[:] = self._items[start:] + self._items[:start]

    def insert(self, index, item):
        if self.maxlen is not None and len(self._items) == self.maxlen:
            raise IndexError("deque already at its maximum size")
        note_change(self._items)
        self._items.insert(index, item)

    def remove(self, item):
        if item not in self._items:
            raise ValueError("deque.remove(x): x not in deque" if NAMES_NO_ITEM else f"{item!r} is not in deque")
        note_change(self._items)
        self._items.remove(item)

    def index(self, item, *bounds):
        if item not in self._items[slice(*bounds) if len(bounds) > 1 else slice(*bounds, None)]:
            raise ValueError("deque.index(x): x not in deque" if NAMES_NO_ITEM else f"{item!r} is not in deque")
        return self._items.index(item, *bounds)

    def clear(self):
        if self._items:
            note_change(self._items)
            self._items.clear()

    def copy(self):
        return _like(self, self._items)

    def reverse(self):
        self._items.reverse()

    def __getitem__(self, index):
        _check(self, index)
        return self._items[index]

    def __setitem__(self, index, item):
        _check(self, index)
        self._items[index] = item

    def __delitem__(self, index):
        _check(self, index)
        note_change(self._items)
        del self._items[index]

    def __add__(self, other):
        if not isinstance(other, collections.deque):
            if hasattr(type(other), "__radd__") and not isinstance(other, (int, float)):
                return NotImplemented
            raise TypeError(f'can only concatenate deque (not "{name_in_c(type(other))}") to deque')
        joined = deque.copy(self)
        deque.extend(joined, other)
        return joined

    def __radd__(self, other):
        return other.copy() + self if isinstance(other, collections.deque) else NotImplemented

    def __iadd__(self, other):
        deque.extend(self, other)
        return self

    def __mul__(self, times):
        if isinstance(times, collections.deque):
            raise TypeError("can't multiply sequence by non-int of type 'collections.deque'")
        return NotImplemented if isinstance(times, ROWS) else _like(self, self._items * times)

    __rmul__ = __mul__

    def __imul__(self, times):
        items = list(self._items * times)
        if len(items) != len(self._items):
            deque.clear(self)
            deque.extend(self, items)
        return self

    def __eq__(self, other):
        return [*self._items] == [*other] if isinstance(other, collections.deque) else NotImplemented

    def __lt__(self, other):
        return [*self._items] < [*other] if isinstance(other, collections.deque) else NotImplemented

    def __le__(self, other):
        return [*self._items] <= [*other] if isinstance(other, collections.deque) else NotImplemented

    def __gt__(self, other):
        return [*self._items] > [*other] if isinstance(other, collections.deque) else NotImplemented

    def __ge__(self, other):
        return [*self._items] >= [*other] if isinstance(other, collections.deque) else NotImplemented

    def __repr__(self):
        longest = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return spelled_once(lambda: self, "[...]", lambda: f"{type(self).__name__}({self._items!r}{longest})")


def note_change(items):
    """The items of a deque change, or move: what iterates it is told."""
    dispatch.current_mode().rec.iterators.note_change(items, lambda: True)


def is_iterated(items):
    """Whether something iterates the deque of these items now, so that each change of it counts."""
    return bool(dispatch.current_mode().rec.iterators.over(items))


note_change.__dy2st_skip__ = is_iterated.__dy2st_skip__ = True  # type: ignore[attr-defined]  # which run as they are


def _like(made_from, items):
    """Items in a deque of the same class, and as long at most."""
    cls = type(made_from)
    return cls(items) if made_from.maxlen is None else cls(items, made_from.maxlen)


def _check(items, index):
    if not hasattr(index, "__index__"):
        raise TypeError(f"sequence index must be integer, not '{type(index).__name__}'")
    if not -len(items._items) <= index < len(items._items):
        raise IndexError("deque index out of range")
