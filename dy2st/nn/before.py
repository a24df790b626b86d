"""What was there before a function was traced, so that tracing it leaves layers and tensors as they were."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from .. import pytree
from ..ops import dispatch
from ..runtime.control.trial import stored_globals
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.tensor import Tensor
from .layer import Layer

_TABLES = ("_parameters", "_buffers", "_sub_layers")
_NOTHING = object()


class Before:
    """Keeps what tensors, attributes and containers hold, and puts it back as often as that is asked for."""

    def __init__(self) -> None:
        self.changed: set[str] = set()  # the attributes of layers that were found to be others
        self._tensors: dict[int, tuple[Tensor, np.ndarray, np.ndarray]] = {}
        self._locations: dict[tuple, tuple[Any, object]] = {}
        self._containers: dict[int, tuple[object, object]] = {}
        self._tables: list[tuple[Layer | None, str, dict[str, Any], dict[str, Any]]] = []

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
        """Keep what a layer and the layers in it hold."""
        for path, part in layer.named_sublayers(include_self=True):
            for function in (part.forward, *vars(part).values()):
                self.keep_globals(function)
            for table in _tables_of(part):
                self._tables.append((part, path, table, dict(table)))
                for value in table.values():
                    self._keep_value(value)

    def keep_globals(self, function: Any) -> None:
        """Keep the global variables that a function stores, or one that it names."""
        seen: set[int] = set()
        pending = [function]
        while pending:
            function = pending.pop()
            function = getattr(function, "func", getattr(function, "dygraph_function", function))
            function = getattr(function, "__func__", function)
            if isinstance(function, FunctionType) and id(function) not in seen:
                seen.add(id(function))
                known = function.__globals__
                self._tables.append((None, "", known, {n: known[n] for n in stored_globals(function.__code__) if n in known}))
                pending += [known.get(name) for name in function.__code__.co_names]

    def _keep_value(self, value: object) -> None:
        if isinstance(value, Tensor):
            if value.stop_gradient:
                self.keep_tensor(value)
        elif pytree.is_container(value) and id(value) not in self._containers:
            self._containers[id(value)] = value, pytree.rebuilt(value, pytree.items_of(value))
            for part in pytree.items_of(value):
                self._keep_value(part)

    def restore(self) -> None:
        """Put everything back. What was kept first comes last: it holds the most."""
        recorded = {
            (id(table), location.name)
            for location, _ in self._locations.values()
            if isinstance(getattr(location, "owner", None), Layer)
            for table in _tables_of(location.owner)
        }
        for owner, path, table, held in self._tables:
            for name in [name for name in held if table.get(name, _NOTHING) is not held[name]]:
                table[name] = held[name]
                if (id(table), name) not in recorded:
                    self.changed.add(f"{path}.{name}" if path else name)
            for name in table.keys() - held.keys() if owner is not None else ():
                del table[name]
                self.changed.add(f"{path}.{name}" if path else name)
        for location, value in self._locations.values():
            if location.get() is not value:
                location.restore(value)
        for container, items in self._containers.values():
            if isinstance(container, list | dict | set):
                pytree.refill(container, items)
        for tensor, array, numbers in reversed(self._tensors.values()):
            tensor._data = array
            if array.flags.writeable:
                array[...] = numbers


def _tables_of(layer: Layer) -> list[dict[str, Any]]:
    """Where a layer holds what it holds."""
    return [vars(layer), *(vars(layer)[name] for name in _TABLES if name in vars(layer))]
