"""Flags of tensors from outside that staging sets, as each call of the plain function does."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...undo import UndoLog


class WrittenFlags:
    """The tensors whose `stop_gradient` one staging sets. undo: gets the steps that restore them where it starts again."""

    def __init__(self, undo: UndoLog):
        self._undo = undo
        self._flags: dict[int, tuple[Any, bool, bool]] = {}  # by id: the tensor, its flag before and after

    def clear(self) -> None:
        """A new recording starts."""
        self._flags.clear()

    def set(self, tensor: Any, stops: bool) -> None:
        """Set the flag of a tensor."""
        _, before, _ = self._flags.get(id(tensor), (tensor, tensor.stop_gradient, stops))
        self._undo.note(partial(setattr, tensor, "stop_gradient", tensor.stop_gradient))
        self._flags[id(tensor)] = tensor, before, stops
        tensor.stop_gradient = stops

    def put_back(self) -> list[tuple[Any, bool]]:
        """Restore the flags, as no call follows; the tensors, each with the `stop_gradient` that a call will set."""
        for tensor, before, _ in self._flags.values():
            tensor.stop_gradient = before
        return [(tensor, after) for tensor, _, after in self._flags.values()]
