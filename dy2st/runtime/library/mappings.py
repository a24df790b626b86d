"""`collections.defaultdict` and `collections.OrderedDict`, on a dict; and `dict` itself, for classes that derive from it."""

from __future__ import annotations

import collections
import sys

from ..where.spelled_once import spelled_once
from .base import Changeable, held_by, written
from .views import ordered

_NO_DEFAULT = object()
NO_PAIR = "cannot convert dictionary update sequence element #{} to a sequence"
if sys.version_info >= (3, 14):
    NO_PAIR = "object is not iterable"


class Mapping(Changeable):
    """The base of the dicts of `collections`."""

    __module__ = "collections"

    def keys(self):
        return self._items.keys()

    def values(self):
        return self._items.values()

    def items(self):
        return self._items.items()

    def get(self, key, default=None):
        return self._items.get(key, default)

    def pop(self, key, *default):
        return self._items.pop(key, *default)

    def popitem(self):
        return self._items.popitem()

    def setdefault(self, key, default=None):
        return self._items.setdefault(key, default)

    def update(self, /, *others, **named):
        if len(others) > 1:
            raise TypeError(f"update expected at most 1 argument, got {len(others)}")
        for other in others:
            if hasattr(other, "keys") and not isinstance(other, dict):
                store_entries(self._items, other)
            else:
                self._items.update(dict(other) if hasattr(other, "keys") else other)
        self._items.update(named)

    def __getitem__(self, key):
        return self._items[key]

    def __setitem__(self, key, value):
        self._items[key] = value

    def __delitem__(self, key):
        del self._items[key]

    def __reversed__(self):
        return reversed(list(self._items))

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        merged = self.copy()
        merged.update(other)
        return merged

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        merged = self.copy()
        merged.clear()
        merged.update(other)
        merged.update(self)
        return merged

    def __ior__(self, other):
        self.update(other)
        return self

    def __eq__(self, other):
        return self._items == dict(other) if isinstance(other, dict) else NotImplemented


@written(dict)
class Dict(Mapping):
    """A dict that an object holds, for classes of the user's that derive from it."""

    def __init__(self, /, *others, **named):
        Mapping.update(self, *others, **named)

    def __getitem__(self, key):
        if self.__misses__ and key not in self._items:
            return self.__missing__(key)
        return self._items[key]

    def __or__(self, other):
        return {**self._items, **held_by(other)} if isinstance(other, dict) else NotImplemented

    def __ror__(self, other):
        return {**held_by(other), **self._items} if isinstance(other, dict) else NotImplemented

    def __ior__(self, other):
        Mapping.update(self, other)
        return self


@written(collections.defaultdict)
class defaultdict(Mapping):  # noqa: N801
    """A dict that makes the values of keys that aren't there."""

    def __init__(self, default_factory=None, /, *others, **named):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        self.default_factory = default_factory
        Mapping.update(self, *others, **named)

    def __getitem__(self, key):
        if key not in self._items:
            return self.__missing__(key)
        return self._items[key]

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        made = self._items[key] = self.default_factory()
        return made

    def copy(self):
        return type(self)(self.default_factory, self._items)

    def __repr__(self):
        return f"{type(self).__name__}({self.default_factory!r}, {self._items!r})"


@written(collections.OrderedDict)
class OrderedDict(Mapping):
    """A dict whose items can be moved to either end."""

    def __init__(self, /, *others, **named):
        OrderedDict.update(self, *others, **named)

    def update(self, /, *others, **named):
        if self.__stores__:
            for key, value in dict(*others, **named).items():
                self[key] = value
        else:
            Mapping.update(self, *others, **named)

    def keys(self):
        return ordered(self._items.keys())

    def values(self):
        return ordered(self._items.values())

    def items(self):
        return ordered(self._items.items())

    def move_to_end(self, key, last=True):
        value = self._items.pop(key)
        if last:
            self._items[key] = value
        else:
            rest = self._items.copy()
            self._items.clear()
            self._items[key] = value
            self._items.update(rest)

    def pop(self, key, default=_NO_DEFAULT):
        return self._items.pop(key) if default is _NO_DEFAULT else self._items.pop(key, default)

    def popitem(self, last=True):
        if not self._items:
            raise KeyError("dictionary is empty")
        if last:
            return self._items.popitem()
        key = list(self._items)[0]
        return key, self._items.pop(key)

    def copy(self):
        return type(self)(self._items)

    def __eq__(self, other):
        if isinstance(other, collections.OrderedDict):
            return list(self._items.items()) == list(other.items())
        return self._items == dict(other) if isinstance(other, dict) else NotImplemented

    def __repr__(self):
        if not self._items:
            return f"{type(self).__name__}()"
        shown = list(self._items.items()) if sys.version_info < (3, 12) else self._items
        return spelled_once(lambda: self, "...", lambda: f"{type(self).__name__}({shown!r})")


def store_entries(made, other):
    """`made.update(other)`, entry by entry: what comes before a failure stays."""
    if hasattr(other, "keys"):
        for key in other.keys():
            made[key] = other[key]
        return
    for place, pair in enumerate(other):
        if not hasattr(pair, "__iter__"):
            raise TypeError(NO_PAIR.format(place))
        parts = tuple(pair)
        if len(parts) != 2:
            raise ValueError(f"dictionary update sequence element #{place} has length {len(parts)}; 2 is required")
        made[parts[0]] = parts[1]


def store_all(made, items):
    """Store items as Python's `copy` does."""
    for key, value in items.items():
        made[key] = value


def from_keys(made, keys, value):
    """Store one value under each key, as `fromkeys` does."""
    for key in keys:
        made[key] = value
    return made
