"""Executables whose Functions are graphs, around which the state and the parameters are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from ..ir.core import Program
from ..ir.native import UNBOUND
from ..runtime.engine import Executable as NumpyExecutable
from ..runtime.engine import compile_program as compile_for_numpy
from ..runtime.engine.aliases import TensorAliases
from ..runtime.engine.held import arrays_of, state_of
from ..runtime.where.faults import speaks_for_the_user
from .calls import Answer
from .exceptions import draws, ended, raised, silent
from .kept_containers import kept, write_into
from .lowering.faults import ErrorEntry
from .ports import Port
from .shared_memory import Sharing

BodyType = TypeVar("BodyType", bound="GraphBody")


class GraphExecutable(Generic[BodyType]):
    """Runs a Program, each Function of which is a graph; what it has is declared by `runtime.engines.Executable`."""

    def __init__(self, program: Program, exceptions: Mapping[str, type[BaseException]] | None):
        self.program = program
        self.parameters: dict[str, np.ndarray] = arrays_of(program, cache(lambda: TensorAliases(program)))
        self.state: dict[str, Any] = state_of(program)
        self.exceptions = exceptions
        self._bodies: dict[str, BodyType] = {}

    def made(self, function: str, program: Program) -> BodyType:
        """A runner of one Function, the entry of `program`."""
        raise NotImplementedError

    @cached_property
    def on_numpy(self) -> NumpyExecutable:
        """The same Program with the same parameters and state, for calls that raise; what it says was said before."""
        made = compile_for_numpy(silent(self.program), self.exceptions)
        made.parameters, made.state = self.parameters, self.state
        return made

    def __call__(self, *inputs: Any) -> Any:
        """Run the entry."""
        return self.body()(*inputs)

    def run(self, function: str, *inputs: Any) -> Any:
        """Run any Function of the Program by name."""
        return self.body(function)(*inputs)

    def body(self, function: str | None = None, inputs: tuple | None = None) -> BodyType:
        """The runner of a Function, the entry if None. EngineError: it has no form as a graph."""
        name = function or self.program.entry.name
        found = self._bodies.get(name)
        if found is None:
            found = self._bodies[name] = self.made(name, self.program.starting_at(name))
        return found


class GraphBody:
    """One Function as a graph, which only computes: natives go in and come out, and what it leaves is kept or written."""

    def __init__(self, executable: GraphExecutable, function: str, sharing: Sharing):
        self._held, self._function, self._sharing = executable, function, sharing

    def computed(self, inputs: tuple) -> tuple[Answer, Sequence[ErrorEntry]]:
        """The outputs of the graph, and the exceptions that they may report."""
        raise NotImplementedError

    @speaks_for_the_user
    def __call__(self, *inputs: Any) -> Any:
        held = self._held
        self._sharing.check(inputs, held.parameters)
        answer, errors = self.computed(inputs)
        told, entry = None, errors[answer.error - 1] if answer.error else None
        if entry is not None:
            told = raised(entry, answer.details, held.exceptions)
            if not (entry.leaves and draws(held.program)):
                raise ended(held, self._function, inputs, told) from None
        for port, value in answer.left:
            self._keep(port, value, inputs)
        if told is not None:
            raise told
        return self._sharing.restored(answer.result, {"argument": inputs, "parameter": held.parameters, "state": held.state})

    def _keep(self, port: Port, value: Any, inputs: tuple) -> None:
        """Store what the call leaves in the state, or write it into what the caller has."""
        if port.role == "state":
            state, name = self._held.state, str(port.key)
            if state[name] is UNBOUND and value is not UNBOUND:
                state[name] = state.pop(name)  # attributes follow each other as they were made
            state[name] = kept(state[name], value) if name in self._sharing.changed else value
            return
        target = self._held.parameters[str(port.key)] if port.role == "parameter" else inputs[int(port.key)]
        if isinstance(target, np.ndarray):
            target[...] = value
        else:
            write_into(target, value)
