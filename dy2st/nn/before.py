"""What was there before a function was traced, so that tracing it leaves layers and tensors as they were."""

from __future__ import annotations

from collections import deque
from enum import Enum
from functools import partial
from operator import is_
from types import CellType, CodeType, FunctionType
from typing import Any

import numpy as np

from .. import pytree
from ..ops import dispatch
from ..runtime.control.trial import stored_globals
from ..runtime.heap.identity import SCALARS
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.user_code import is_foreign, is_users_function
from .hooks import TABLES as HOOK_TABLES
from .layer import Layer

_TABLES = ("_parameters", "_buffers", "_sub_layers")
_NOTHING = object()
PACKAGE = __name__.partition(".")[0]
OURS = f"__{PACKAGE}_"  # what this package keeps in a layer


class Before:
    """Keeps what tensors, attributes and containers hold, and puts it back as often as that is asked for."""

    def __init__(self) -> None:
        self.changed: set[str] = set()  # the attributes and variables that were found to be others
        self.refilled: set[str] = set()  # those in which a list, dict or object was found to hold something else
        self._tensors: dict[int, tuple[Tensor, np.ndarray, np.ndarray]] = {}
        self._locations: dict[tuple, tuple[Any, object]] = {}
        self._containers: list[tuple[str, object, object]] = []
        self._tables: list[tuple[Layer | None, str, dict[str, Any], dict[str, Any]]] = []
        self._objects: list[tuple[str, Any, dict[str, Any]]] = []
        self._cells: list[tuple[str, CellType, object]] = []
        self._seen: set[int] = set()
        self._classes: set[type] = set()  # whose methods were looked through

    def keep_tensor(self, tensor: Tensor) -> None:
        """Keep the numbers of a tensor that is about to be written."""
        with dispatch.entered(EAGER):
            if id(tensor) not in self._tensors and not tensor.is_staged:
                self._tensors[id(tensor)] = tensor, tensor._data, tensor._data.copy()

    def keep_location(self, location: Any, value: object) -> None:
        """Keep the value that an attribute, an item or a variable holds."""
        if location.key not in self._locations:
            self._locations[location.key] = location, value
            self._keep_value(value, str(location))

    def keep_layer(self, layer: Layer) -> None:
        """Keep what a layer and the layers in it hold, and what their methods store outside."""
        for path, part in layer.named_sublayers(include_self=True):
            if id(part) in self._seen:
                continue
            self._seen.add(id(part))
            tables = _tables_of(part)
            self._seen.update(map(id, tables))
            for table in tables:
                self._tables.append((part, path, table, dict(table)))
                for name, value in table.items():
                    if type(value) not in SCALARS and name not in HOOK_TABLES:
                        self._keep_value(value, f"{path}.{name}" if path else name)
            self._keep_value(type(part), type(part).__name__)
            self.keep_reached(part.forward)
            hooks = [hook for table in HOOK_TABLES for hook in vars(part)[table].values()]
            methods = [] if type(part) in self._classes else _methods(type(part))
            self._classes.add(type(part))
            for function in (*vars(part).values(), *methods, *hooks):
                if callable(function):
                    self.keep_reached(function)

    def keep_reached(self, value: Any) -> None:
        """Keep the variables that a function of the user's may store, and the values and functions that it names."""
        value = value.func if isinstance(value, partial) else value
        if isinstance(value, Layer):
            self.keep_layer(value)
            return
        for inner in ("dygraph_function", "__func__"):
            value = getattr(value, inner, value)
        if is_users_function(value) and id(value) not in self._seen:
            self._seen.add(id(value))
            known = value.__globals__
            self._tables.append((None, "", known, {n: known[n] for n in stored_globals(value.__code__) if n in known}))
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
                self._keep_cell(name, cell)
            for name in _names(value.__code__):
                if type(known.get(name)) not in SCALARS:
                    self._keep_value(known.get(name), name)
                    self.keep_reached(known.get(name))

    def _keep_cell(self, name: str, cell: CellType) -> None:
        try:
            held = cell.cell_contents
        except ValueError:
            return  # nothing is assigned to it yet
        self._cells.append((name, cell, held))
        self._keep_value(held, name)
        self.keep_reached(held)

    def _keep_value(self, value: object, name: str) -> None:
        if isinstance(value, Tensor):
            if value.stop_gradient:
                self.keep_tensor(value)
        elif id(value) not in self._seen and pytree.is_container(value):
            self._seen.add(id(value))
            items = pytree.items_of(value)
            self._containers.append((name, value, pytree.rebuilt(value, items)))
            for part in items:
                if type(part) not in SCALARS:
                    self._keep_value(part, name)
        elif id(value) not in self._seen and _is_users(value):
            self._seen.add(id(value))
            held = _fields(value)
            self._objects.append((name, value, held))
            for key, part in held.items():
                if type(part) not in SCALARS:
                    self._keep_value(part, f"{name}.{key}")

    def restore(self) -> None:
        """Put everything back. What was kept first comes last: it holds the most."""
        recorded = set()
        for location, _ in self._locations.values():
            tables = _tables_of(location.owner) if isinstance(location.owner, Layer) else [location.owner]
            recorded |= {(id(table), location.name) for table in tables}
        for owner, path, table, held in self._tables:
            if _is_same(table, held):
                continue
            for name in [name for name in held if table.get(name, _NOTHING) is not held[name]]:
                table[name] = held[name]
                if (id(table), name) not in recorded:
                    self.changed.add(f"{path}.{name}" if path else name)
            if owner is not None and list(table) != list(held):
                new = [name for name in table.keys() - held.keys() if not name.startswith(OURS)]
                self.changed |= {f"{path}.{name}" if path else name for name in new}
                pytree.refill(table, held)
        for name, cell, value in self._cells:
            if cell.cell_contents is not value:
                cell.cell_contents = value
                self.changed |= {name} if (id(cell), name) not in recorded else set()
        for location, value in self._locations.values():
            if location.get() is not value:
                location.restore(value)
        known = {id(part) for _, value in self._locations.values() for part in pytree.nodes(value)}
        for name, container, before in self._containers:
            if isinstance(container, list | dict | set | deque) and not _holds(container, before):
                self.refilled |= set() if id(container) in known else {name}
                pytree.refill(container, before)
        for name, owner, held in self._objects:
            self._restore_object(name, owner, held, recorded)
        for tensor, array, numbers in reversed(self._tensors.values()):
            tensor._data = array
            if array.flags.writeable:
                array[...] = numbers


    def _restore_object(self, name: str, owner: Any, held: dict[str, Any], recorded: set) -> None:
        """Give an object, or a class, of the user's the attributes that it had."""
        store = type if isinstance(owner, type) else object
        now = _fields(owner)
        for key in [key for key in {**held, **now} if now.get(key, _NOTHING) is not held.get(key, _NOTHING)]:
            self.refilled |= set() if (id(owner), key) in recorded else {f"{name}.{key}"}
            if key in held:
                store.__setattr__(owner, key, held[key])
            else:
                store.__delattr__(owner, key)


