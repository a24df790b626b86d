"""Nested lists, tuples and dicts: their items, and structures of other items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..pytree import copied, items_of, walk


def flatten(nest: Any) -> list:
    """The items of `nest`, nested lists, tuples and dicts (by key), one after the other in a list; anything else is an item.

    >>> dy2st.utils.flatten([1, {"b": 3, "a": 2}])
    [1, 2, 3]
    """
    return list(walk(nest, _is_item, _parts))


def pack_sequence_as(structure: Any, flat_sequence: list) -> Any:
    """The items `flat_sequence`, as `flatten` gives them, in this structure.

    ValueError: more or fewer of them than it has places.
    """
    count = len(flatten(structure))
    if count != len(flat_sequence):
        raise ValueError(f"pack_sequence_as: {len(flat_sequence)} items for a structure of {count}")
    places = iter(range(count))
    numbered = copied(structure, _is_item, lambda item: next(places))
    item_at = dict(zip(flatten(numbered), flat_sequence))
    return copied(numbered, _is_item, item_at.get)


def _parts(nest: Any) -> list:
    return [nest[key] for key in sorted(nest)] if isinstance(nest, dict) else items_of(nest)


def _is_item(part: Any) -> bool:
    return not isinstance(part, dict | list | tuple)


def map_structure(func: Callable, *structures: Any) -> Any:
    """`func` of the items that stand in the same place of each of `structures`, in the structure of the first.

    ValueError: they have different numbers of items.

    >>> dy2st.utils.map_structure(lambda a, b: a + b, [1, 2], [10, 20])
    [11, 22]
    """
    flat = [flatten(structure) for structure in structures]
    if len(set(map(len, flat))) != 1:
        raise ValueError(f"map_structure: structures of {', '.join(str(len(items)) for items in flat)} items")
    return pack_sequence_as(structures[0], [func(*items) for items in zip(*flat)])
