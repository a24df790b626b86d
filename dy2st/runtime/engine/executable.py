"""A Program that runs: its compiled source, with its own parameters and state."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import EngineError
from ...ir.core import Program
from .numpy_source import Module


class Executable:
    """Runs one Program on natives.

    parameters: name -> the ndarray that `param` gives and in-place operations write; an array passed in is used as it is, except
        that a read-only one (a mapped file) is copied where the Program writes it.
    state: name -> the native value of the Program's Python state; each Executable has its own.
    source: the generated source.
    """

    def __init__(self, program: Program, module: Module):
        self.program = program
        self._module = module
        self.parameters: dict[str, np.ndarray] = {name: self._storage(name, p.data) for name, p in program.parameters.items()}
        memo: dict[int, Any] = {}  # one for all: state that is one object stays one object
        self.state: dict[str, Any] = {name: copy.deepcopy(s.value, memo) for name, s in program.state.items()}
        namespace = module.namespace(self.parameters, self.state)
        self._functions = {name: namespace[entry] for name, entry in module.entries.items()}
        self._entry = next(iter(self._functions.values()))

    @property
    def source(self) -> str:
        return self._module.source

    def fresh(self) -> Executable:
        """Another Executable of the same compiled source, with state of its own."""
        return Executable(self.program, self._module)

    def __call__(self, *inputs: Any) -> Any:
        """Run the entry Function on natives; its native result. A failure carries the user's line (`dy2st_loc`, and a note)."""
        return self._call(self._entry, inputs)

    def run(self, function: str, *inputs: Any) -> Any:
        """Run any Function of the Program by name."""
        if function not in self._functions:
            raise EngineError(f"the Program has no function {function!r}; it has {', '.join(self._functions)}")
        return self._call(self._functions[function], inputs)

    def _call(self, function: Any, inputs: tuple) -> Any:
        try:
            if not self._module.warns:
                return function(*inputs)
            with np.errstate(all="ignore"):
                return function(*inputs)
        except BaseException as error:
            better = self._module.lines.explain(error)
            if better is error:
                raise
            raise better.with_traceback(error.__traceback__) from None

    def _storage(self, name: str, data: Any) -> np.ndarray:
        if not isinstance(data, np.ndarray):
            raise EngineError(f"parameter {name!r} has no data")
        if not data.flags.writeable and self._module.aliases.mutated_parameter(name):
            return data.copy()
        return data


def compile_program(program: Program, exceptions: Mapping[str, type[BaseException]] | None = None) -> Executable:
    """Compile `program` to Python source over NumPy.

    exceptions: the user's exception classes by name, where the Program runs in the process that staged it.

    EngineError where the Program holds an operator that nobody defined or an attribute that is no literal.
    """
    return Executable(program, Module(program, exceptions))
