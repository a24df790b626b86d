"""Where an object lives that outlives a call: its path from the function's owner, its closure, or a module's globals."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from types import FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, TypeGuard

import numpy as np

from ...pytree import attributes_of, contents_of, is_container
from ..heap.journal import Attribute, Gradient, Item, Location, Variable, is_module_namespace
from ..heap.markers import Opaque
from ..heap.staged_objects import is_staged_object
from ..where.per_code import mentioned
from ..where.profiling import unwatched
from ..where.user_code import is_foreign
from .imports import imported_by
from .kept_by_c import held_by_c

NAMED = (str, int, float, bool, tuple, type(None))  # keys with a text of their own
CONTAINERS = (list, dict, set)
SHARED = (*CONTAINERS, np.ndarray)
EXACT = frozenset(map(id, (*CONTAINERS, tuple)))  # by their ids: a metaclass may say what equals its classes
LIMIT = 50_000  # objects looked at before a search gives up


class Found:
    """An object that a search came to, by which path, and what it was found in."""

    __slots__ = ("path", "obj", "parent")

    def __init__(self, path: str, obj: Any, parent: Found | None = None):
        self.path, self.obj, self.parent = path, obj, parent

    def is_still_there(self) -> bool:
        """Whether the path leads to the object, whatever has changed since."""
        found = self
        while found.parent is not None:
            if not any(child is found.obj for _, child in _children("", found.parent.obj)):
                return False
            found = found.parent
        return True


class Search:
    """Breadth first from some starting points to one object after another: it goes on where it has stopped."""

    def __init__(self, starts: dict[str, Any]):
        self._found: dict[int, Found] = {}
        self._classes: dict[int, type] = {}  # by id: a metaclass may take the hash away
        self._queue: deque[Found] = deque()
        for name, start in starts.items():
            self.begin_at(name, start)

    def begin_at(self, name: str, start: Any) -> None:
        """A further starting point."""
        self._queue.append(Found(name, start))

    def reach(self, obj: Any) -> Found | None:
        """The path that led to `obj`, or leads to it now."""
        if id(obj) in self._found:
            return self._found[id(obj)]
        return next((found for found in self.go_on() if found.obj is obj), None)

    def go_on(self) -> Iterator[Found]:
        """What it hasn't come to yet."""
        while self._queue and len(self._found) < LIMIT:
            found = self._queue.popleft()
            if id(found.obj) not in self._found:
                self._found[id(found.obj)] = found
                self._queue.extend(Found(path, child, found) for path, child in self._new(found))
                yield found

    def _new(self, found: Found) -> Iterator[tuple[str, Any]]:
        """What an object holds; and, of the first of its class, what they share."""
        yield from _parts(found.path, found.obj)
        cls = type(found.obj)
        if id(cls) not in self._classes:
            self._classes[id(cls)] = cls
            yield from _shared(found.path, found.obj)


