"""The engine `jax`: each Function of a Program is compiled by XLA for the shapes that it is called with."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import jax
import numpy as np

from ..errors import ConversionError, Dy2stWarning, EngineError
from ..graphs.calls import Answer, GraphCall
from ..graphs.engine import GraphBody, GraphExecutable
from ..graphs.exceptions import draws
from ..graphs.lowering.arrays import flattened
from ..graphs.lowering.faults import ErrorEntry
from ..graphs.ports import Port
from ..graphs.preparing import prepared
from ..graphs.shared_memory import Sharing
from ..ir.core import Program
from ..ir.native import blank
from ..passes.values.natives import without_heap
from ..runtime.where.running import working
from . import keys
from .computation import Computation, Found
from .lowering.codes import coded
from .lowering.rows import CAPACITY

NAME = "jax"
_MANY = 8  # sets of shapes, each of which costs a compilation
_ROOM = 64  # items of a list
_MOST_ROOM = 2**24


def compile_program(program: Program, exceptions: Mapping[str, type[BaseException]] | None = None) -> JaxExecutable:
    """An Executable of the Program, whose entry has a form in JAX.

    exceptions: the user's exception classes by name, where the Program runs in the process that staged it.

    EngineError: the entry has no form in JAX.
    """
    executable = JaxExecutable(program, exceptions)
    executable.body()
    return executable


class JaxExecutable(GraphExecutable["JaxBody"]):
    """Runs a Program in JAX."""

    @property
    def source(self) -> str:
        """The last jaxpr of the entry."""
        return self.body().source

    def made(self, function: str, program: Program) -> JaxBody:
        """As GraphExecutable's."""
        try:
            ready = prepared(program, leaves_at_raise=draws(program))
            return JaxBody(self, function, Computation(ready), Sharing(program, ready.interface, NAME))
        except ConversionError as error:
            raise EngineError(f"{error} (backend={NAME!r})") from None

    def release(self) -> None:
        """Let go of what is compiled; the next call compiles it anew."""
        self._bodies.clear()


class JaxBody(GraphBody):
    """One Function, compiled for each set of shapes."""

    def __init__(self, executable: JaxExecutable, function: str, computation: Computation, sharing: Sharing):
        super().__init__(executable, function, sharing)
        self._computation, self._room = computation, _ROOM
        self._compiled: dict[tuple, Compiled] = {}
        self._constants: dict[str, np.ndarray] | None = None
        self.source = ""

    def computed(self, inputs: tuple) -> tuple[Answer, Sequence[ErrorEntry]]:
        """As GraphBody's. A list that has no room for its items is given more, and all is computed again."""
        given = self._leaves(inputs)
        parameters = {name: self._held.parameters[name] for name in self._computation.ready.program.parameters}
        constants = self._known(parameters)
        key = keys.fresh() if self._computation.draws else None
        while True:
            found = self._for(given, constants)
            arrays = found({name: x for name, x in parameters.items() if name not in constants}, given, key)
            answer = GraphCall([], found.ports).answer(arrays)
            if not answer.error or found.errors[answer.error - 1].exception != CAPACITY or self._room >= _MOST_ROOM:
                found.speak()
                return answer, found.errors
            self._room *= 4

    def _leaves(self, inputs: tuple) -> list[list[Any]]:
        rest, held = iter(inputs), self._held
        sources = {"value": lambda key: next(rest), "state": held.state.__getitem__, "parameter": held.parameters.__getitem__}
        return [
            [_array(x) for x in flattened(port.type, blank(port.type))]
            if port.role == "state" and port.key in self._computation.unread
            else leaves_in_jax(port, sources[port.role](port.key))
            for port in self._computation.inputs
        ]

    def _known(self, parameters: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The constants of few elements that are what they were at the first call."""
        known = self._constants
        if known is None:
            known = {name: parameters[name].copy() for name in sorted(self._computation.constants)}
        self._constants = {name: x for name, x in known.items() if x.tobytes() == parameters[name].tobytes()}
        return self._constants  # which is replaced, never changed: other threads read it

    def _for(self, given: list[list[Any]], constants: Mapping[str, np.ndarray]) -> Compiled:
        arrays, layout = jax.tree_util.tree_flatten(given)
        key = self._room, *constants, layout, *((x.shape, x.dtype) for x in arrays)
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = Compiled(self._computation, self._room, constants)
            if len(self._compiled) == _MANY + 1:
                warnings.warn(
                    f"{self._function} is compiled for {_MANY + 1} sets of shapes, and each costs time: pad to few lengths",
                    Dy2stWarning,
                    stacklevel=2,
                )
        return found


def leaves_in_jax(port: Port, value: Any) -> list[Any]:
    """The arrays that stand for a native value; a list of them stands for a list whose items have shapes of their own."""
    return [_array(x) for x in flattened(port.type, without_heap(value, port.original))]


def _array(leaf: Any) -> Any:
    """The array of a leaf, or the arrays of its items."""
    if not isinstance(leaf, list):
        return coded(leaf)
    if len({x.shape for x in leaf}) > 1:
        return leaf
    return np.stack(leaf) if leaf else np.zeros((0,), np.float32)


def _copied(found: Any) -> Any:
    """An array that nobody shares, or a list of such."""
    return [np.array(x) for x in found] if isinstance(found, list) else np.array(found)


class Compiled:
    """A Function for one set of shapes. constants: parameters that are known. ports, errors: what the last trace has told.

    What it prints waits until `speak`: a call that needs more room is made again.
    """

    def __init__(self, computation: Computation, room: int, constants: Mapping[str, np.ndarray] | None = None):
        self._computation, self._room, self._constants = computation, room, constants or {}
        self._run = jax.jit(self._traced)
        self._found = Found()
        self._unsaid: list[Callable[[], Any]] = []

    def _traced(self, parameters: Any, inputs: Any, key: Any) -> Any:
        used = None if key is None else keys.as_key(key)
        self._found = self._computation({**parameters, **self._constants}, inputs, self._room, used, self._unsaid.append)
        return self._found.arrays

    @property
    def ports(self) -> list[Any]:
        return self._found.ports

    @property
    def errors(self) -> list[ErrorEntry]:
        return self._found.errors

    def __call__(self, parameters: Mapping[str, Any], inputs: Sequence[Sequence[Any]], key: Any = None) -> list[Any]:
        """The arrays of all leaves. key: what random numbers follow from, where any are drawn."""
        self._unsaid.clear()
        try:
            with jax.enable_x64(True), nullcontext() if self._found.forms else working("compiling for JAX"):
                found = self._run(parameters, inputs, key)
        except ConversionError as error:
            raise EngineError(f"{error} (backend={NAME!r})") from None
        if self._computation.says:
            jax.effects_barrier()
        return [_copied(form.array(data, count)) for (data, count), form in zip(found, self._found.forms)]

    def speak(self) -> None:
        """Print what the last call has to say."""
        for prints in self._unsaid:
            prints()
