"""What the classes that are written in `library` have in common, and which of Python's each stands for."""

from __future__ import annotations

import collections
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ... import pytree
from ...ops import dispatch
from ..pythons import TEXTS, held
from ..where.faults import as_the_user

CLASSES: dict[type, type] = {}  # a class of `collections` -> the one that is written
BASES: dict[type, type] = {}  # the same, with those that a class of the user's may derive from
NOT_CONVERTED = ("__init__", "__iter__", "__reduce__", "__reduce_ex__")
MAKING_ANOTHER = ("copy",)  # which a mapping proxy calls
PYTHONS: dict[type, type] = {}  # a class that is written, or the twin of one of the user's -> the class that it stands for


class Written:
    """Base of the classes: what an object holds is in `_items`, a list, a dict or a set.

    stores: whether a class of the user's overrides `__setitem__`; misses: whether it has a `__missing__`. Any other name may be
    one of the user's: what the classes need besides Python's methods are functions.
    """

    __module__ = "collections"
    __hash__ = None  # type: ignore[assignment]
    _items: Any
    __stores__ = __misses__ = False

    def __iter__(self):
        return iter(dispatch.current_mode().rec.known_items(self._items))

    def __copy__(self):
        return self.copy()  # type: ignore[attr-defined]

    def __reduce__(self):
        return to_python(self).__reduce__()

    def __reduce_ex__(self, protocol):
        return to_python(self).__reduce_ex__(protocol)

    __reduce__.__dy2st_skip__ = __reduce_ex__.__dy2st_skip__ = True  # type: ignore[attr-defined]  # which run as they are


class Items(Written):
    """What holds its items and nothing else."""

    __module__ = "collections"

    def __len__(self):
        return len(self._items)

    def __contains__(self, item):
        return item in self._items

    def __repr__(self):
        return f"{self._items!r}"


class Sequence(Items):
    """Items in a row."""

    __module__ = "collections"

    def __getitem__(self, index):
        return self._items[index]

    def index(self, item, *bounds):
        return self._items.index(item, *bounds)

    def count(self, item):
        return self._items.count(item)


class Changeable(Items):
    """Items that may become others."""

    __module__ = "collections"

    def clear(self):
        self._items.clear()

    def copy(self):
        return self._items.copy()


def written(python: type) -> Callable[[type], type]:
    """Say which class of Python's a class stands for. Methods that Python itself calls are converted there, too."""

    def note(cls: type) -> type:
        methods = {name: getattr(cls, name) for name in dir(cls) if name.startswith("__") or name in MAKING_ANOTHER}
        for name, method in methods.items():
            if name not in NOT_CONVERTED and isinstance(method, FunctionType):
                setattr(cls, name, converted(method))
        cls.__module__, cls.__qualname__ = "collections", f"collections.{python.__qualname__}"
        cls.__name__ = name_in_c(python)
        PYTHONS[cls] = python
        BASES[python] = cls
        if python in TEXTS:
            CLASSES[python] = cls
        return cls

    return note


def name_in_c(cls: type) -> str:
    """What C calls a class in its messages: with the module, where the class is C's own and no built-in one."""
    if not isinstance(cls, type):
        return cls.__name__  # of a union of classes, the Program tells
    is_of_python = any(isinstance(part, FunctionType) for part in vars(cls).values())
    is_of_c = cls.__module__ in ("array", "collections") and not is_of_python
    return f"{cls.__module__}.{cls.__name__}" if is_of_c else cls.__name__


name_in_c.__dy2st_skip__ = True  # type: ignore[attr-defined]  # it runs as it is


def converted(method: FunctionType) -> Any:
    """A method that is converted where Python itself calls it."""

    def call(*args: Any, **kwargs: Any) -> Any:
        rec = dispatch.current_mode().rec
        if rec is None:
            return as_the_user(method, *args, **kwargs)
        found = as_the_user(rec.convert_call(method), *args, **kwargs)
        if method.__name__ == "__repr__" and not isinstance(found, str):
            return str(found)  # which refuses a text that only the Program knows, in words
        if found is NotImplemented:
            rec.convert_operators()  # the other operand doesn't know what stands for its class: a converted operator does
        return found

    call.__name__ = method.__name__
    call.__dy2st_original__ = method  # type: ignore[attr-defined]
    return call


def held_by(value):
    """The items of another container, as C code reads them; of what has none of its own here, itself."""
    return value._items if hasattr(value, "_items") else value


def to_python(value: Any) -> Any:
    """An object of the class that one stands for, with what it holds."""
    fields = dict(vars(value))
    if "_table" in fields:
        table = fields["_table"]
        is_ordered = PYTHONS[type(value)].__name__.startswith("odict")
        return getattr(collections.OrderedDict(table) if is_ordered else table, value._part)()
    return pytree.built(PYTHONS[type(value)], fields.pop("_items"), fields)


def all_python(value: Any, made: dict[int, Any]) -> Any:
    """A copy of a container with Python's own classes at every depth. made: the copies so far, by id."""
    if id(value) in made:
        return made[id(value)]
    source = to_python(value) if type(value) in PYTHONS else value
    if not pytree.is_container(source):
        return source
    copy: Any = None
    if not pytree.is_frozen(type(source)):  # it may hold itself
        copy = made[id(value)] = pytree.built(type(source), (), pytree.state_of(source))
    found = pytree.rebuilt(source, [all_python(part, made) for part in pytree.items_of(source)])
    if copy is None:
        return made.setdefault(id(value), found)
    pytree.refill(copy, held(found))
    pytree.replace_state(copy, pytree.state_of(found))
    return copy
