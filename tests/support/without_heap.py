"""Every call of a compiled Program is made again without a heap, which must give the same bits.

Compared with what the functionalized Program gives are the result or the exception, what is printed, and inputs, parameters and
state afterwards. Aliases in results aren't: without a heap each list in them is one of its own.
"""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

from engine.reference import identical

from dy2st import get_rng_state, set_rng_state
from dy2st.ir.core import Program
from dy2st.passes.copying import copied
from dy2st.passes.functionalize import FunctionalizeError, functionalize_program
from dy2st.passes.values import Computed, ErrorRecord, Interface, ValuesError, values_program
from dy2st.passes.values.natives import with_heap, without_heap
from dy2st.passes.values.texts import value_of_argument
from dy2st.runtime import engine
from dy2st.runtime.engine import compile_program, executable
from support.answers import Raised, answer


class Beside:
    """A Program, functionalized and without a heap, each compiled; `check` compares a call of both."""

    def __init__(self, program: Program):
        before = functionalize_program(copied(program), "mutations_and_views", lift=True)
        self.program, self.interface = values_program(program)
        self.before, self.after = compile_program(before), compile_program(self.program)

    def check(self, inputs: Sequence[Any], parameters: dict[str, Any] | None = None, state: dict[str, Any] | None = None) -> Any:
        """AssertionError: the Programs differ on these natives, which stay as they are. The result, or what was raised."""
        random = get_rng_state()
        self.before.parameters.update(copy.deepcopy(_those_of(parameters or {}, self.before.parameters)))
        self.before.state.update(copy.deepcopy(_those_of(state or {}, self.before.state)))
        held = copy.deepcopy((self.before.parameters, self.before.state))
        left = copy.deepcopy(tuple(inputs))
        expected, printed = _printing(lambda: answer(self.before, *left))
        set_rng_state(random)
        given = _Call(self, inputs, *held)
        assert given.printed == printed, f"prints {given.printed!r}, not {printed!r}"
        assert identical(given.result, expected), f"gives {given.result!r}, not {expected!r}\n{self.program}"
        if isinstance(expected, Raised) and given.left_nothing:
            return expected  # an operator has raised: without a heap such a call leaves everything as it was
        assert identical(given.inputs, left), f"leaves inputs {given.inputs!r}, not {left!r}"
        assert identical(given.state, self.before.state), f"leaves state {given.state!r}, not {self.before.state!r}"
        assert identical(given.parameters, self.before.parameters), "leaves other parameters"
        return expected


class _Call:
    """One call of the Program without a heap, in the terms of the original one."""

    def __init__(self, beside: Beside, inputs: Sequence[Any], parameters: dict[str, Any], state: dict[str, Any]):
        interface, run = beside.interface, beside.after
        self.parameters, self.state = parameters, state
        self.inputs = list(copy.deepcopy(tuple(inputs)))
        run.parameters.update(copy.deepcopy(_those_of(self.parameters, run.parameters)))
        self.result, self.printed = _printing(lambda: answer(run, *self._arguments(interface)))
        self.left_nothing = isinstance(self.result, Raised)
        if not self.left_nothing:
            self._take(interface, self.result)
        self.inputs = tuple(self.inputs)

    def _arguments(self, interface: Interface) -> list[Any]:
        named = {"state": self.state, "parameter": self.parameters}
        given = iter(self.inputs)
        natives = [next(given) if a.kind == "input" else named[a.kind][a.name] for a in interface.inputs]
        return [without_heap(copy.deepcopy(x), a.original) for x, a in zip(natives, interface.inputs)]

    def _take(self, interface: Interface, results: tuple) -> None:
        """What the results say."""
        numbered: dict[int, Any] = {}
        error = 0
        for output, value in zip(interface.outputs, results, strict=True):
            if output.kind == "error":
                error = value
            elif output.kind == "value":
                numbered[output.number] = value
        for output, value in zip(interface.outputs, results):
            if output.kind == "written":
                self.inputs[output.number] = with_heap(value, output.original)
            elif output.kind in ("state", "parameter"):
                table = self.state if output.kind == "state" else self.parameters
                table[output.name] = with_heap(value, output.original)
            elif output.kind == "result" and not error:
                self.result = with_heap(value, output.original)
        if error:
            self.result = raised(interface.errors[error - 1], numbered)


def raised(record: ErrorRecord, values: dict[int, Any]) -> Raised:
    """The exception of a record."""

    def value_of(part: Any) -> Any:
        return values[part.number] if isinstance(part, Computed) else part

    arguments = [value_of_argument(x, value_of) for x in record.arguments]
    kind = KeyError if record.exception == "KeyError" else Exception
    return Raised(record.exception, str(kind(*arguments[: len(arguments) - len(record.fields)])))


def _printing(call: Callable[[], Any]) -> tuple[Any, str]:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        result = call()
    return result, text.getvalue()


def _those_of(held: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    return {name: held[name] for name in held if name in names}


@contextlib.contextmanager
def also_without_heap() -> Iterator[list[ValuesError | FunctionalizeError]]:
    """Compare each call of every Program that is compiled in this context; gives the errors of those that are refused."""
    refused: list[ValuesError | FunctionalizeError] = []
    compile_ = engine.compile_program

    def compiled(program: Program, exceptions: Any = None) -> Any:
        made = compile_(program, exceptions)
        try:
            beside = Beside(copy.deepcopy(program))
        except (ValuesError, FunctionalizeError) as error:
            refused.append(error)
            return made
        _compare(made, beside)
        return made

    with mock.patch.object(engine, "compile_program", compiled):
        yield refused


def _compare(made: executable.Executable, beside: Beside) -> None:
    """Let each call of an Executable be made by `beside`, too."""
    ready = made._made_ready

    def made_ready(form: Any) -> Callable:
        call = ready(form)
        if form.function != made._entry:
            return call

        def compared(*inputs: Any) -> Any:
            start, random = copy.deepcopy((inputs, made.parameters, made.state)), get_rng_state()
            beside.check(*start)
            set_rng_state(random)
            return call(*inputs)

        made._ready[form] = compared
        return compared

    made._made_ready = made_ready  # type: ignore[method-assign]
