"""How native values read as text: as Python prints them, tensors as an eager Tensor prints.

The runtime sets the spelling of tensors with `set_tensor_formatter`; without it, an array's shape, dtype and values are shown.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...errors import OperatorError
from ...ir.core import in_brackets
from ...ir.native import Atom, Instance, Record
from ...tables import Table
from .tensors import only_element


def plain_tensor(array: np.ndarray) -> str:
    values = np.array2string(array, separator=", ")
    return f"Tensor(shape={list(array.shape)}, dtype={array.dtype.name}, {values})"


_formatter: Callable[[np.ndarray], str] = plain_tensor


def set_tensor_formatter(formatter: Callable[[np.ndarray], str]) -> Callable[[np.ndarray], str]:
    """Set how `print`, `str` and f-strings of a running Program spell a tensor; the formatter before."""
    global _formatter
    before, _formatter = _formatter, formatter
    return before


def native_repr(value: Any) -> str:
    """`repr` of a native value; tensors inside containers included."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _formatter(np.asarray(value))
    kind = type(value)
    if kind is set:
        return f"{{{', '.join(map(native_repr, value))}}}" if value else "set()"
    if isinstance(value, Record):
        return f"{value.name}({_fields(zip(value.fields, value))})"
    if kind is Instance:
        return f"{value.cls}({_fields(value.fields.items())})"
    text = in_brackets(value, native_repr)
    return repr(value) if text is None else text


def native_str(value: Any) -> str:
    """`str` of a native value."""
    return str(value) if type(value) in (str, Atom) else native_repr(value)


def escaped(text: str) -> str:
    """What `ascii` makes of the `repr` of a value."""
    return text.encode("ascii", "backslashreplace").decode("ascii")


LONGEST = 1 << 20  # characters that a width or a precision may ask for
_NUMBER = re.compile(r"\d+")
_CONVERSIONS = Table("conversion", {"": lambda v: v, "r": native_repr, "s": native_str, "a": lambda v: escaped(native_repr(v))})


def check_widths(*widths: Any) -> None:
    """OperatorError where a width or precision, an int or its digits, is above LONGEST."""
    for width in widths:
        if len(width) > 9 or int(width) > LONGEST if isinstance(width, str) else width > LONGEST:
            raise OperatorError(f"a width or a precision is at most {LONGEST}, not {reprlib.repr(width)}")


def native_format(value: Any, spec: str = "", conversion: str = "") -> str:
    """`format(value, spec)` after `!r`, `!s` or `!a`; a tensor of one element takes a number's format, as in Paddle."""
    if spec:
        check_widths(*_NUMBER.findall(spec))
    value = _CONVERSIONS[conversion](value)
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        return format(only_element(array, "format(x)"), spec) if spec else native_str(array)
    if type(value) in (list, tuple, dict, set, Instance) or isinstance(value, Record):
        value = native_str(value) if not spec else value
    return format(value, spec)


def _fields(fields: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}={native_repr(value)}" for name, value in fields)