class Roots:
    """The starting points of one function: `self`, and what the functions that were entered read from outside.

    These are their closure variables by name, their default arguments, the globals they mention, and of modules the containers.

    names: what tensors are called in layers, by id.
    """

    def __init__(self, function: Any, owner: Any = None, names: Mapping[int, str] = MappingProxyType({})):
        self.function, self.owner, self._names = function, owner, names
        self.starts: dict[str, Any] = {} if owner is None else {"self": owner}
        self._search, self._for_arrays = Search(self.starts), Search(self.starts)
        self._rests = self._is_new = False
        self._entered: dict[int, FunctionType] = {}
        cells = zip(function.__code__.co_freevars, function.__closure__ or ())
        self._cells = {id(cell): f"closure.{name}" for name, cell in cells}
        self._add(_closure("closure", function))
        self.enter(function)

    def has_entered(self, function: FunctionType) -> bool:
        return id(function) in self._entered

    def enter(self, function: FunctionType) -> None:
        """A user's function is called: what it can reach of the world outside."""
        if self.has_entered(function):
            return
        self._entered[id(function)] = function
        module = function.__module__
        namespace = "globals" if function.__globals__ is self.function.__globals__ else f"globals.{module}"
        self._add(_globals(namespace, function))
        self._add(_defaults(f"{module}.{function.__qualname__}", function))
        if function is not self.function:
            self._add(_closure(f"{module}.{function.__qualname__}", function))

    def begin_at(self, name: str, start: Any) -> None:
        """A further starting point: an argument of the function."""
        self._add([(name, start)])

    def _add(self, starts: list[tuple[str, Any]]) -> None:
        """New starting points; one whose name is taken by another object gets a number."""
        for name, start in starts:
            if any(known is start for known in self.starts.values()):
                continue
            taken = sum(known == name or known.startswith(f"{name}#") for known in self.starts)
            name = f"{name}#{taken + 1}" if taken else name
            self.starts[name] = start
            self._search.begin_at(name, start)
            self._for_arrays.begin_at(name, start)

    @unwatched
    def arrays(self) -> list[tuple[str, Any]]:
        """The NumPy arrays that weren't told before, with their paths."""
        return [(found.path, found.obj) for found in self._for_arrays.go_on() if isinstance(found.obj, np.ndarray)]

    @unwatched
    def path(self, obj: Any) -> str | None:
        """A path that leads to `obj`, found breadth first; None if no path does."""
        found = self._search.reach(obj)
        if found is None and self._enter_imported():
            found = self._search.reach(obj)
        if not self._is_new and (found is None or not found.is_still_there()):  # look at all of it again
            self._search, self._is_new = Search(self.starts), self._rests
            found = self._search.reach(obj)
        return None if found is None else found.path

    def _enter_imported(self) -> bool:
        """Start from the modules that the functions have imported by now, too; whether there are new ones."""
        before = len(self.starts)
        for function in self._entered.values():
            for module in imported_by(function):
                self._add(_of_module(f"globals.{module.__name__}", module, mentioned(function.__code__)))
        return len(self.starts) > before

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """A context in which no attribute changes, so that each object is searched once."""
        self._rests = True
        try:
            yield
        finally:
            self._rests = self._is_new = False

    def name(self, obj: Any) -> str | None:
        """A path that has led to `obj` since staging began. Quicker than `path`: it is good for what things are called only."""
        found = self._search.reach(obj)
        return None if found is None else found.path

    @unwatched
    def location_path(self, location: Location, outer_cells: set[int]) -> str | None:
        """The name of a location that outlives the call, or None."""
        if isinstance(location, Variable):
            known = self._cells.get(id(location.owner))
            return known or (f"closure.{location.name}" if id(location.owner) in outer_cells else None)
        if is_global(location):
            return f"globals.{location.owner['__name__']}.{location.name}"
        if isinstance(location.owner, type):
            return f"class.{location.owner.__module__}.{location.owner.__qualname__}.{location.name}"
        if isinstance(location, Gradient) and id(location.owner) in self._names:
            return f"{self._names[id(location.owner)]}.grad"
        owner = self.path(location.owner)
        if owner is None:
            return None
        if isinstance(location, Attribute):
            return f"{owner}.{location.name}"
        return f"{owner}[{location.index!r}]" if isinstance(location, Item) else owner


def is_global(location: Location) -> TypeGuard[Item]:
    """Whether a location is a variable of a module."""
    return isinstance(location, Item) and is_module_namespace(location.owner)


def _children(path: str, obj: Any) -> Iterator[tuple[str, Any]]:
    """What can be got at from an object in one step, and how."""
    return chain(_parts(path, obj), _shared(path, obj))


