"""One more call of a static function, like the last one: the arguments are tensors of the same kind, and all guards hold."""

from __future__ import annotations

from typing import Any

from ...dtypes import get_default_dtype
from ...nn.layer import Layer
from ...runtime.tensors.spec import InputSpec
from ..interface.written_call import WrittenCall
from .switch import enabled


class StaticCall(WrittenCall):
    """A call of `function`, a StaticFunction, that runs `program`, a ConcreteProgram.

    specs: those of its arguments. is_given: whether the user gave them; then they don't say whether a gradient is wanted.
    """

    def __init__(self, function: Any, program: Any, specs: list[InputSpec], is_given: bool):
        super().__init__(enabled=enabled, default_dtype=get_default_dtype, epoch=Layer._epoch)
        self._function, self._program, self._specs, self._is_given = function, program, specs, is_given

    def write(self) -> None:
        """Inputs, guards, gradients, body."""
        if self._program.has_state:
            self.lock(self._function)
        program, specs = self._program, self._specs
        self.begin(len(specs), "not enabled()")
        for i, spec in enumerate(specs):
            self._write_input(i, spec)
        self._write_guards()
        steps = f"return {self.name(program, 'program')}([{', '.join(f't{i}' for i in range(len(specs)))}])"
        inputs = [f"not t{i}.stop_gradient" for i, s in enumerate(specs) if self._is_given or not s.stop_gradient]
        wants = self.wants_gradient(program.tensors.values(), inputs)
        if not program.is_plain:
            self.line(steps)
        elif wants and not program.is_compiled:
            self.other_where(f"not ({wants})")
            self.line(steps)
        else:
            if wants:
                self.line(f"if {wants}:")
                self.line(steps, 2)
            self.run(program.executable, program.program.entry.name, program.gradients, program.revived_error, program.revived)

    def _write_input(self, i: int, spec: InputSpec) -> None:
        """A tensor of this dtype, shape and, where that counts, `stop_gradient`."""
        self.other_where(f"not isinstance(t{i}, Tensor)")
        self.line(f"a{i} = t{i}._data")
        wants = [] if self._is_given else [f"t{i}.stop_gradient is not {spec.stop_gradient}"]
        self.other_where(*self.dtype_and_shape(i, spec.dtype, spec.shape), *wants)

    def _write_guards(self) -> None:
        """All that the Program takes for constant: as `ConcreteProgram.is_current` asks it."""
        program = self._program
        conditions = [f"default_dtype() != {program.default_dtype!r}"]
        conditions.append(f"not {self.name(program.staged.guards.hold, 'hold')}(epoch[0])")
        if program.kinds is not None:
            conditions.append(f"not {self.name(program.kinds.hold, 'kinds_hold')}()")
        self.other_where(*conditions)
