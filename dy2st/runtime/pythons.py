"""The containers of Python's `collections`. In native form an object of one is an Instance with its class and what it holds."""

from __future__ import annotations

import collections
from typing import Any

from .. import pytree
from ..errors import EngineError
from ..ir.native import Atom, Instance

_CLASSES = (collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque)
NAMED: dict[str, type] = {f"collections.{cls.__name__}": cls for cls in _CLASSES}  # by what they are called in a Program
TEXTS = {cls: text for text, cls in NAMED.items()}
FACTORIES = {factory.__name__: factory for factory in (bool, dict, float, int, list, set, str, tuple)}


def fields_of(value: Any) -> dict[str, Any]:
    """What a container of one of these classes, or of a subclass of any container's, holds: its items, and its attributes."""
    return {"_items": held(value), **pytree.state_of(value)}


def held(value: Any) -> Any:
    """What a container holds, in a new list, dict, set or tuple of Python's own; no method of a subclass is asked."""
    if type(value) in (list, dict, set):
        return value.copy()  # which asks no key for its hash
    keys, items = pytree.contents_of(value)
    if isinstance(value, dict):
        return dict(zip(keys, items))
    if isinstance(value, tuple):
        return tuple(items)
    return set(items) if isinstance(value, set) else items


def items_of(value: Instance) -> Any:
    """What a native object of one of these classes holds. EngineError: it isn't what such an object holds."""
    items, expected = value.fields.get("_items"), list if NAMED[value.cls] is collections.deque else dict
    if type(items) is not expected:
        raise EngineError(f"an object of {value.cls} holds a {expected.__name__}; the Program made one that doesn't")
    return items


def empty(cls: type, fields: dict[str, Any]) -> Any:
    """An object of Python's class `cls` that holds nothing yet, with these attributes. EngineError: it can't have them.

    The factory of a file's defaultdict is known by name: it is one of Python's, or none.
    """
    if cls is collections.deque:
        longest = fields.get("maxlen")
        if longest is not None and (type(longest) is not int or longest < 0):
            raise EngineError(f"the Program made a collections.deque whose maxlen is {longest!r}")
        return cls((), longest)
    if cls is not collections.defaultdict:
        return cls()
    factory = fields.get("default_factory")
    factory = FACTORIES.get(factory.text) if isinstance(factory, Atom) else factory
    if factory is not None and not callable(factory):
        raise EngineError(f"the Program made a collections.defaultdict whose default_factory is {factory!r}")
    return cls(factory)
