"""The exceptions of a call in onnxruntime, as the NumPy engine raises them: the user's class, message and line."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ..errors import EngineError
from ..ir.core import Operation, Value
from ..runtime.engine import compile_program
from ..runtime.engine.exceptions import ExceptionClasses, made_error
from ..runtime.where.faults import speaks_for_the_user
from ..runtime.where.tracebacks import lead_through, note_line

Classes = Mapping[str, type[BaseException]] | None


def raised(op: Operation, classes: ExceptionClasses) -> BaseException:
    """What a `raise` whose operands are constants raises."""
    values = list(map(_constant, op.operands))
    fields = op.attrs.get("fields", ())
    count = len(values) - len(fields)
    error = made_error(classes[op.attrs["exception"]], dict(zip(fields, values[count:])), *values[:count])
    if op.loc is not None:
        note_line(error, op.loc)
    return lead_through(op.loc, error)


def _constant(value: Value) -> Any:
    assert isinstance(value.owner, Operation)
    return value.owner.attrs["value"]


@speaks_for_the_user
def failure(error: Exception, executable: Any, function: str, inputs: tuple, exceptions: Classes) -> Exception:
    """What the call that has failed in onnxruntime raises.

    The NumPy engine, on copies, says which operator doesn't take what it was given, and where; onnxruntime names a node alone.
    """
    again = compile_program(executable.program, exceptions)
    again.parameters.update((name, array.copy()) for name, array in executable.parameters.items())
    again.state.update(copy.deepcopy(executable.state))
    try:
        again.run(function, *copy.deepcopy(inputs))
    except Exception as better:
        return better
    return EngineError(f"backend='onnxruntime' fails, and backend='numpy' does not: {error}")
