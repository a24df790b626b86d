"""The engine `onnxruntime`: each Function of a Program is an ONNX model in a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import ConversionError, EngineError
from ..graphs.calls import Answer, GraphCall
from ..graphs.engine import GraphBody, GraphExecutable
from ..graphs.exceptions import draws, ended
from ..graphs.lowering.faults import ErrorEntry
from ..graphs.preparing import prepared
from ..graphs.shared_memory import Sharing
from ..ir.core import Program
from ..passes.values import Interface
from .failed_nodes import failed
from .lowering.program import Lowered, lower
from .ort_session import OrtSession
from .packages import onnx, onnxruntime

NAME = "onnxruntime"


def compile_program(program: Program, exceptions: Mapping[str, type[BaseException]] | None = None) -> OnnxExecutable:
    """An Executable of the Program, whose entry has a model.

    exceptions: the user's exception classes by name, where the Program runs in the process that staged it.

    EngineError: the entry has no form in ONNX. ImportError: onnx or onnxruntime isn't installed.
    """
    onnxruntime()
    executable = OnnxExecutable(program, exceptions)
    executable.body()
    return executable


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
