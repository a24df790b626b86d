"""Every call of a compiled Program is made again by its other forms, which must give the same bits.

The other forms: without optimisation passes, with all temporaries in reused buffers, and both. Each starts from copies of what
the call starts from. Compared are the result or the exception, and arguments, parameters and state afterwards.
"""

from __future__ import annotations

import contextlib
import copy
import io
import sys
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from engine.reference import identical

from dy2st import get_rng_state, set_rng_state
from dy2st.ir.core import Program
from dy2st.jit.static import concrete
from dy2st.runtime import engine
from dy2st.runtime.engine import compile_program, executable, sizes, slots


@contextlib.contextmanager
def every_form() -> Iterator[list[str]]:
    """Compare the forms of every Program that is staged and run in this context; gives the forms that were compared."""
    compared: list[str] = []
    plain: dict[int, Program] = {}  # id of an optimised Program -> the one that was staged
    optimize = concrete.optimize

    def optimized(program: Program) -> Program:
        before = copy.deepcopy(program)
        found = optimize(program)
        plain[id(found)] = before
        return found

    def compiled(program: Program, exceptions: Any = None) -> Any:
        made = compile_program(program, exceptions)
        others = _others(program, plain.get(id(program)), exceptions)
        return Compared(made.program, made._sources, others, compared)

    with mock.patch.object(concrete, "optimize", optimized), mock.patch.object(engine, "compile_program", compiled):
        yield compared


def _others(program: Program, before: Program | None, exceptions: Any) -> dict[str, Any]:
    made = {}
    with _all_large():
        made["buffers"] = compile_program(copy.deepcopy(program), exceptions)
        if before is not None:
            made["no passes, buffers"] = compile_program(copy.deepcopy(before), exceptions)
    if before is not None:
        made["no passes"] = compile_program(before, exceptions)
    return made


@contextlib.contextmanager
def _all_large() -> Iterator[None]:
    """Any array counts as large enough for a buffer."""
    with mock.patch.object(sizes, "LARGE", 1), mock.patch.object(slots, "LARGE", 1):
        yield


class Compared(executable.Executable):
    """An Executable whose calls are compared with those of `others`."""

    def __init__(self, program: Program, sources: Any, others: dict[str, Any], compared: list[str]):
        super().__init__(program, sources)
        self._others, self._compared = others, compared
        self._kept: dict[str, tuple] = {}  # the last result of each form, and a copy of it

    def _made_ready(self, form: Any) -> Callable:
        call = super()._made_ready(form)
        if form.function != self._entry:
            return call

        def compared(*inputs: Any) -> Any:
            return self._all_forms(call, inputs)

        self._ready[form] = compared
        return compared

    def _all_forms(self, call: Callable, inputs: tuple) -> Any:
        start, random = copy.deepcopy((inputs, self.parameters, self.state)), get_rng_state()
        printed = io.StringIO()
        with contextlib.redirect_stdout(_Both(printed)):
            outcome = _outcome(call, inputs)
        held = _those_of(self.parameters, self.parameters), _those_of(self.state, self.state)
        after, ended = (outcome[:2], inputs, *held), get_rng_state()
        for name, other in self._others.items():
            if name in self._kept:
                result, once = self._kept[name]
                assert identical(result, once), f"{name}: a later call has changed the result of an earlier one"
            set_rng_state(random)
            again, parameters, state = copy.deepcopy(start)
            other.parameters.update(parameters)
            other.state.update(state)
            text = io.StringIO()
            with _all_large(), contextlib.redirect_stdout(text):
                given = _outcome(lambda *a, other=other: other(*a), again)
            assert text.getvalue() == printed.getvalue(), f"{name}: prints {text.getvalue()!r}, not {printed.getvalue()!r}"
            theirs = (given[:2], again, _those_of(other.parameters, parameters), _those_of(other.state, state))
            for part, mine, other_ in zip(("result", "arguments", "parameters", "state"), after, theirs):
                assert identical(mine, other_), f"{name}: {part} differs: {other_!r}, not {mine!r}\n{other.source}\n{self.source}"
            self._kept[name] = given[0], copy.deepcopy(given[0])
            self._compared.append(name)
        set_rng_state(ended)
        if outcome[2] is not None:
            raise outcome[2]
        return outcome[0]


def _those_of(held: dict, names: dict) -> dict:
    """What `held` has under these names: a pass removes parameters and state that nobody reads."""
    return {name: held[name] for name in sorted(names)}


class _Both(io.TextIOBase):
    """Prints, and keeps what was printed."""

    def __init__(self, kept: io.StringIO):
        self._kept, self._out = kept, sys.stdout

    def write(self, text: str) -> int:
        self._out.write(text)
        return self._kept.write(text)


def _outcome(call: Callable, inputs: tuple) -> tuple[Any, str, BaseException | None]:
    """The result, or the type and message of the exception, and that itself."""
    try:
        return call(*inputs), "", None
    except Exception as error:
        return None, f"{type(error).__name__}: {error}", error
