"""Where an object lives that outlives a call: its path from the function's owner, its closure, or a module's globals."""

from __future__ import annotations

from collections import deque
from types import FunctionType, MethodType, ModuleType
from typing import Any

from .journal import Attribute, Contents, Item, Location, Variable
from .staged_objects import is_staged_object

NAMED = (str, int, float, bool, tuple, type(None))  # keys with a text of their own
LIMIT = 50_000  # objects looked at before a search gives up


class Roots:
    """The starting points of one function: `self`, closure variables by name, and the globals of functions that were entered."""

    def __init__(self, function: Any, owner: Any = None):
        self.function, self.owner = function, owner
        self.starts: dict[str, Any] = {} if owner is None else {"self": owner}
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                self.starts[f"closure.{name}"] = cell.cell_contents
            except ValueError:
                continue
        for name in code.co_names:
            found = function.__globals__.get(name)
            if found is not None and not isinstance(found, ModuleType | type | FunctionType):
                self.starts[f"globals.{name}"] = found
        self._cells = {id(cell): f"closure.{name}" for name, cell in zip(code.co_freevars, function.__closure__ or ())}

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
    if isinstance(obj, ModuleType | type | str | bytes | int | float) or is_staged_object(obj):
        return []
    children = [(f"{path}.{k}", v) for k, v in getattr(obj, "__dict__", {}).items() if not isinstance(v, ModuleType)]
    if isinstance(obj, FunctionType):
        for name, cell in zip(obj.__code__.co_freevars, obj.__closure__ or ()):
            try:
                children.append((f"{path}.{name}", cell.cell_contents))
            except ValueError:
                continue
    return children
