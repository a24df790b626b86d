"""Python's casts and rounding on staged scalars: `py.int`, `py.float`, `py.bool`, `py.str`, `py.repr`, `py.round`, `py.len`."""

from __future__ import annotations

from typing import Any

from ...errors import DTypeError
from ...ir.types import BOOL, FLOAT, INT, NUMBER, NUMERIC, STR, Type
from ..registry import UNKNOWN, define
from .lowered import conversions, equality
from .lowered.texts import spelled
from .text import native_repr, native_str


def _from_scalar(op: str, result: Type) -> Any:
    def infer(type_: Type, **_: Any) -> Type:
        if type_ not in (*NUMERIC, STR):
            raise DTypeError(f"{op} takes a Python number or a string, not {type_}")
        return result

    return infer


def _round_type(type_: Type, ndigits: Any = None) -> Type:
    """round(x) is an int; round(x, n) keeps the class of x."""
    if type_ not in NUMERIC:
        raise DTypeError(f"py.round takes a Python number, not {type_}")
    if ndigits is None:
        return INT
    if ndigits is UNKNOWN or type_ != BOOL:
        return type_ if type_ in (FLOAT, NUMBER) else INT
    return INT


def _round(x: Any, ndigits: Any = None) -> Any:
    """Where an int has less digits than are rounded away, Python would still compute that power of ten."""
    return 0 if ndigits is not None and isinstance(x, int) and ndigits < -x.bit_length() - 1 else round(x, ndigits)


def _any_to(result: Type) -> Any:
    return lambda type_, **_: result


_NO_NUMBER = ("ValueError", "OverflowError")
int_ = define(
    "py.int", kernel=int, infer=_from_scalar("py.int", INT), template="int({0})", raises=_NO_NUMBER, onnx=conversions.as_int
)
float_ = define(
    "py.float",
    kernel=float,
    infer=_from_scalar("py.float", FLOAT),
    template="float({0})",
    raises=_NO_NUMBER,
    onnx=conversions.as_float,
)
bool_ = define("py.bool", kernel=bool, infer=_from_scalar("py.bool", BOOL), template="bool({0})", onnx=equality.truth)
str_ = define("py.str", kernel=native_str, infer=_any_to(STR), raises=("ValueError",), onnx=spelled(native_str))
repr_ = define("py.repr", kernel=native_repr, infer=_any_to(STR), raises=("ValueError",), onnx=spelled(native_repr, quotes=True))
round_ = define(
    "py.round",
    kernel=_round,
    infer=_round_type,
    raises=_NO_NUMBER,
    onnx=conversions.rounded,
)
isinstance_ = define(
    "py.isinstance",
    kernel=lambda value, classes: type(value).__name__ in classes or (type(value) is bool and "int" in classes),
    infer=lambda type_, classes: BOOL,
    onnx=equality.is_instance,
)
