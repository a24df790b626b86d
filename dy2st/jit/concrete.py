"""A Program tied to the live objects it was staged from.

Its parameters are the model's tensors, its state the model's attributes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.native import UNBOUND
from ..nn.layer import Layer, attribute_epoch
from ..ops.registry import OpDef
from ..passes import optimize
from ..runtime.engine import compile_program
from ..runtime.grad_mode import is_grad_enabled
from ..runtime.journal import MISSING, Contents
from ..runtime.natives import Mirror, Revival, revive_error
from ..runtime.spec import InputSpec, leaves
from ..runtime.stage import StagedFunction
from ..runtime.tape import Node
from ..runtime.tensor import Tensor


def _refuse_gradient(ctx: Any, *gradients: Any) -> Any:
    raise RuntimeError(
        "the gradient of a static function's result isn't known: train the plain model (`net.forward.rollback()` gives it back), "
        "then convert it; or run the static function under `dy2st.no_grad()`"
    )


_STATIC = OpDef("static function", kernel=lambda x: x, infer=lambda x: x, grad=_refuse_gradient)
_LEAF = Tensor(np.zeros((), "float32"), stop_gradient=False)  # what a way back needs to end in


def _without_gradient(array: np.ndarray) -> Tensor:
    """A result on whose way back a gradient is refused, rather than lost."""
    result = Tensor(array)
    if array.dtype.kind == "f":
        node = Node(_STATIC, [array], {}, [_LEAF], [result._writes])
        node.add_result(array, result._writes)
        result._node, result.stop_gradient = (node, 0), False
    return result


class ConcreteProgram:
    """One staged form of a function: `program`, its `arguments` (a tree of InputSpecs by parameter), and a call that runs it."""

    def __init__(self, staged: StagedFunction, arguments: dict[str, Any], training: bool):
        self.staged, self.arguments, self.training = staged, arguments, training
        self.program = optimize(staged.program)
        self.tensors = {name: staged.tensors[name] for name in self.program.parameters}
        self._executable: Any = None
        staged.guards.settle(lambda obj: isinstance(obj, Layer))

    @property
    def inputs(self) -> list[InputSpec]:
        """The specs of the input tensors, in order."""
        return list(leaves(self.arguments))

    @property
    def main_program(self) -> Any:
        return self.program

    @property
    def parameters(self) -> list[Tensor]:
        """The live tensors that the Program holds."""
        return list(self.tensors.values())

    @property
    def outputs(self) -> list:
        """The types of the results."""
        return self.program.entry.result_types

    @property
    def executable(self) -> Any:
        if self._executable is None:
            self._executable = compile_program(self.program, exceptions=self.staged.exceptions)
        return self._executable

    def is_current(self) -> bool:
        """Whether all that staging took for constant still holds."""
        return self.staged.guards.hold(attribute_epoch())

    def __call__(self, inputs: list) -> Any:
        """Run on tensors or arrays; the result in the user's structure."""
        executable, objects = self.executable, self.staged.objects
        wants_gradient = is_grad_enabled() and self._wants_gradient(inputs)
        parameters = executable.parameters
        for name, tensor in self.tensors.items():
            if parameters[name] is not tensor._data:
                parameters[name] = tensor._data
        if not self.staged.state:
            result = self._run(executable, inputs)
            return Revival(objects, _without_gradient if wants_gradient else Tensor)(result)
        revived = Revival(objects, Tensor, self._read_state(executable))
        try:
            result = self._run(executable, inputs)
        finally:
            self._write_state(executable, revived)
        revived.tensor = _without_gradient if wants_gradient else Tensor
        return revived(result)

    def _run(self, executable: Any, inputs: list) -> Any:
        try:
            return executable(*(x._data if isinstance(x, Tensor) else np.asarray(x) for x in inputs))
        except Exception as error:
            revive_error(error, Revival(self.staged.objects))
            raise

    def _wants_gradient(self, inputs: list) -> bool:
        """Whether plain Python's result would have a gradient."""
        tensors = (*self.tensors.values(), *(x for x in inputs if isinstance(x, Tensor)))
        return any(not t.stop_gradient for t in tensors)

    def mirror(self) -> Mirror:
        """What tells the live objects of the state from one another during one call."""
        return Mirror(self.staged.objects, self.staged.texts)

    def _read_state(self, executable: Any) -> Mirror:
        mirror = self.mirror()
        for name, slot in self.staged.state.items():
            value = slot.location.owner if isinstance(slot.location, Contents) else slot.location.get()
            executable.state[name] = UNBOUND if value is MISSING else mirror.to_native(value)
        return mirror

    def _write_state(self, executable: Any, revived: Revival) -> None:
        for name, slot in self.staged.state.items():
            native = executable.state[name]
            if native is UNBOUND:
                slot.location.restore(MISSING)
                continue
            old = slot.location.get()
            if isinstance(old, Tensor) and old._data is native:
                continue
            live = revived(native)
            if not isinstance(slot.location, Contents) or live is not slot.location.owner:
                slot.location.restore(live)
