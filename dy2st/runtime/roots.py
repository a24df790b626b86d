"""Where an object lives that outlives a call: its path from the function's owner, its closure, or a module's globals."""

from __future__ import annotations

from collections import deque
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from .journal import Attribute, Contents, Item, Location, Variable
from .per_code import per_code
from .staged_objects import is_staged_object

NAMED = (str, int, float, bool, tuple, type(None))  # keys with a text of their own
CONTAINERS = (list, dict, set)
LIMIT = 50_000  # objects looked at before a search gives up


class Roots:
    """The starting points of one function: `self`, and what the functions that were entered read from outside.

    These are their closure variables by name, their default arguments, the globals they mention, and of modules the containers.
    """

    def __init__(self, function: Any, owner: Any = None):
        self.function, self.owner = function, owner
        self.starts: dict[str, Any] = {} if owner is None else {"self": owner}
        self._entered: dict[int, FunctionType] = {}
        cells = zip(function.__code__.co_freevars, function.__closure__ or ())
        self._cells = {id(cell): f"closure.{name}" for name, cell in cells}
        self._add(_closure("closure", function))
        self.enter(function)

    def enter(self, function: FunctionType) -> None:
        """A user's function is called: what it can reach of the world outside."""
        if id(function) in self._entered:
            return
        self._entered[id(function)] = function
        module = function.__module__
        namespace = "globals" if function.__globals__ is self.function.__globals__ else f"globals.{module}"
        self._add(_globals(namespace, function))
        self._add(_defaults(f"{module}.{function.__qualname__}", function))
        if function is not self.function:
            self._add(_closure(f"{module}.{function.__qualname__}", function))

    def _add(self, found: list[tuple[str, Any]]) -> None:
        """New starting points; one whose name is taken by another object gets a number."""
        for name, start in found:
            if any(known is start for known in self.starts.values()):
                continue
            taken = sum(known == name or known.startswith(f"{name}#") for known in self.starts)
            self.starts[f"{name}#{taken + 1}" if taken else name] = start

    def path(self, obj: Any) -> str | None:
        """The first path that leads to `obj`, breadth first; None if no path does."""
        seen: set[int] = set()
        queue = deque((name, start) for name, start in self.starts.items())
        while queue and len(seen) < LIMIT:
            path, found = queue.popleft()
            if found is obj:
                return path
            if id(found) in seen:
                continue
            seen.add(id(found))
            queue.extend(_children(path, found))
        return None

    def location_path(self, location: Location, outer_cells: set[int]) -> str | None:
        """The name of a location that outlives the call, or None."""
        if isinstance(location, Variable):
            known = self._cells.get(id(location.owner))
            return known or (f"closure.{location.name}" if id(location.owner) in outer_cells else None)
        if is_global(location):
            return f"globals.{location.owner['__name__']}.{location.name}"
        if isinstance(location.owner, type):
            return f"class.{location.owner.__module__}.{location.owner.__qualname__}.{location.name}"
        owner = self.path(location.owner)
        if owner is None:
            return None
        if isinstance(location, Attribute):
            return f"{owner}.{location.name}"
        return owner if isinstance(location, Contents) else f"{owner}[{location.name!r}]"


def is_global(location: Location) -> bool:
    """Whether a location is a variable of a module."""
    return isinstance(location, Item) and "__name__" in location.owner and "__builtins__" in location.owner


def _children(path: str, obj: Any) -> list[tuple[str, Any]]:
    if isinstance(obj, dict):
        return [(f"{path}[{k!r}]", v) for k, v in obj.items() if isinstance(k, NAMED)]
    if isinstance(obj, list | tuple | set):
        return [(f"{path}[{i}]", v) for i, v in enumerate(obj)]
    if isinstance(obj, MethodType):
        return [(path, obj.__self__)]
    if isinstance(obj, ModuleType | str | bytes | int | float) or is_staged_object(obj):
        return []
    if isinstance(obj, type):
        return _class_attributes(path, obj)
    children = [(f"{path}.{k}", v) for k, v in getattr(obj, "__dict__", {}).items() if not isinstance(v, ModuleType)]
    return children + (_closure(path, obj) if isinstance(obj, FunctionType) else _class_attributes(path, type(obj)))


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
            inner = vars(value)
            found += [(f"{path}.{name}.{n}", inner[n]) for n in names if type(inner.get(n)) in CONTAINERS]
        elif value is not None:
            found.append((f"{path}.{name}", value))
    return found


@per_code
def mentioned(code: CodeType) -> tuple[str, ...]:
    """The names of globals and attributes in a function and the functions inside it."""
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in mentioned(constant)]
    return tuple(dict.fromkeys([*code.co_names, *inner]))


def _class_attributes(path: str, cls: type) -> list[tuple[str, Any]]:
    """The lists, dicts and sets that the objects of a class share."""
    shared = [(k, v) for c in cls.__mro__ for k, v in vars(c).items() if type(v) in CONTAINERS]
    return [(f"{path}.{k}", v) for k, v in shared if not k.startswith("__")]
