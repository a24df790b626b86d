"""An engine for tests that notes its calls: the NumPy engine behind what `runtime.engines.Executable` declares, and no more."""

from __future__ import annotations

from dy2st.errors import EngineError
from dy2st.runtime.engine import compile_program as compile_for_numpy

compiled = []  # the Programs
calls = []  # the names of the Functions that ran


def compile_program(program, exceptions=None):
    """EngineError for a Program with `sin`."""
    for op in program.walk():
        if op.name == "sin":
            raise EngineError(f"{op.loc}: backend='noting' has no sin")
    compiled.append(program)
    return Noting(program, compile_for_numpy(program, exceptions))


class Noting:
    """What it may do more than a Protocol says would hide what its callers use."""

    def __init__(self, program, executable):
        self.program, self._executable = program, executable
        self.parameters, self.state = executable.parameters, executable.state

    @property
    def source(self):
        return self._executable.source

    def __call__(self, *inputs):
        return self.run(self.program.entry.name, *inputs)

    def run(self, function, *inputs):
        return self.body(function)(*inputs)

    def body(self, function=None, inputs=None):
        name = function or self.program.entry.name
        found = self._executable.body(name, inputs)

        def noted(*inputs):
            calls.append(name)
            return found(*inputs)

        return noted

    def release(self):
        calls.append("released")
