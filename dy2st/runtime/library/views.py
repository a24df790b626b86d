"""`d.keys()`, `d.values()` and `d.items()`: they show what the dict holds when they are looked at."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ...ops import dispatch
from ..where.spelled_once import spelled_once
from .base import Written, written


class DictView(Written):
    """The base of the views: a dict, and which part of it they show."""

    __module__ = "collections"
    _part: str
    _table: Any

    def __iter__(self):
        return iter(dispatch.current_mode().rec.known_items(self))

    def __len__(self):
        return len(self._table)

    def __reversed__(self):
        return reversed([*self])

    def __repr__(self):
        return spelled_once(lambda: self, "...", lambda: f"{type(self).__name__}({[*self]!r})")


@written(type({}.values()))
class dict_values(DictView):  # noqa: N801
    """The values, which compare by identity."""

    _part = "values"

    def __contains__(self, value):
        return any(value is held or value == held for held in self)


class SetView(DictView):
    """What keys and items have in common: with others, and with sets, operators are those of sets."""

    __module__ = "collections"

    def isdisjoint(self, other):
        return not any(item in self for item in other)

    def __and__(self, other):
        return set(self) & set(other)

    __rand__ = __and__

    def __or__(self, other):
        return set(self) | set(other)

    __ror__ = __or__

    def __xor__(self, other):
        return set(self) ^ set(other)

    __rxor__ = __xor__

    def __sub__(self, other):
        return set(self) - set(other)

    def __rsub__(self, other):
        return set(other) - set(self)

    def __eq__(self, other):
        return len(self) == len(other) and self <= other if isinstance(other, KINDS) else NotImplemented

    def __le__(self, other):
        return all(item in other for item in self) if isinstance(other, KINDS) else NotImplemented

    def __lt__(self, other):
        return len(self) < len(other) and self <= other if isinstance(other, KINDS) else NotImplemented

    def __ge__(self, other):
        return all(item in self for item in other) if isinstance(other, KINDS) else NotImplemented

    def __gt__(self, other):
        return len(self) > len(other) and self >= other if isinstance(other, KINDS) else NotImplemented


EMPTY: OrderedDict = OrderedDict()
KINDS: tuple = (set, frozenset, type({}.keys()), type({}.items()), type(EMPTY.keys()), type(EMPTY.items()))


@written(type({}.keys()))
class dict_keys(SetView):  # noqa: N801
    """The keys."""

    _part = "keys"

    def __contains__(self, key):
        return key in self._table


@written(type({}.items()))
class dict_items(SetView):  # noqa: N801
    """The pairs of keys and values."""

    _part = "items"

    def __contains__(self, pair):
        if not isinstance(pair, tuple) or len(pair) != 2:
            return False
        key, value = pair
        if key not in self._table:
            return False
        held = self._table[key]
        return value is held or value == held


@written(type(EMPTY.keys()))
class odict_keys(dict_keys):  # noqa: N801
    """The keys of an OrderedDict."""


@written(type(EMPTY.values()))
class odict_values(dict_values):  # noqa: N801
    """The values of an OrderedDict."""


@written(type(EMPTY.items()))
class odict_items(dict_items):  # noqa: N801
    """The pairs of an OrderedDict."""


ORDERED = {dict_keys: odict_keys, dict_values: odict_values, dict_items: odict_items}
PARTS = {"keys": dict_keys, "values": dict_values, "items": dict_items}


def view_of(table: Any, part: str) -> DictView:
    """The view of a dict that its method `part` gives."""
    made = object.__new__(PARTS[part])
    vars(made)["_table"] = table
    return made


def ordered(view: Any) -> Any:
    """A dict's view as that of an OrderedDict; a staged view is returned unchanged."""
    if type(view) not in ORDERED:
        return view
    made = object.__new__(ORDERED[type(view)])
    vars(made).update(vars(view))
    return made


ordered.__dy2st_skip__ = True  # type: ignore[attr-defined]  # it runs as it is
