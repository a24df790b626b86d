"""An operator's failure in the words that eager code has for it.

NumPy's own messages name neither the operator nor what it takes. After a failure the operands are still there, in the generated
frame. The operator's type inference is asked again, now with their real shapes. It says what eager code would have said.
"""

from __future__ import annotations

import ast
from types import FrameType
from typing import Any

import numpy as np

from ...errors import DTypeError
from ...ir.core import Operation, fill_refs
from ...ir.types import TensorType, Type
from ...ops.registry import OPERATORS, infer_types
from ...ops.torch_errors import is_of_truth, kind_of, of_operation
from ..where.hints import add_note
from .exceptions import of_torch


def explained(error: BaseException, frame: FrameType, op: Operation, texts: list[str], errors: str = "") -> BaseException:
    """The error that eager code raises where the operator `op` failed with `error`, on operands written `texts`.

    errors: of the Program, in which torch's code may be what is eager.
    """
    better = _in_words(error, frame, op, texts)
    return as_torch_says(better, op) if errors and isinstance(better, Exception) else better


def as_torch_says(error: Exception, op: Operation) -> Exception:
    """The error with the class that it has in torch, where an Operation failed with it; that of Python code as it is."""
    if is_of_truth(error) and op.name not in ("raise", "call"):
        return of_torch(error, "RuntimeError")
    kind = "" if op.name not in OPERATORS or OPERATORS[op.name].calls_python else kind_of(error)
    return of_torch(error, of_operation(op, kind)) if kind else error


def _in_words(error: BaseException, frame: FrameType, op: Operation, texts: list[str]) -> BaseException:
    if not isinstance(error, ValueError | IndexError) or op.name not in OPERATORS:
        return error
    try:
        values = [_value(text, frame) for text in texts]
    except (ValueError, SyntaxError):
        return error  # an expression, or a name of other code: what the operand was isn't known any more
    if len(values) > 1 and isinstance(values[0], list | tuple | str) and isinstance(values[1], int):
        if isinstance(error, IndexError):
            add_note(error, f"the index is {values[1]}, of {len(values[0])} items")
        return error
    types = [_type(value, operand.type) for value, operand in zip(values, op.operands)]
    attrs = fill_refs(op.attrs, values)
    try:
        infer_types(OPERATORS[op.name], types[: op.n_positional], attrs)
    except (ValueError, DTypeError) as better:
        return better
    return error


def _value(text: str, frame: FrameType) -> Any:
    """What an operand was: a variable of the generated function, or a literal. ValueError or SyntaxError: neither."""
    for names in (frame.f_locals, frame.f_globals):
        if text in names:
            return names[text]
    return ast.literal_eval(text)


def _type(value: Any, declared: Type) -> Type:
    if isinstance(declared, TensorType) and isinstance(value, np.ndarray | np.generic):
        return TensorType(value.dtype.name, value.shape)
    return declared
