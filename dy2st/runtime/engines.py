"""The engines that run Programs, by name, and what the rest of the package asks of what they compile.

An engine's module is imported when its first Program is compiled. It has one function of the form of `Engine.compile_program`;
what that needs beyond NumPy it says itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from ..ir.core import Program


class Executable(Protocol):
    """A Program that an engine has compiled: natives (`ir/native.py`) go in and come out, as the NumPy engine gives them.

    parameters: name -> the array that `param` gives. A caller puts another one there before a call; it may also have written
        into one since the last call. What the Program writes to a parameter is written into that array, which is the one of the
        Program, or a copy where that is read-only.
    state: name -> the native value of the Program's Python state. It is this Executable's own; callers read and store it.
    source: what the engine made of the Program, as text for people.
    """

    program: Program
    parameters: dict[str, np.ndarray]
    state: dict[str, Any]

    @property
    def source(self) -> str: ...

    def __call__(self, *inputs: Any) -> Any:
        """Run the entry Function.

        An exception is of the user's class, with the user's message; `dy2st_loc` is the line. EngineError: as for `body`.
        """

    def run(self, function: str, *inputs: Any) -> Any:
        """Run any Function of the Program by name."""

    def body(self, function: str | None = None, inputs: tuple | None = None) -> Callable:
        """What `run` calls for a Function, the entry if None: for those who call it again and again.

        inputs: natives of the shapes that all calls will have, where these are known. EngineError: this engine can't run the
        Function; the message names the operator and the user's line.
        """

    def release(self) -> None:
        """Give back the memory that is kept between calls."""


@dataclass(frozen=True)
class Engine:
    """A way to run Programs.

    name: what `backend=` calls it; module: where its `compile_program` is. follows_seed: whether `dy2st.seed` says its random
    numbers.
    """

    name: str
    module: str
    follows_seed: bool = True

    def compile_program(self, program: Program, exceptions: Mapping[str, type[BaseException]] | None = None) -> Executable:
        """An Executable of the Program, whose entry Function can run.

        exceptions: the user's exception classes by name, where the Program runs in the process that staged it.

        EngineError: this engine can't run the entry. ImportError: a package that it needs isn't installed.
        """
        return import_module(self.module).compile_program(program, exceptions)


NUMPY = Engine("numpy", "dy2st.runtime.engine")
ENGINES: dict[str, Engine] = {
    engine.name: engine
    for engine in (
        NUMPY,
        Engine("onnxruntime", "dy2st.onnx.engine", follows_seed=False),
        Engine("jax", "dy2st.jax"),
    )
}


def engine_named(name: Any) -> Engine:
    """The engine that `backend=name` asks for; without a name the NumPy engine. TypeError or ValueError: there is none."""
    if name is None:
        return NUMPY
    if not isinstance(name, str):
        raise TypeError(f"backend is the name of an engine or None, not {type(name).__name__}")
    if name not in ENGINES:
        raise ValueError(f"backend is one of {', '.join(map(repr, ENGINES))}, not {name!r}")
    return ENGINES[name]
