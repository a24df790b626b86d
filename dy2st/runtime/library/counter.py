"""`collections.Counter`, on a dict."""

from __future__ import annotations

import collections
import collections.abc

from .base import held_by, written
from .mappings import Mapping


@written(collections.Counter)
class Counter(Mapping):
    """How often each key was met."""

    def __init__(self, iterable=None, /, **named):
        self.update(iterable, **named)

    def __getitem__(self, key):
        if self.__misses__ and key not in self._items:
            return self.__missing__(key)
        return self._items.get(key, 0)

    def __delitem__(self, key):
        self._items.pop(key, None)

    def update(self, iterable=None, /, **named):
        _count(self, iterable, 1)
        _count(self, named, 1)

    def subtract(self, iterable=None, /, **named):
        _count(self, iterable, -1)
        _count(self, named, -1)

    def most_common(self, n=None):
        ordered = sorted(self._items.items(), key=lambda item: item[1], reverse=True)
        return ordered if n is None else ordered[: max(n, 0)]

    def elements(self):
        for key, count in self._items.items():
            for _ in range(count):
                yield key

    def total(self):
        return sum(self._items.values())

    def copy(self):
        return type(self)(self._items)

    def __add__(self, other):
        return _combined(self, other, lambda mine, theirs: mine + theirs)

    def __sub__(self, other):
        return _combined(self, other, lambda mine, theirs: mine - theirs)

    def __or__(self, other):
        if type(other) is dict:  # Python's dict reflects `|`, and doesn't know this class
            return {**self._items, **held_by(other)}
        return _combined(self, other, lambda mine, theirs: max(mine, theirs))

    def __and__(self, other):
        return _combined(self, other, lambda mine, theirs: min(mine, theirs))

    # Python's Counter reflects nothing but `|`: these are for one from outside on the left, which doesn't know this class.

    def __radd__(self, other):
        return collections.Counter(other) + self if isinstance(other, collections.Counter) else NotImplemented

    def __rsub__(self, other):
        return collections.Counter(other) - self if isinstance(other, collections.Counter) else NotImplemented

    def __rand__(self, other):
        return collections.Counter(other) & self if isinstance(other, collections.Counter) else NotImplemented

    def __ror__(self, other):
        if isinstance(other, collections.Counter):
            return collections.Counter(other) | self
        return {**held_by(other), **self._items} if isinstance(other, dict) else NotImplemented

    def __pos__(self):
        return self + collections.Counter()

    def __neg__(self):
        return collections.Counter() - self

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] += count
        return _keep_positive(self)

    def __isub__(self, other):
        for key, count in other.items():
            self[key] -= count
        return _keep_positive(self)

    def __ior__(self, other):
        for key, count in other.items():
            if count > self[key]:
                self[key] = count
        return _keep_positive(self)

    def __iand__(self, other):
        for key, count in list(self.items()):
            other_count = other[key]
            if other_count < count:
                self[key] = other_count
        return _keep_positive(self)

    def __le__(self, other):
        if not isinstance(other, collections.Counter):
            return NotImplemented
        return all(self[key] <= other[key] for key in [*self.keys(), *other.keys()])

    def __ge__(self, other):
        return other <= self if isinstance(other, collections.Counter) else NotImplemented

    def __lt__(self, other):
        return self <= other and self != other if isinstance(other, collections.Counter) else NotImplemented

    def __gt__(self, other):
        return other < self if isinstance(other, collections.Counter) else NotImplemented

    def __eq__(self, other):
        if isinstance(other, collections.Counter):
            return all(self[key] == other[key] for key in [*self.keys(), *other.keys()])
        return self._items == dict(other) if isinstance(other, dict) else NotImplemented

    def __repr__(self):
        name = type(self).__name__
        return f"{name}({dict(self.most_common())!r})" if self._items else f"{name}()"


def _count(counts, iterable, sign):
    if isinstance(iterable, collections.abc.Mapping):
        for key, count in iterable.items():
            counts._items[key] = counts._items.get(key, 0) + count * sign
    elif iterable is not None:
        for key in iterable:
            counts._items[key] = counts._items.get(key, 0) + sign


def _combined(counts, other, combine):
    if not isinstance(other, collections.Counter):
        return NotImplemented
    result = collections.Counter()
    for key, count in counts._items.items():
        combined = combine(count, other[key])
        if combined > 0:
            result[key] = combined
    for key, count in other.items():
        if key not in counts._items:
            combined = combine(0, count)
            if combined > 0:
                result[key] = combined
    return result


def _keep_positive(counts):
    for key in [key for key, count in counts.items() if not count > 0]:
        del counts[key]
    return counts
