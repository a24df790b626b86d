"""What was there before a function was traced, so that tracing it leaves layers and tensors as they were."""

from __future__ import annotations

from functools import partial
from operator import is_
from types import CellType, FunctionType
from typing import Any

import numpy as np

from .. import pytree
from ..ops import dispatch
from ..runtime.control.trial import stored_globals
from ..runtime.heap.identity import SCALARS
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.user_code import is_ours
from .layer import Layer

_TABLES = ("_parameters", "_buffers", "_sub_layers")
_NOTHING = object()


class Before:
    """Keeps what tensors, attributes and containers hold, and puts it back as often as that is asked for."""

    def __init__(self) -> None:
        self.changed: set[str] = set()  # the attributes of layers that were found to be others
        self._tensors: dict[int, tuple[Tensor, np.ndarray, np.ndarray]] = {}
        self._locations: dict[tuple, tuple[Any, object]] = {}
        self._containers: list[tuple[object, object]] = []
        self._tables: list[tuple[Layer | None, str, dict[str, Any], dict[str, Any]]] = []
        self._cells: list[tuple[str, CellType, object]] = []
        self._seen: set[int] = set()

    def keep_tensor(self, tensor: Tensor) -> None:
        """Keep the numbers of a tensor that is about to be written."""
        with dispatch.entered(EAGER):
            if id(tensor) not in self._tensors and not tensor.is_staged:
                self._tensors[id(tensor)] = tensor, tensor._data, tensor._data.copy()

    def keep_location(self, location: Any, value: object) -> None:
        """Keep the value that an attribute, an item or a variable holds."""
        if location.key not in self._locations:
            self._locations[location.key] = location, value
            self._keep_value(value)

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
                for value in table.values():
                    if type(value) not in SCALARS:
                        self._keep_value(value)
            self.keep_reached(part.forward)
            for value in vars(part).values():
                if callable(value):
                    self.keep_reached(value)

    def keep_reached(self, value: Any) -> None:
        """Keep the variables that a function of the user's may store, and the layers and functions that it names."""
        value = value.func if isinstance(value, partial) else value
        if isinstance(value, Layer):
            self.keep_layer(value)
            return
        for inner in ("dygraph_function", "__func__"):
            value = getattr(value, inner, value)
        if isinstance(value, FunctionType) and id(value) not in self._seen and not is_ours(value.__code__.co_filename):
            self._seen.add(id(value))
            known = value.__globals__
            self._tables.append((None, "", known, {n: known[n] for n in stored_globals(value.__code__) if n in known}))
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or ()):
                self._keep_cell(name, cell)
            for name in value.__code__.co_names:
                self.keep_reached(known.get(name))

    def _keep_cell(self, name: str, cell: CellType) -> None:
        try:
            held = cell.cell_contents
        except ValueError:
            return  # nothing is assigned to it yet
        self._cells.append((name, cell, held))
        self.keep_reached(held)

    def _keep_value(self, value: object) -> None:
        if isinstance(value, Tensor):
            if value.stop_gradient:
                self.keep_tensor(value)
        elif id(value) not in self._seen and pytree.is_container(value):
            self._seen.add(id(value))
            items = pytree.items_of(value)
            self._containers.append((value, pytree.rebuilt(value, items)))
            for part in items:
                if type(part) not in SCALARS:
                    self._keep_value(part)

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
                self.changed |= {f"{path}.{name}" if path else name for name in table.keys() - held.keys()}
                pytree.refill(table, held)
        for name, cell, value in self._cells:
            if cell.cell_contents is not value:
                cell.cell_contents = value
                self.changed |= {name} if (id(cell), name) not in recorded else set()
        for location, value in self._locations.values():
            if location.get() is not value:
                location.restore(value)
        for container, items in self._containers:
            if isinstance(container, list | dict | set) and (container or items):
                pytree.refill(container, items)
        for tensor, array, numbers in reversed(self._tensors.values()):
            tensor._data = array
            if array.flags.writeable:
                array[...] = numbers


def _tables_of(layer: Layer) -> list[dict[str, Any]]:
    """Where a layer holds what it holds."""
    return [vars(layer), *(vars(layer)[name] for name in _TABLES if name in vars(layer))]


def _is_same(table: dict[str, Any], held: dict[str, Any]) -> bool:
    """Whether a table holds what it held, under the same names in the same order."""
    return list(table) == list(held) and all(map(is_, table.values(), held.values()))
