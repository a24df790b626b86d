"""The exceptions of a call of a graph, as the NumPy engine raises them: the user's class, message and line."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..ir.core import Program
from ..ops.registry import OPERATORS
from ..passes.copying import copied
from ..passes.values.texts import value_of_argument
from ..runtime.engine import Executable
from ..runtime.engine.exceptions import exception_class, made_error
from ..runtime.where.faults import speaks_for_the_user
from ..runtime.where.tracebacks import lead_through, note_line
from .lowering.faults import Detail, ErrorEntry

if TYPE_CHECKING:
    from .engine import GraphExecutable


Classes = Mapping[str, type[BaseException]]


def raised(entry: ErrorEntry, details: Mapping[int, Any], known: Classes | None = None) -> Exception:
    """The exception that an entry tells of.

    details: what the model has computed for messages. known: the user's classes by name, where they are known.
    """

    def value_of(argument: Any) -> Any:
        return details[argument.number] if isinstance(argument, Detail) else argument

    given = [value_of_argument(x, value_of) for x in entry.arguments]
    fields = {name: value_of_argument(x, value_of) for name, x in entry.fields}
    error = made_error(exception_class([entry.exception, *entry.bases], known), fields, *given)
    if entry.loc is not None:
        note_line(error, entry.loc)
    assert isinstance(error, Exception)
    return lead_through(entry.loc, error)


def ended(executable: GraphExecutable, function: str, inputs: tuple, told: Exception) -> Exception:
    """The exception of a call that has failed in a graph; `told` is what that says of it.

    A graph doesn't stop where Python does, and tells a check or a node alone. So the engine on NumPy makes the call again, which
    leaves in state, parameters and arguments what Python leaves. First it runs on copies: where it comes to an end, or would draw
    other random numbers, the exception is `told`, and nothing is left.
    """
    if draws(executable.program):
        return told
    trial = executable.on_numpy.fresh()
    given, parameters, state = copy.deepcopy((inputs, executable.parameters, executable.state))
    trial.parameters.update(parameters)
    trial.state.update(state)
    error = _failure(trial, function, given) and _failure(executable.on_numpy, function, inputs)
    return error or told


def draws(program: Program) -> bool:
    """Whether a Program draws random numbers."""
    return any(op.name in OPERATORS and OPERATORS[op.name].random for op in program.walk())


def silent(program: Program) -> Program:
    """A copy of a Program that says nothing."""
    made = copied(program)
    for op in [op for op in made.walk() if op.name.startswith("io.")]:
        assert op.parent is not None
        op.parent.ops.remove(op)
    return made


@speaks_for_the_user
def _failure(numpy: Executable, function: str, inputs: tuple) -> Exception | None:
    """The exception of a call on NumPy."""
    try:
        numpy.run(function, *inputs)
    except Exception as error:
        return error
    return None
