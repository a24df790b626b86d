"""What the arguments and results of a Program without a heap stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...ir.core import Loc
from ...ir.types import Type
from .reraising import Reraised


class Argument(NamedTuple):
    """An argument of the Function.

    kind: "input" (one of the original Program's), "state" or "parameter" (what it holds before the call).
    name: of the input, the state or the parameter. type: what the Function takes. original: its type in the original Program.
    """

    kind: str
    name: str
    type: Type
    original: Type


class Result(NamedTuple):
    """A result of the Function, an item of the tuple that it returns.

    kind: "result", "written" (what an input holds afterwards), "state", "parameter", "error" (0, or the number of an error),
        or "value" (an argument of an exception).
    name: of the input, state or parameter. number: of the input, or of the value.
    """

    kind: str
    name: str
    number: int
    type: Type
    original: Type


class Computed(NamedTuple):
    """An argument of an exception that the Program computes: the result of kind "value" with this number."""

    number: int


@dataclass
class ErrorRecord:
    """An exception that the Program may raise.

    arguments: each a constant, `Computed`, or a `MadeText` of such. The last ones are the values of `fields`, attributes of the
        exception.
    """

    exception: str
    bases: tuple[str, ...]
    arguments: list[Any]
    fields: tuple[str, ...]
    loc: Loc | None
    path: str


@dataclass
class Interface:
    """Which argument and result is which; errors: error number k is `errors[k - 1]`.

    same: the names of state that has the same container after the call. replaced: of state that has a new one, while that of
    before is as it was. Of other state only a run tells.
    reraised: what handlers raise in place of an operator's exceptions, by the operation's location, from the innermost on.
    Where an operator itself raises, such as a `sequence.get` beyond the end, there are no results, and state stays as it was.
    """

    inputs: list[Argument] = field(default_factory=list)
    outputs: list[Result] = field(default_factory=list)
    errors: list[ErrorRecord] = field(default_factory=list)
    same: set[str] = field(default_factory=set)
    replaced: set[str] = field(default_factory=set)
    reraised: Mapping[Loc, tuple[Reraised, ...]] = field(default_factory=dict)

    @property
    def state(self) -> list[tuple[str, Type]]:
        """What lives from call to call: names and types of the arguments of kind "state" and "parameter"."""
        return [(argument.name, argument.type) for argument in self.inputs if argument.kind != "input"]
