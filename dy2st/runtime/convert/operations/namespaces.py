"""`vars(o)` and `o.__dict__`: a change of the dict is one of the object's attributes, past what its class says of stores."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from .... import pytree
from ....errors import ConversionError
from ...heap.journal import PlainAttribute
from ...heap.markers import MISSING
from ...heap.own_attributes import in_classes
from ...heap.staged_objects import python_class
from ...library import Written
from ...recorder.recorder import Recorder
from ...where.faults import as_the_user
from .attributes import may_be_absent, store, store_global


def namespace(rec: Recorder, owner: Any, found: Any) -> Any:
    """The attributes of an object. ConversionError: the path decides which exist, or in which order."""
    refuse_absent(rec, "vars(x) of an object", found)
    if not rec.heap.has_order(owner):
        raise ConversionError(
            f"{rec.here()}: vars(x) of an object whose attributes were set in another order on another path; set them in one "
            "order on every path, or before"
        )
    if isinstance(owner, Written):
        slots = dict(pytree.slots_of(python_class(owner) or object))
        return rec.heap.shown({name: held for name, held in found.items() if name not in slots})
    if type(found) is dict and not isinstance(owner, ModuleType):
        rec.heap.note_namespace(found, owner)
    if type(found) in (dict, MappingProxyType):
        rec.facts.read_names(rec, owner)
    return found


def refuse_absent(rec: Recorder, what: str, table: Mapping[str, Any]) -> None:
    """ConversionError where a name of a table has a value on some paths only."""
    for name, held in table.items():
        if may_be_absent(rec, held):
            raise ConversionError(
                f"{rec.here()}: {what} that has {name!r} on some paths only; give that a value, such as None, on every path, or "
                "before the first call"
            )


def store_by_name(rec: Recorder, owner: Any, name: Any, item: Any) -> None:
    """`vars(owner)[name] = item`; where `owner` is the dict of a module's variables itself, a variable is stored."""
    if type(owner) is dict:
        store_global(rec, owner, name, item)
        return
    if not isinstance(name, str) or hasattr(in_classes(type(owner).__mro__, name), "__set__"):
        raise ConversionError(
            f"{rec.here()}: vars(x)[{name!r}] isn't what x.{name} gives, since its class answers that; use another name"
        )
    store(rec, PlainAttribute(owner, name), item)


def delete_by_name(rec: Recorder, owner: Any, table: dict, name: Any) -> None:
    """`del vars(owner)[name]`, where `table` is `vars(owner)`."""
    as_the_user(operator.getitem, table, name)  # a KeyError where there is none
    store_by_name(rec, owner, name, MISSING)


def pop_by_name(rec: Recorder, owner: Any, table: dict, name: Any, *default: Any) -> Any:
    """`vars(owner).pop(name, default)`"""
    if name not in table and default:
        return default[0]
    found = as_the_user(operator.getitem, table, name)
    store_by_name(rec, owner, name, MISSING)
    return found
