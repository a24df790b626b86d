"""One more call of a compiled function on Tensors, like the last one."""

from __future__ import annotations

from typing import Any

from ..interface.written_call import WrittenCall
from .program import ScriptProgram


class ScriptCall(WrittenCall):
    """A call of `function`, a ScriptFunction, on as many Tensors as it has parameters, of the dtypes of `program`."""

    def __init__(self, function: Any, program: ScriptProgram, dtypes: list[str]):
        super().__init__()
        self._function, self._program, self._dtypes = function, program, dtypes

    def is_of(self, program: ScriptProgram) -> bool:
        """Whether it calls this Program."""
        return self._program is program

    def write(self) -> None:
        """Inputs, guards, gradients, body."""
        program, count = self._program, len(self._dtypes)
        self.begin(count)
        for i, dtype in enumerate(self._dtypes):
            self.other_where(f"not isinstance(t{i}, Tensor)")
            self.line(f"a{i} = t{i}._data")
            self.other_where(self.other_dtype(i, dtype))
        variant = self._function.variant()
        other_mode = [] if variant is None else [f"{self.name(self._function.variant, 'variant')}() != {variant}"]
        self.other_where(f"not {self.name(program.is_current, 'is_current')}()", *other_mode)
        if wants := self.wants_gradient(program.tensors.values(), [f"not t{i}.stop_gradient" for i in range(count)]):
            self.line(f"if {wants}:")
            self.line(f"return {self.name(program, 'program')}([{', '.join(f't{i}' for i in range(count))}])", 2)
        self.run(program.executable, program.program.entry.name, program.gradients, program.revived_error, program.revived)