def _fields(owner: Any) -> dict[str, Any]:
    """What an object holds, or a class beside its methods."""
    if not isinstance(owner, type):
        return dict(vars(owner))
    return {key: part for key, part in vars(owner).items() if not key.startswith("__") and not hasattr(part, "__get__")}


def _is_users(value: Any) -> bool:
    """Whether a value is an object of a class of the user's, or such a class: its attributes may be assigned."""
    is_class = isinstance(value, type)
    cls: type = value if is_class else type(value)
    if issubclass(cls, Tensor | Enum) or (issubclass(cls, Layer) and not is_class) or not hasattr(value, "__dict__"):
        return False
    return cls.__module__.partition(".")[0] != PACKAGE and not is_foreign(cls.__module__)


def _methods(cls: type) -> list[FunctionType]:
    """The methods of a class and its bases."""
    return [value for base in cls.__mro__ for value in vars(base).values() if isinstance(value, FunctionType)]


def _names(code: CodeType) -> list[str]:
    """The global names of a function and of those that are defined in it."""
    inner = [name for const in code.co_consts if isinstance(const, CodeType) for name in _names(const)]
    return [*code.co_names, *inner]


def _holds(container: Any, before: Any) -> bool:
    """Whether a container holds what it held, under the same keys in the same order."""
    if isinstance(container, set):
        return container == before
    if isinstance(container, dict) and list(container) != list(before):
        return False
    now, then = pytree.items_of(container), pytree.items_of(before)
    return len(now) == len(then) and all(map(is_, now, then))


def _tables_of(layer: Layer) -> list[dict[str, Any]]:
    """Where a layer holds what it holds."""
    return [vars(layer), *(vars(layer)[name] for name in _TABLES if name in vars(layer))]


def _is_same(table: dict[str, Any], held: dict[str, Any]) -> bool:
    """Whether a table holds what it held, under the same names in the same order."""
    return list(table) == list(held) and all(map(is_, table.values(), held.values()))