def _parts(path: str, obj: Any) -> Iterable[tuple[str, Any]]:
    """What an object holds itself."""
    if id(type(obj)) in EXACT:
        return _items(path, obj)
    if is_container(obj):
        return [*_items(path, obj), *((f"{path}.{k}", v) for k, v in attributes_of(obj).items())]
    if isinstance(obj, np.ndarray):
        return ((f"{path}[{i}]", v) for i, v in enumerate(obj.flat)) if obj.dtype.hasobject else ()
    if isinstance(obj, MethodType):
        return [(path, obj.__self__)]
    if _holds_nothing(obj):
        return []
    if isinstance(obj, type):
        return _class_attributes(path, obj)
    children = [(f"{path}.{k}", v) for k, v in attributes_of(obj).items() if not isinstance(v, ModuleType)]
    children += [(f"{path}.held[{i}]", v) for i, v in enumerate(held_by_c(obj))]
    return children + _closure(path, obj) if isinstance(obj, FunctionType) else children


def _items(path: str, obj: Any) -> Iterable[tuple[str, Any]]:
    """The items of a container; no method of a subclass is asked."""
    keys, items = contents_of(obj)
    if isinstance(obj, dict):
        return chain.from_iterable(_entry(path, number, *entry) for number, entry in enumerate(zip(keys, items)))
    return [(f"{path}[{i}]", v) for i, v in enumerate(items)]


def _entry(path: str, number: int, key: Any, value: Any) -> list[tuple[str, Any]]:
    """The value of an entry of a dict, and a key that may hold something; no method of a key is asked."""
    if isinstance(key, NAMED):
        return [(f"{path}[{key!r}]", value)]
    return [(f"{path}[{number}]", value), (f"{path}[{number}].key", key)]


def _shared(path: str, obj: Any) -> Iterator[tuple[str, Any]]:
    """What the objects of its class share."""
    if not isinstance(obj, MethodType | type | FunctionType) and id(type(obj)) not in EXACT and not _holds_nothing(obj):
        yield from _class_attributes(path, type(obj))


def _holds_nothing(obj: Any) -> bool:
    is_plain = isinstance(obj, str | bytes | int | float) and not hasattr(obj, "__dict__")
    return is_plain or isinstance(obj, ModuleType | Opaque) or is_staged_object(obj)


def _closure(path: str, function: FunctionType) -> list[tuple[str, Any]]:
    """The closure variables of a function that are bound."""
    found = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found.append((f"{path}.{name}", cell.cell_contents))
        except ValueError:
            continue
    return found


def _defaults(path: str, function: FunctionType) -> list[tuple[str, Any]]:
    """The default arguments of a function that can be changed."""
    code, values = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[code.co_argcount - len(values) : code.co_argcount]
    found = {**dict(zip(names, values)), **(function.__kwdefaults__ or {})}
    return [(f"{path}.{name}", value) for name, value in found.items() if not isinstance(value, NAMED)]


def _globals(path: str, function: FunctionType) -> list[tuple[str, Any]]:
    """The globals that a function mentions, or a function inside it; of a module, those of its variables that it may mention."""
    names, found = mentioned(function.__code__), []
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            found += _of_module(f"{path}.{name}", value, names)
        elif value is not None:
            found.append((f"{path}.{name}", value))
    return found


def _of_module(path: str, module: ModuleType, names: Iterable[str]) -> list[tuple[str, Any]]:
    """Of the variables of a module with these names, those that hold what may be changed; of a library's, the containers."""
    held, in_library = vars(module), is_foreign(module.__name__)
    found = [(f"{path}.{name}", held[name]) for name in names if name in held]
    constant = (ModuleType, *NAMED)
    return [(p, value) for p, value in found if type(value) in CONTAINERS or not (in_library or isinstance(value, constant))]


def _class_attributes(path: str, cls: type) -> list[tuple[str, Any]]:
    """The lists, dicts, sets and arrays that the objects of a class share."""
    shared = [(k, v) for c in cls.__mro__ for k, v in vars(c).items() if type(v) in SHARED]
    return [(f"{path}.{k}", v) for k, v in shared if not k.startswith("__")]
