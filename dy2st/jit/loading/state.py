"""Where the state of a loaded Program lives, for another one that calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...runtime.heap.natives import Mirror, Revival
from ...runtime.proxies import Staged
from ...runtime.tensors.tensor import Tensor

if TYPE_CHECKING:
    from .translated_layer import TranslatedLayer


class LoadedState:
    """A location of the journal: what a loaded Program holds under a name of its state."""

    def __init__(self, owner: TranslatedLayer, name: str):
        self.owner, self.name = owner, name

    @property
    def key(self) -> tuple:
        return ("kept", id(self.owner), self.name)

    def get(self) -> Any:
        """The live value; while it is staged, what stands for it. A buffer is the Tensor that the layer holds."""
        held, buffers = self._held[self.name], self.owner._buffers
        return buffers[self.name] if self.name in buffers and not _is_staged(held) else Revival(self._classes)(held)

    def set(self, value: Any) -> None:
        """Put a value of a recording there."""
        self._held[self.name] = value

    def restore(self, value: Any) -> None:
        """Put a value back: a live one, or one of a recording."""
        self._held[self.name] = value if _is_staged(value) else Mirror(self._classes, {}).to_native(value)
        if self.name in self.owner._buffers and not _is_staged(value):
            self.owner._buffers[self.name] = self.owner._tensors[self.name] = value

    @property
    def _held(self) -> dict[str, Any]:
        return self.owner._executable.state

    @property
    def _classes(self) -> dict[str, Any]:
        return vars(self.owner)["_classes"]

    def __str__(self) -> str:
        return self.name


def _is_staged(value: Any) -> bool:
    return isinstance(value, Staged) or (isinstance(value, Tensor) and value.is_staged)
