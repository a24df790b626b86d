"""One more call like the last one, as one generated function: it is written for each Program once.

    def call(args, kwargs):
        if kwargs or len(args) != 1 or modes() or observer() is not None:
            return OTHER
        t0, = args
        ...                                     # is each argument of the kind that the Program takes?
        for name, tensor in tensors_1:
            parameters_2[name] = tensor._data
        try:
            result = body_3(a0)
        ...
        return Tensor(result) if type(result) is ndarray else revived_4(result)

`OTHER` says that this call isn't such a one: the arguments are of another kind, something that was taken for constant has
changed, or the call is recorded. Then it goes through all steps, which also tell what doesn't fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...ops import dispatch
from ...runtime.engine.source import Source
from ...runtime.engines import Executable
from ...runtime.heap.markers import Opaque
from ...runtime.staging_lock import STAGING
from ...runtime.tensors.borrowed import own_arguments
from ...runtime.tensors.call_hook import current_observer
from ...runtime.tensors.grad_mode import is_grad_enabled
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.tracebacks import leaving
from .gradients import Gradients

FILE = str(Path(__file__).parent / "<call>")
OTHER: Any = object()
_WRITING = RLock()  # threads may call a Program for the second time at once


class NoCall(Opaque):
    """What stands for the written call of a Program that there isn't yet."""

    @staticmethod
    def call(args: tuple, kwargs: dict[str, Any]) -> Any:
        """No call is like the last one."""
        return OTHER


class WrittenCall(Opaque):
    """A call on arguments by position: `call`, which is written when it is first needed."""

    def __init__(self, **known: Any) -> None:
        """known: what the lines of a subclass name besides."""
        self._known = {**_KNOWN, **known}
        self._source = Source(FILE, self._known)
        self._begun = "call"  # the name of the function that `begin` begins
        self.call: Callable[[tuple, dict[str, Any]], Any] = self._first

    @property
    def text(self) -> str:
        """The source; "" before."""
        return self._source.text

    def _first(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        with _WRITING:
            if self.call == self._first:
                self._source = Source(FILE, self._known)
                self.write()
                self.call = self._source.functions()["call"]
        return self.call(args, kwargs)

    def write(self) -> None:
        """Write all lines."""
        raise NotImplementedError

    def line(self, text: str, depth: int = 1) -> None:
        """One line of the function."""
        self._source.line(text, depth)

    def name(self, value: Any, stem: str) -> str:
        """The name of an object in the source."""
        return self._source.name(value, stem)

    def other_where(self, *conditions: str) -> None:
        """Where one of these holds, it is another call."""
        self.line(f"if {' or '.join(conditions)}:")
        self.line("return OTHER", 2)

    def lock(self, function: Any) -> None:
        """What is written from here on runs while no other thread calls `function`, which has state, or stages."""
        self.line("def call(args, kwargs):", 0)
        self.other_where("modes()")
        self.line(f"with {self.name(STAGING.stateful_call(function), 'stateful_call')}:")
        self.line("return locked(args, kwargs)", 2)
        self._begun = "locked"

    def begin(self, count: int, *conditions: str) -> None:
        """The function begins: it takes so many arguments, where nobody records it and none of the conditions holds."""
        self.line(f"def {self._begun}(args, kwargs):", 0)
        self.other_where(f"kwargs or len(args) != {count} or modes() or observer() is not None", *conditions)
        if count:
            self.line(f"{_listed('t', count)}, = args")

    def other_dtype(self, i: int, dtype: str) -> str:
        """Whether the array of an input is of another dtype."""
        known = self.name(DTYPES[dtype].numpy, "dtype")
        return f"a{i}.dtype is not {known} and a{i}.dtype != {known}"

    def dtype_and_shape(self, i: int, dtype: str, shape: Sequence[int]) -> list[str]:
        """Whether the array of an input is of another dtype or shape; an open length is -1."""
        array, conditions = f"a{i}", [self.other_dtype(i, dtype)]
        if -1 not in shape:
            return [*conditions, f"{array}.shape != {tuple(map(int, shape))}"]
        lengths = [f"{array}.shape[{axis}] != {int(length)}" for axis, length in enumerate(shape) if length != -1]
        return [*conditions, f"len({array}.shape) != {len(shape)}", *lengths]

    def wants_gradient(self, tensors: Iterable[Tensor], inputs: list[str]) -> str:
        """The condition that a gradient may be asked for, of tensors that the Program holds or where one of `inputs` holds.

        Then the call is a node of the tape. Empty, where it never is.
        """
        held = tuple(tensors)
        wanted = [f"any_wants_gradient({self.name(held, 'tensors')})"] if held else []
        return f"grad_enabled() and ({' or '.join([*wanted, *inputs])})" if held or inputs else ""

    def run(self, executable: Executable, function: str, gradients: Gradients, explained: Callable, revived: Callable) -> None:
        """The body runs on the arrays of the inputs and on those that the tensors have now; what it gives becomes Tensors.

        explained: what to raise in place of an exception; revived: live values for those of the body.
        """
        arrays = _listed("a", len(executable.program.functions[function].block.args))
        brought = tuple((name, tensor) for name, tensor in gradients.tensors.items() if name in executable.parameters)
        if brought:
            self.line(f"for name, tensor in {self.name(brought, 'tensors')}:")
            self.line(f"{self.name(executable.parameters, 'parameters')}[name] = tensor._data", 2)
        self.line("try:")
        self.line(f"result = {self.name(executable.body(function), 'body')}({arrays})", 2)
        self.line("except Exception as error:")
        self.line(f"better = {self.name(explained, 'explained')}(error)", 2)
        self.line("if better is error:", 2)
        self.line("raise", 3)
        self.line("raise better from error", 2)
        if gradients.effects.writes:
            self.line("finally:")
            self.line(f"{self.name(gradients.effects.note_writes, 'note_writes')}(args)", 2)
        self.line(f"return Tensor(result) if type(result) is ndarray else {self.name(revived, 'revived')}(result)")


def _listed(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{i}" for i in range(count))


def _any_wants_gradient(tensors: tuple[Tensor, ...]) -> bool:
    for tensor in tensors:  # noqa: SIM110 - quicker than `any`, which starts a generator
        if not tensor.stop_gradient:
            return True
    return False


_KNOWN: dict[str, Any] = {
    "OTHER": OTHER,
    "Tensor": Tensor,
    "ndarray": np.ndarray,
    "modes": dispatch.mode_stack,
    "observer": current_observer,
    "grad_enabled": is_grad_enabled,
    "any_wants_gradient": _any_wants_gradient,
}


class CalledAgain:
    """What is called once more as it was called last, where the call is of the same kind, and else in all its steps."""

    again: NoCall | WrittenCall

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            result = self.again.call(args, kwargs)
            return self._called(*own_arguments(args, kwargs)) if result is OTHER else result
        except Exception as error:
            if (other := leaving(error)) is not None:
                raise other
            raise

    def _called(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call in all its steps."""
        raise NotImplementedError
