"""One staged form of a compiled function: a Program whose inputs may be any typed values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...ir.native import SHARED
from ...ir.types import ListType
from ...nn.layer import Layer
from ...runtime.heap.natives import PLAIN, Mirror, Revival, revive_error
from ...runtime.taped import TapedMirror
from ...runtime.tensors.grad_mode import is_grad_enabled
from ...runtime.tensors.tensor import Tensor
from ..interface.callee import Callee
from ..interface.gradients import bring
from ..static.concrete import ConcreteProgram
from .scalars import NAMES
from .values import tensors


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

    def __call__(self, inputs: list) -> Any:
        if all(isinstance(x, Tensor) for x in inputs):
            return super().__call__(inputs)
        if not (self.staged.state or self.tensors) and all(type(x) in PLAIN for x in inputs):
            result = self._run_plain(inputs)
            return result if type(result) in PLAIN else Revival(self.staged.objects)(result)
        on_tape = is_grad_enabled() and any(not t.stop_gradient for t in (*self.tensors.values(), *tensors(inputs)))
        mirror = (TapedMirror if on_tape else Mirror)(self.staged.objects, self.staged.texts)
        natives = [mirror.to_native(x) for x in inputs]
        state = {} if on_tape else self.executable.state
        self._read_state(state, mirror)
        revived = Revival(self.staged.objects, Tensor, mirror)
        try:
            result = self._run_natives(natives, state, on_tape)
        except Exception as error:
            revive_error(error, revived)
            raise
        finally:
            self._write_state(state, revived)
            for native in natives:
                if isinstance(native, SHARED) and not isinstance(native, np.ndarray):
                    revived(native)
            self.gradients.note_writes()
        return revived(result)

    def on_plain(self) -> Callable | None:
        """What runs it on numbers, texts and lists of them, where it gives such and is all that a call does."""
        given = (t.elem if isinstance(t, ListType) else t for t in self.program.entry.result_types)
        alone = not (self.staged.state or self.tensors) and all(type_ in NAMES for type_ in given)
        return self.executable.direct() if alone else None

    def live_error(self, error: BaseException) -> BaseException:
        """An exception that left the Program, as plain Python would have raised it."""
        return revive_error(error, Revival(self.staged.objects))

    def callee(self, name: str, title: str, places: Iterable[tuple[Layer, str]] = ()) -> Callee:
        """This Program as one that another calls; name, title and places are those of `Callee`."""
        state = {name: slot.location for name, slot in self.staged.state.items()}
        return Callee(name, self.program, self.tensors, state, self.staged.objects, self.staged.exceptions, places, title)

    def _run_plain(self, inputs: list) -> Any:
        try:
            return self.executable(*inputs)
        except Exception as error:
            raise self.live_error(error)

    def _run_natives(self, natives: list, state: dict[str, Any], on_tape: bool) -> Any:
        if on_tape:
            return self.gradients.run_on_tape(natives, self.tensors, state)
        bring(self.tensors, self.executable)
        return self.executable(*natives)
