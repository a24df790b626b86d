"""Where an object keeps its attributes, and their order: a trial leaves both as they were.

Where two paths meet, the order is known or it isn't.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, starmap

from ...pytree import namespace_of
from .staged_objects import is_staged_object

TABLES = ("_parameters", "_buffers", "_sub_layers")  # where a layer keeps what isn't among its plain attributes


def tables_of(owner: object) -> Iterator[dict]:
    """The dicts that hold the attributes of an object; none for one with slots, or whose fields the Program holds in order."""
    if is_staged_object(owner):
        return
    held = namespace_of(owner)
    if type(held) is dict:
        yield held
        yield from (table for name in TABLES if type(table := held.get(name)) is dict)


class Layout:
    """The order of an object's attributes; of a layer's, also in which table each is, and which buffers aren't saved."""

    def __init__(self, owner: object):
        self._owner, self._names = owner, order_of(owner)
        self._places = {name: place for place, table in enumerate(tables_of(owner)) for name in table}
        self._unsaved = set(_unsaved(owner))

    def restore(self) -> None:
        """Let the attributes that there are be where they were."""
        tables = [*tables_of(self._owner)]
        for place, table in enumerate(tables):
            for name in [name for name in table if self._places.get(name, place) != place]:
                tables[self._places[name]][name] = table[name]  # in both for a while: an interrupt loses none
                del table[name]
        if (unsaved := _unsaved(self._owner)) != self._unsaved:
            unsaved.clear()
            unsaved.update(self._unsaved)
        put_in_order(self._owner, self._names)


def is_layer(value: object) -> bool:
    """Whether this is a layer, which has tables for what isn't among its plain attributes."""
    return "_sub_layers" in getattr(value, "__dict__", ())


def _unsaved(owner: object) -> set[str]:
    """The names of a layer's buffers that aren't in its state dict."""
    held = getattr(owner, "__dict__", None)
    found = held.get("_non_persistable_buffer_names_set") if type(held) is dict else None
    return found if type(found) is set else set()


def place_of(layer: object, name: str) -> str | None:
    """The table of a layer that an attribute is in, "unsaved _buffers" for one that isn't in the state dict; None for another."""
    table = next((table for table in TABLES if name in vars(layer)[table]), None)
    return f"unsaved {table}" if table == "_buffers" and name in _unsaved(layer) else table


def order_of(owner: object) -> list[str]:
    """The names of an object's attributes, in their order."""
    return [name for table in tables_of(owner) for name in table]


def put_in_order(owner: object, names: Sequence[str]) -> None:
    """Let the attributes of these names follow each other in this order."""
    for table in tables_of(owner):
        ordered = [name for name in names if name in table]
        if ordered != [name for name in table if name in ordered]:
            move_to_end(table, ordered)


def move_to_end(table: dict[str, object], names: Sequence[str]) -> None:
    """Let these keys of a dict be its last, in this order; in one call of C, between whose steps no interrupt comes."""
    held = [(name, table[name]) for name in names]
    deque(chain(map(table.__delitem__, names), starmap(table.__setitem__, held)), maxlen=0)


def agree(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the names that both have are in one order."""
    return [name for name in one if name in other] == [name for name in other if name in one]
