"""`list.sort` of a few objects that say themselves which is less: a run at the start, then binary insertion, as CPython does."""

from __future__ import annotations

import sys
from typing import Any

MOST = 63  # from 64 items on, CPython merges runs
KEEPS_EQUALS = sys.version_info >= (3, 13)


def sort_by_comparing(items: Any, keys: Any, less: Any, reverse: Any) -> None:
    """Sort `items` and their `keys`, another list, by `less(a, b)` of two keys."""
    if reverse:
        items.reverse()
        keys.reverse()
    run = _run(items, keys, less) if KEEPS_EQUALS else _strict_run(items, keys, less)
    for i in range(run, len(keys)):
        place = _place(keys, i, less)
        keys.insert(place, keys.pop(i))
        items.insert(place, items.pop(i))
    if reverse:
        items.reverse()


def _strict_run(items, keys, less):
    """How many keys at the start are in order, once those of which each is less than the one before it are turned around."""
    count, end = len(keys), 2
    if count < 2:
        return count
    if less(keys[1], keys[0]):
        while end < count and less(keys[end], keys[end - 1]):
            end += 1
        _turn(items, keys, 0, end)
        return end
    while end < count and not less(keys[end], keys[end - 1]):
        end += 1
    return end


def _run(items, keys, less):
    """As `_strict_run`; keys that fall may have equals among them, and what follows may go on where they are turned around."""
    count, end = len(keys), _end_of_rise(keys, 1, less)
    if end >= count or (end > 1 and less(keys[0], keys[end - 1])):
        return end
    _turn(items, keys, 0, end)
    equals, end, falls = 0, end + 1, True
    while falls and end < count:
        if less(keys[end], keys[end - 1]):
            _turn(items, keys, end - equals - 1, end)
            equals, end = 0, end + 1
        elif less(keys[end - 1], keys[end]):
            falls = False
        else:
            equals, end = equals + 1, end + 1
    _turn(items, keys, end - equals - 1, end)
    _turn(items, keys, 0, end)
    return _end_of_rise(keys, end, less)


def _end_of_rise(keys, end, less):
    """The first place from `end` on whose key is less than the one before it."""
    count = len(keys)
    while end < count and not less(keys[end], keys[end - 1]):
        end += 1
    return end


def _turn(items, keys, first, end):
    items[first:end] = items[first:end][::-1]
    keys[first:end] = keys[first:end][::-1]


def _place(keys, i, less):
    """Where the key at `i` belongs among those before it, behind its equals."""
    key, low, high = keys[i], 0, i
    while low < high:
        middle = (low + high) // 2
        if less(key, keys[middle]):
            high = middle
        else:
            low = middle + 1
    return low
