"""The lines of a Program and of its generated source, each with the user's lines that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...ir.core import Operation, Program
from ...ir.printer import function_lines, parameter_lines, state_lines
from ...passes.slopes import undifferentiated
from ...runtime.engines import NUMPY


class Linked(NamedTuple):
    """A line. places: file and line of the user's code that it comes from, the innermost call first."""

    text: str
    places: tuple[tuple[str, int], ...] = ()


def program_lines(program: Program) -> list[Linked]:
    """The lines of a Program as it is printed."""
    tables = [Linked(text) for text in (*parameter_lines(program), *state_lines(program))]
    parts = [tables, *(_linked(function_lines(function)) for function in program.functions.values())]
    return [line for part in parts if part for line in (*part, Linked(""))][:-1]


def engine_lines(concrete: Any) -> list[Linked]:
    """The lines of the source over NumPy that runs a ConcreteProgram."""
    executable: Any = NUMPY.compile_program(undifferentiated(concrete.program), concrete.staged.exceptions)
    return _linked(executable.source_lines)


def _linked(lines: Iterable[tuple[str, Operation | None]]) -> list[Linked]:
    return [Linked(text, _places(op)) for text, op in lines]


def _places(op: Operation | None) -> tuple[tuple[str, int], ...]:
    calls: Sequence = () if op is None or op.loc is None else list(op.loc.calls())
    return tuple(dict.fromkeys((loc.file, loc.line) for loc in calls))
