"""One staged form of a compiled function: a Program whose inputs may be any typed values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.types import ListType
from ...runtime.heap.natives import PLAIN, Revival
from ...runtime.tensors.tensor import Tensor
from ...undo import UndoLog
from ..static.concrete import ConcreteProgram
from .scalars import NAMES


class ScriptProgram(ConcreteProgram):
    """Inputs are live values; what the Program does to a list, dict or object among them, it does to the caller's."""

    _epoch = -1

    def _guards_hold(self, epoch: int) -> bool:
        """Whether the objects that it was compiled with still are what they were. Names were resolved for good."""
        if self._epoch != epoch:  # which counts casts of layers, too
            self._epoch = epoch
            known = self.program.parameters
            self._fits = all(t.type == known[name].type for name, t in self.tensors.items() if name in known)
        return self._fits and self.staged.guards.objects_hold(epoch)

    def __call__(self, inputs: list, undo: UndoLog | None = None) -> Any:
        if all(isinstance(x, Tensor) for x in inputs):
            return super().__call__(inputs, undo)
        if not (self.staged.state or self.tensors) and all(type(x) in PLAIN for x in inputs):
            result = self._run_plain(inputs)
            return result if type(result) in PLAIN else Revival(self.staged.objects)(result)
        return self.run_on_values(inputs, undo)

    def on_plain(self) -> Callable | None:
        """What runs it on numbers, texts and lists of them, where it gives such and is all that a call does."""
        given = (t.elem if isinstance(t, ListType) else t for t in self.program.entry.result_types)
        alone = not (self.staged.state or self.tensors) and all(type_ in NAMES for type_ in given)
        return self.executable.body() if alone else None

    def _run_plain(self, inputs: list) -> Any:
        try:
            return self.executable(*inputs)
        except Exception as error:
            raise self.revived_error(error)
