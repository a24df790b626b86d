"""One more call of a method of a loaded model, like the last one: arrays or tensors of the saved kind, in the same mode."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.spec import InputSpec
from ..interface.gradients import Gradients
from ..interface.written_call import WrittenCall


class LoadedCall(WrittenCall):
    """A call of `method`, a SavedMethod, in a mode of its model: the one it was switched to, training or not, or None.

    specs: those of its arguments. function, gradients: the Function of that mode, and how gradients flow through it.
    """

    def __init__(self, method: Any, specs: list[InputSpec], mode: bool | None, function: str, gradients: Gradients):
        super().__init__()
        self._method, self._specs, self._mode, self._function, self._gradients = method, specs, mode, function, gradients

    def write(self) -> None:
        """The mode, inputs, gradients, body."""
        method, owner, specs = self._method, self._method.owner, self._specs
        if owner.has_state:
            self.lock(owner)
        self.begin(len(specs), f"{self.name(vars(owner), 'model')}['_switched_to'] is not {self._mode}")
        for i, spec in enumerate(specs):
            self.line(f"a{i} = t{i}._data if isinstance(t{i}, Tensor) else t{i}")
            self.other_where(f"type(a{i}) is not ndarray", *self.dtype_and_shape(i, spec.dtype, spec.shape))
        inputs = [f"a{i} is not t{i} and not t{i}.stop_gradient" for i in range(len(specs))]
        if self._gradients.makes_leaves:
            self.line(f"return {self.name(method.run, 'run')}({self.name(self._function, 'function')}, args)")
        elif wants := self.wants_gradient(self._gradients.tensors.values(), inputs):
            self.line(f"if {wants}:")
            arguments = ", ".join(f"t{i}" for i in range(len(specs)))
            self.line(f"return {self.name(method.run, 'run')}({self.name(self._function, 'function')}, [{arguments}])", 2)
        self.run(owner._executable, self._function, self._gradients, method.explained, method.revived)
