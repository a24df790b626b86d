"""A Program that runs: its compiled source, with its own parameters and state."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...errors import EngineError
from ...ir.core import Program
from ...ops.quiet import silence, speak
from ..where.faults import reports_faults, speaks_for_the_user
from .buffers import Pool
from .numpy_source import Module
from .sizes import is_large


class Sources:
    """The generated source of a Program, in up to two forms: as it stands, and with large temporaries in reused buffers.

    Each form is written when the first call asks for it: `large[name]` says which form a call of a Function takes.
    """

    def __init__(self, program: Program, exceptions: Mapping[str, type[BaseException]] | None):
        self.program, self.exceptions = program, exceptions
        self.large = {name: is_large(function) for name, function in program.functions.items()}
        self._forms: dict[bool, Module] = {}
        self.first = self.form(next(iter(self.large.values())) is True)

    @reports_faults
    def form(self, pooled: bool) -> Module:
        """The source that calls of this size run."""
        if pooled not in self._forms:
            self._forms[pooled] = Module(self.program, self.exceptions, pooled)
        return self._forms[pooled]

    def pools(self) -> list[Pool]:
        """Where memory is kept between calls."""
        return [pool for form in tuple(self._forms.values()) for pool in form.pools]


class Executable:
    """Runs one Program on natives. Calls may run at the same time.

    parameters: name -> the ndarray that `param` gives and in-place operations write; an array passed in is used as it is, except
        that a read-only one (a mapped file) is copied where the Program writes it.
    state: name -> the native value of the Program's Python state; each Executable has its own.
    source: the generated source.
    """

    def __init__(self, program: Program, sources: Sources):
        self.program = program
        self._sources = sources
        self.parameters: dict[str, np.ndarray] = {name: self._storage(name, p.data) for name, p in program.parameters.items()}
        memo: dict[int, Any] = {}  # one for all: state that is one object stays one object
        self.state: dict[str, Any] = {name: copy.deepcopy(s.value, memo) for name, s in program.state.items()}
        self._entry = next(iter(program.functions))
        self._ready: dict[tuple[str, bool], Callable] = {}

    @property
    def source(self) -> str:
        return self._sources.first.source

    def fresh(self) -> Executable:
        """Another Executable of the same compiled source, with state of its own."""
        return Executable(self.program, self._sources)

    def __call__(self, *inputs: Any) -> Any:
        """Run the entry Function on natives; its native result. A failure carries the user's line (`dy2st_loc`, and a note)."""
        return self.run(self._entry, *inputs)

    def run(self, function: str, *inputs: Any) -> Any:
        """Run any Function of the Program by name."""
        large = self._sources.large.get(function, False)
        key = (function, large if large is True or large is False else large(inputs))
        return (self._ready.get(key) or self._made_ready(*key))(*inputs)

    def body(self, function: str | None = None, inputs: tuple | None = None) -> Callable:
        """What a call of a Function, the entry if None, runs: compiled source, or what chooses one of its forms by the inputs.

        inputs: natives of the shapes that all calls will have, where these are known.
        """
        name = function or self._entry
        large, ready = self._sources.large[name], self._ready
        if callable(large) and inputs is not None:
            large = large(inputs)
        if not callable(large):
            return self._made_ready(name, large)

        def chosen(*inputs: Any) -> Any:
            key = (name, large(inputs))
            return (ready.get(key) or self._made_ready(*key))(*inputs)

        return chosen

    @property
    def pooled_bytes(self) -> int:
        """How much memory of large temporaries is kept for the next call."""
        return sum(pool.nbytes for pool in self._sources.pools())

    def release(self) -> None:
        """Give that memory back."""
        for pool in self._sources.pools():
            pool.release()

    def _made_ready(self, function: str, pooled: bool) -> Callable:
        """The functions of one form, bound to these parameters and this state."""
        if function not in self._sources.large:
            raise EngineError(f"the Program has no function {function!r}; it has {', '.join(self._sources.large)}")
        module = self._sources.form(pooled)
        namespace = module.namespace(self.parameters, self.state)
        self._ready.update({(name, pooled): _guarded(module, namespace[entry]) for name, entry in module.entries.items()})
        return self._ready[function, pooled]

    def _storage(self, name: str, data: Any) -> np.ndarray:
        if not isinstance(data, np.ndarray):
            raise EngineError(f"parameter {name!r} has no data")
        if not data.flags.writeable and self._sources.first.aliases.mutated_parameter(name):
            return data.copy()
        return data


@speaks_for_the_user
def _guarded(module: Module, compiled: Callable) -> Callable:
    """A compiled function, whose failures say what they mean."""
    warns = module.warns

    def call(*inputs: Any) -> Any:
        token = silence() if warns else None
        try:
            return compiled(*inputs)
        except BaseException as error:
            better = module.lines.explain(error)
            if better is error:
                raise error  # not bare: before Python 3.11 that brings the generated frames back
            raise better from None
        finally:
            if warns:
                speak(token)

    return call


def compile_program(program: Program, exceptions: Mapping[str, type[BaseException]] | None = None) -> Executable:
    """Compile `program` to Python source over NumPy.

    exceptions: the user's exception classes by name, where the Program runs in the process that staged it.

    EngineError where the Program holds an operator that nobody defined or an attribute that is no literal.
    """
    return Executable(program, Sources(program, exceptions))
