"""Ports of a graph: the values that go in and come out, and what they are in the caller's Program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir.core import Program
from ..ir.types import Type
from ..passes.values import Argument, Computed, ErrorRecord, Interface, Result
from ..passes.values.texts import mapped_argument
from .lowering.faults import Detail, ErrorEntry
from .lowering.state_names import graph_name


@dataclass
class Port:
    """A value that goes in or out.

    type: what its leaves stand for, a type without heap. leaves: their names in the graph. original: its type in the user's
        Program, with lists, dicts and objects.
    role, key: what it is outside of the graph. An input is the next argument ("value"), or the "state" or "parameter" of the name
    `key`. An output is the result ("value"), what the call leaves in the "state" or "parameter" of the name `key` or in the
    "argument" of that position, the number of the entry of the exceptions that has ended the call, from 1 ("error"), or number
    `key` of what messages tell ("detail").
    """

    type: Type
    leaves: list[str]
    original: Type
    role: str = "value"
    key: str | int = ""


def plain(program: Program) -> Interface:
    """Arguments are inputs, and what is returned is the result."""
    (type_,) = program.entry.result_types
    inputs = [Argument("input", value.name, value.type, value.type) for value in program.entry.block.args]
    return Interface(inputs, [Result("result", "", 0, type_, type_)])


_ROLES: dict[str, Callable[[Result], tuple[str, str, str | int]]] = {  # kind of a result -> role, name, key
    "result": lambda result: ("value", "output", ""),
    "written": lambda result: ("argument", f"{result.name or 'input'}.next", result.number),
    "state": lambda result: ("state", f"{graph_name(result.name, result.type)}.next", result.name),
    "parameter": lambda result: ("parameter", f"{result.name}.next", result.name),
    "value": lambda result: ("detail", f"error.{result.number}", result.number),
}


def port_of_result(result: Result) -> tuple[Port, str]:
    """The port of a result of the Program, still without the names of its leaves, and a stem for these names."""
    role, hint, key = _ROLES[result.kind](result)
    return Port(result.type, [], result.original, role, key), hint


def _detail(part: Any) -> Any:
    return Detail(part.number) if isinstance(part, Computed) else part


def error_entry(record: ErrorRecord) -> ErrorEntry:
    """The entry of a `raise` in the table of errors."""
    count = len(record.arguments) - len(record.fields)
    given = [mapped_argument(_detail, x) for x in record.arguments]
    fields = tuple(zip(record.fields, given[count:]))
    return ErrorEntry(record.exception, tuple(given[:count]), record.loc, record.bases, fields, leaves=True)
