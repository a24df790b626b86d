"""`list.sort` of a few objects that say themselves which is less: a run at the start, then binary insertion, as CPython does."""

from __future__ import annotations

from typing import Any

MOST = 63  # from 64 items on, CPython merges runs


def sort_by_comparing(items: Any, keys: Any, less: Any, reverse: Any) -> None:
    """Sort `items` and their `keys`, another list, by `less(a, b)` of two keys."""
    if reverse:
        items.reverse()
        keys.reverse()
    run = _run(keys, less)
    if run < 0:
        run = -run
        items[:run] = items[:run][::-1]
        keys[:run] = keys[:run][::-1]
    for i in range(run, len(keys)):
        place = _place(keys, i, less)
        keys.insert(place, keys.pop(i))
        items.insert(place, items.pop(i))
    if reverse:
        items.reverse()


def _run(keys, less):
    """How many keys at the start are in order; as a negative number, where each is less than the one before it."""
    count, end = len(keys), 2
    if count < 2:
        return count
    if less(keys[1], keys[0]):
        while end < count and less(keys[end], keys[end - 1]):
            end += 1
        return -end
    while end < count and not less(keys[end], keys[end - 1]):
        end += 1
    return end


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
