"""What was there before a function was traced, so that tracing it leaves layers and tensors as they were."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import pytree
from ..ops import dispatch
from ..runtime.tensors.eager import EAGER
from ..runtime.tensors.tensor import Tensor
from .layer import Layer

_TABLES = ("_parameters", "_buffers", "_sub_layers")


class Before:
    """Keeps what tensors, attributes and containers hold, and puts it back as often as that is asked for."""

    def __init__(self) -> None:
        self.changed: set[str] = set()  # the attributes of layers that were found to be others
        self._tensors: dict[int, tuple[Tensor, np.ndarray, np.ndarray]] = {}
        self._locations: dict[tuple, tuple[Any, object]] = {}
        self._containers: dict[int, tuple[object, object]] = {}
        self._layers: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def keep_tensor(self, tensor: Tensor) -> None:
        """Keep the numbers of a tensor that is about to be written."""
        with dispatch.entered(EAGER):
            if id(tensor) not in self._tensors and not tensor.is_staged:
                self._tensors[id(tensor)] = tensor, tensor._data, tensor._data.copy()

    def keep_location(self, location: Any) -> None:
        """Keep what an attribute, an item or a variable holds."""
        if location.key not in self._locations:
            value = location.get()
            self._locations[location.key] = location, value
            self._keep_value(value)

    def keep_layer(self, layer: Layer) -> None:
        """Keep what a layer and the layers in it hold."""
        for path, part in layer.named_sublayers(include_self=True):
            own = {name: vars(part).get(name, {}) for name in _TABLES}
            for table in (vars(part), *own.values()):
                self._layers.append((path, table, dict(table)))
                for value in table.values():
                    self._keep_value(value)

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
        for path, table, held in self._layers:
            names = {name for name in {*table, *held} if table.get(name, self) is not held.get(name, self)}
            self.changed |= {f"{path}.{name}" if path else name for name in names}
            table.clear()
            table.update(held)
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
