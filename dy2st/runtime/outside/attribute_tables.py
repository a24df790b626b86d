"""Classes of another library whose `__getattr__` only looks into tables of the object, and runs no code of the user's."""

from __future__ import annotations

from collections.abc import Callable

from ...pytree import namespace_of
from ..heap.markers import MISSING
from ..heap.own_attributes import in_classes

_TABLES: dict[Callable, tuple[str, ...]] = {}


def note_tables(find: Callable, tables: tuple[str, ...]) -> None:
    """`find` is the `__getattr__` of a class; it looks into these attributes of the object, dicts, one after the other."""
    _TABLES[find] = tables


def tables_to(value: object, name: str) -> tuple[str, ...]:
    """The tables that are looked into for an attribute, up to the one that has it; none, where it isn't found in that way."""
    cls, own = type(value), namespace_of(value)
    if name in own or in_classes(cls.__mro__, name) is not MISSING:
        return ()
    tables = _TABLES.get(getattr(cls, "__getattr__", None), ())  # type: ignore[arg-type]
    places = [place for place, table in enumerate(tables) if name in own.get(table, ())]
    return tables[: places[0] + 1] if places else ()
