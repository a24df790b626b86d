"""What a call leaves in the state of PyTorch code, in attributes of modules and the like: tensors of torch's again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from .. import pytree
from ..errors import ConversionError
from ..runtime.heap.journal import Contents, Item, Location, keep
from ..runtime.tensors.tensor import Tensor
from .crossing import replaced
from .packages import torch

_TABLE = re.compile(r"\._(?:buffers|parameters|modules)\['([^']*)'\]")


def name_of(path: str) -> str:
    """What state is called that a path through tables of modules leads to: self._modules['a']._buffers['k'] is self.a.k."""
    return _TABLE.sub(r".\1", path)


class State:
    """The locations that the Programs of a function store."""

    def __init__(self) -> None:
        self._locations: dict[tuple, Location] = {}
        self._read: dict[tuple, Location] = {}

    def add(self, locations: Iterable[Location]) -> None:
        """These are stored, too."""
        self._locations.update((location.key, location) for location in locations)

    def add_read(self, locations: Iterable[Location]) -> None:
        """What an earlier call has left in these is read."""
        self._read.update((location.key, location) for location in locations)

    def has(self, table: dict, name: str) -> bool:
        """Whether an item of a table is among them."""
        return Item(table, name).key in self._locations

    def tensors(self) -> list[Tensor]:
        """The Tensors of dy2st's that the last call has left there."""
        values = [self._value(location) for location in self._locations.values()]
        return list(pytree.walk(values, lambda x: isinstance(x, Tensor))) if values else []

    def refuse_history(self) -> None:
        """ConversionError where a call reads tensors that an earlier one has left with a history: gradients would flow there."""
        values = [self._value(location) for location in self._read.values()]
        held = pytree.walk(values, lambda x: isinstance(x, torch().Tensor)) if values else ()
        if torch().is_grad_enabled() and any(x.requires_grad and not x.is_leaf for x in held):
            raise ConversionError(
                "an earlier call has left a tensor with a history in the module, and gradients don't flow from one call of a "
                "Program into another; store x.detach(), or call it under torch.no_grad()"
            )

    def replace(self, change: Callable[[Tensor], Any]) -> None:
        """Put `change(tensor)` in place of each."""
        seen: dict[int, Any] = {}
        for location in self._locations.values():
            value = self._value(location)
            found = replaced(value, Tensor, change, seen)
            if found is not value:
                keep(location, found)

    @staticmethod
    def _value(location: Location) -> Any:
        return location.owner if isinstance(location, Contents) else location.get()
