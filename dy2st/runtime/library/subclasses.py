"""Twins of the user's classes that derive from a container of Python's: they derive from the one that is written here.

While staging, an object of the twin stands for one of the class. It is an ordinary object with its items in `_items`, so what is
true of objects is true of it. Its methods are the user's own functions; `super()` finds its way by `twin_of`.
"""

from __future__ import annotations

import functools
from collections import Counter, OrderedDict
from operator import is_
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType, WrapperDescriptorType
from typing import Any, Generic
from weakref import WeakKeyDictionary, ref

from ...python_library import is_library_module
from ...pytree import module_of
from .base import BASES, CLASSES, PYTHONS, converted

_twins: WeakKeyDictionary[type, type | str] = WeakKeyDictionary()  # the twin of a class, or why it has none
_of_objects: dict[int, ref] = {}  # by their ids, classes that derive from no container
_copied: WeakKeyDictionary[type, dict] = WeakKeyDictionary()  # what a class had when its twin was given it
OWN_WAYS = ("__new__", "__getattribute__", "__init_subclass__", "__reduce__", "__reduce_ex__")
ASKED: dict[type, set[str]] = {  # what Python's own code asks of a subclass, so that an override would have to be asked here, too
    Counter: {"__setitem__", "__delitem__", "__contains__", "get", "keys", "items", "values", "pop", "copy"},
    OrderedDict: {"__delitem__", "__contains__", "get", "keys", "items", "pop", "copy"},
}
NOT_COPIED = ("__dict__", "__weakref__", "__slots__", "__setattr__", "__delattr__")  # a twin keeps its items in an attribute


def twin_of(cls: type) -> type | None:
    """What stands for a container's class while staging: a class of `collections`, or one that derives from a container."""
    if cls in CLASSES:
        return CLASSES[cls]
    if id(cls) in _of_objects:
        return None
    twin = _known(cls)
    if twin == "" and cls not in BASES:
        key = id(cls)
        _of_objects[key] = ref(cls, lambda _: _of_objects.pop(key, None))
    return None if isinstance(twin, str) else twin


def why_no_twin(cls: type) -> str:
    """Why there is no twin of a class, in words that follow "since"; nothing of a class that isn't a container's."""
    twin = _known(cls)
    return twin if isinstance(twin, str) else ""


def base_of(cls: type) -> type | None:
    """The container of Python's that a class is, or derives from, if there is one that is written here."""
    for base in cls.__mro__:  # quicker than a generator
        if base in BASES:
            return base
    return None


def is_overridden(cls: type, name: str) -> bool:
    """Whether a class has an attribute of its own where Python's container has one."""
    base = base_of(cls)
    return base is not None and next((c for c in cls.__mro__ if name in vars(c)), base) not in base.__mro__


def _known(cls: type) -> type | str:
    if base_of(cls) is None or cls in BASES:
        return ""
    if cls not in _twins:
        _twins[cls] = _reason(cls) or _made(cls)
    return _twins[cls]


def _reason(cls: type) -> str:
    """Why no twin of a class can be made."""
    if type(cls) is not type:
        return f"its metaclass {type(cls).__name__} may give it another meaning"
    base = base_of(cls)
    assert base is not None
    for part in cls.__mro__:
        if part in BASES or part in (object, Generic):
            continue
        own = vars(part)
        name = next((name for name in OWN_WAYS if name in own), None) or next(iter(ASKED.get(base, set()) & own.keys()), None)
        if name is not None:
            return f"it has its own {name}"
        if is_library_module(module_of(part)):
            return f"{part.__qualname__} is a class of Python's library"
        if "__dataclass_fields__" in own:
            return "it is a dataclass"
        if "_items" in own or any("_items" in f.__code__.co_names for f in own.values() if isinstance(f, FunctionType)):
            return "staging keeps the items in an attribute _items, which it uses itself"
    return ""


def _made(cls: type) -> type:
    bases = tuple(_base(base) for base in cls.__bases__ if base is not Generic)
    made = type(cls.__name__, bases, _own(cls))
    made.__module__, made.__qualname__ = cls.__module__, cls.__qualname__
    made.__stores__, made.__misses__ = is_overridden(cls, "__setitem__"), is_overridden(cls, "__missing__")  # type: ignore[attr-defined]
    PYTHONS[made] = cls
    _copied[cls] = dict(vars(cls))
    return made


def refresh() -> None:
    """Let twins have what their classes have by now: a method may have been replaced."""
    for cls, known in list(_copied.items()):
        now = vars(cls)
        if len(known) == len(now) and all(map(is_, known, now)) and all(map(is_, known.values(), now.values())):
            continue  # as nearly always: asked of each class, each time that something is recorded
        twin: Any = _twins[cls]
        for name in known.keys() - now.keys():
            if name in vars(twin):
                delattr(twin, name)
        for name, found in _own(cls).items():
            if name not in known or known[name] is not now[name]:
                setattr(twin, name, found)
        _copied[cls] = dict(now)


def _own(cls: type) -> dict[str, Any]:
    """The attributes that a twin has of its class."""
    return {name: _taken(cls, name, found) for name, found in vars(cls).items() if _is_copied(name, found)}


def _base(base: type) -> type:
    if base in BASES:
        return BASES[base]
    return base if base_of(base) is None else twin_of(base)  # type: ignore[return-value]


def _is_copied(name: str, member: Any) -> bool:
    return name not in NOT_COPIED and not isinstance(member, MemberDescriptorType | GetSetDescriptorType)


def _taken(cls: type, name: str, member: Any) -> Any:
    """An attribute of a class, for its twin."""
    if isinstance(member, FunctionType):
        is_called_by_python = (name.startswith("__") and name.endswith("__")) or hasattr(base_of(cls), name)
        return converted(member) if is_called_by_python and name not in ("__init__", "__iter__") else member
    if isinstance(member, property) and name != "__class__":  # which each `isinstance` of this package asks
        functions: Any = [converted(f) if isinstance(f, FunctionType) else f for f in (member.fget, member.fset, member.fdel)]
        return property(*functions)
    if isinstance(member, MethodDescriptorType | WrapperDescriptorType) and member.__objclass__ in BASES:
        found = getattr(BASES[member.__objclass__], member.__name__)
        is_converted = hasattr(found, "__dy2st_original__")
        return found if is_converted or not name.startswith("__") else converted(found)  # `__getattr__ = dict.get`
    if isinstance(member, functools.cached_property) or name.startswith("__"):
        return member
    return _OfClass(cls, name)


class _OfClass:
    """An attribute of the user's class, as it is when it is read: a twin's own copy would miss stores to it."""

    def __init__(self, cls: type, name: str):
        self.cls, self.name = cls, name

    def __get__(self, obj: Any, owner: type) -> Any:
        found = vars(self.cls)[self.name]
        cls = next((PYTHONS[c] for c in owner.__mro__ if c in PYTHONS), self.cls)
        return found.__get__(obj, cls) if hasattr(type(found), "__get__") else found
