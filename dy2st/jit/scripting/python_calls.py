"""Functions that a compiled one doesn't compile: `@ignore` leaves a call of Python, `@unused` raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import DTypeError
from ...ir.core import Program
from ...ir.types import NONE, TensorType, Type, parse_type
from ...ops.registry import define
from ...runtime.convert.operations.ifelse import convert_raise
from ...runtime.heap.natives import Mirror, Revival
from ...runtime.recorder.recorder import current_recorder
from ...runtime.tensors.tensor import Tensor
from ..interface.errors import script_error
from .dtypes import default_types
from .hints import Hints
from .signature import signature_of

NAME = "python.call"
_functions: dict[str, tuple[Callable, Hints]] = {}


def _run(*operands: Any, function: str, result: str) -> Any:
    called, hints = _functions[function]
    revived = Revival(hints.classes)
    given = called(*map(revived, operands))
    native = Mirror(dict(hints.classes), {}).to_native(given)
    if result != "none" and isinstance(native, np.ndarray) and result.endswith("[*]") and native.dtype.name != result[:-3]:
        raise DTypeError(f"{called.__qualname__} gives a tensor of {native.dtype.name} where {result[:-3]} was expected: cast it")
    return None if result == "none" else native


def _infer(*types: Type, function: str, result: str) -> Any:
    return () if result == "none" else parse_type(result)


call = define(NAME, kernel=_run, infer=_infer, io=True, reads=(), raises=("Exception",), calls_python=True)


def python_call(function: Any, hints: Hints) -> Callable:
    """What stands for a call of an ignored function: an operation that calls it."""
    def record(*args: Any, **kwargs: Any) -> Any:
        bound_self = bool(args) and not isinstance(args[0], Tensor) and hasattr(type(args[0]), function.__name__)
        owner, args = (args[:1], args[1:]) if bound_self else ((), args)
        signature = signature_of(function, hints, bound_self)
        values = list(signature.bind(args, kwargs).values())
        result = signature.result if signature.result is not None else TensorType("any")
        first = next((a for a in values if isinstance(a, Tensor)), None)
        typed = TensorType(first.type.dtype) if isinstance(result, TensorType) and first is not None else default_types(result)
        text = f"{function.__module__}.{function.__qualname__} {len(_functions)}"
        _functions[text] = (lambda *given: function(*owner, *given), hints)
        return call(*values, function=text, result=str(typed if result != NONE else "none"))

    return record


def dropped(function: Any) -> Callable:
    """What stands for a call of an unused function: an exception."""

    def raise_dropped(*args: Any, **kwargs: Any) -> Any:
        error = RuntimeError(f"{function.__qualname__} is marked @unused: it was not compiled, and can't be called")
        if current_recorder() is None:
            raise error
        convert_raise(error)

    return raise_dropped


def refuse_python_calls(program: Program) -> None:
    """What calls Python can't be saved."""
    for op in program.walk():
        if op.name == NAME:
            name = op.attrs["function"].rpartition(" ")[0]
            raise script_error(
                f"this calls {name}, which is marked @ignore: a file can't hold a call of Python. Mark it @unused, "
                "or let it be compiled",
                op.loc,
            )
