"""The engine `onnxruntime`: each Function of a Program is an ONNX model, around which the state and the parameters are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from ..errors import ConversionError, EngineError
from ..graphs.kept_containers import kept, write_into
from ..graphs.lowering.faults import ErrorEntry
from ..graphs.preparing import prepared
from ..graphs.shared_memory import Sharing
from ..ir.core import Program
from ..ir.native import UNBOUND
from ..passes.values import Interface
from ..runtime.engine import Executable as NumpyExecutable
from ..runtime.engine import compile_program as compile_for_numpy
from ..runtime.engine.aliases import TensorAliases
from ..runtime.engine.held import arrays_of, state_of
from ..runtime.where.faults import speaks_for_the_user
from .calls import Answer, GraphCall
from .lowering.program import Lowered, Port, lower
from .ort_session import OrtSession
from .packages import onnx, onnxruntime
from .raised import draws, ended, failed, raised, silent

NAME = "onnxruntime"
BodyType = TypeVar("BodyType", bound="GraphBody")


def compile_program(program: Program, exceptions: Mapping[str, type[BaseException]] | None = None) -> OnnxExecutable:
    """An Executable of the Program, whose entry has a model.

    exceptions: the user's exception classes by name, where the Program runs in the process that staged it.

    EngineError: the entry has no form in ONNX. ImportError: onnx or onnxruntime isn't installed.
    """
    onnxruntime()
    executable = OnnxExecutable(program, exceptions)
    executable.body()
    return executable


class GraphExecutable(Generic[BodyType]):
    """Runs a Program, each Function of which is a graph; what it has is declared by `runtime.engines.Executable`."""

    def __init__(self, program: Program, exceptions: Mapping[str, type[BaseException]] | None):
        self.program = program
        self.parameters: dict[str, np.ndarray] = arrays_of(program, cache(lambda: TensorAliases(program)))
        self.state: dict[str, Any] = state_of(program)
        self.exceptions = exceptions
        self._bodies: dict[str, BodyType] = {}

    def made(self, function: str, program: Program) -> BodyType:
        """What runs a Function, the entry of `program`."""
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
        """What runs a Function, the entry if None. EngineError: it has no form as a graph."""
        name = function or self.program.entry.name
        found = self._bodies.get(name)
        if found is None:
            found = self._bodies[name] = self.made(name, self.program.starting_at(name))
        return found


class OnnxExecutable(GraphExecutable["Body"]):
    """Runs a Program in onnxruntime."""

    @property
    def source(self) -> str:
        """The model of the entry as text, without its weights."""
        return onnx().printer.to_text(self.body().session.model)

    def made(self, function: str, program: Program) -> Body:
        """As GraphExecutable's."""
        found, interface = lowered(program)
        return Body(self, function, found, Sharing(program, interface, NAME))

    def release(self) -> None:
        """Let go of the sessions; the next call makes others."""
        for body in tuple(self._bodies.values()):
            body.session.release()


def lowered(program: Program) -> tuple[Lowered, Interface]:
    """The model of a Program, and what its inputs and outputs stand for.

    EngineError, which names the operator and the user's line: it has none.
    """
    try:
        ready = prepared(program, leaves_at_raise=draws(program))
        return lower(ready.program, interface=ready.interface), ready.interface
    except ConversionError as error:
        raise EngineError(f"{error} (backend={NAME!r})") from None


class GraphBody:
    """One Function as a graph, which only computes: natives go in and come out, and what it leaves is kept or written."""

    def __init__(self, executable: GraphExecutable, function: str, sharing: Sharing):
        self._held, self._function, self._sharing = executable, function, sharing

    def computed(self, inputs: tuple) -> tuple[Answer, Sequence[ErrorEntry]]:
        """What the graph gives, and the exceptions that it may tell of."""
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


class Body(GraphBody):
    """One Function in a session of onnxruntime."""

    def __init__(self, executable: OnnxExecutable, function: str, found: Lowered, sharing: Sharing):
        super().__init__(executable, function, sharing)
        self.session = OrtSession(found.model, found.parameters, executable.parameters)
        self._errors, self._failures = found.errors, found.failures
        self._call = GraphCall(found.inputs, found.outputs)

    def computed(self, inputs: tuple) -> tuple[Answer, Sequence[ErrorEntry]]:
        """As GraphBody's. A run that fails at a node raises what Python raises there."""
        held, call = self._held, self._call
        try:
            answer = call.answer(self.session.run(call.names, call.feeds(inputs, held.state, held.parameters)))
        except Exception as error:
            told = failed(error, self._failures) or EngineError(f"{error} (backend={NAME!r})")
            raise ended(held, self._function, inputs, told) from None
        return answer, self._errors
