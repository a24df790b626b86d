"""Staged strings: `str.format` for one replacement field, `str.concat` and `str.join` for f-strings, `str.percent` for `%`,
`str.method` for methods.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import DTypeError
from ...ir.types import BOOL, INT, NONE, STR, ListType, SequenceType, TupleType, Type
from ...tables import Table
from ..registry import define
from .lowered.texts import concatenated, of_constants, spelled
from .text import check_widths, native_format, native_repr, native_str


def _format_type(type_: Type, spec: Any = "", conversion: Any = "") -> Type:
    return STR


def _all_text(op: str, result: Type) -> Any:
    def infer(*types: Type) -> Type:
        for type_ in types:
            if type_ != STR:
                raise DTypeError(f"{op} takes strings, not {type_}")
        return result

    return infer


def _join_type(separator: Type, parts: Type) -> Type:
    if separator != STR or not isinstance(parts, ListType | SequenceType | TupleType):
        raise DTypeError(f"str.join takes a string and a list of strings, not {separator} and {parts}")
    return STR


def _get_type(text: Type, index: Type) -> Type:
    if text != STR or index not in (INT, BOOL):
        raise DTypeError(f"str.get takes a string and an int, not {text} and {index}")
    return STR


METHODS = Table("method of a text", {
    **dict.fromkeys("lower upper strip lstrip rstrip title capitalize swapcase casefold replace zfill".split(), STR),
    **dict.fromkeys("removeprefix removesuffix center ljust rjust expandtabs".split(), STR),
    **dict.fromkeys("startswith endswith isdigit isalpha isupper islower isspace isalnum isnumeric isidentifier".split(), BOOL),
    **dict.fromkeys("isascii isdecimal isprintable istitle".split(), BOOL),
    **dict.fromkeys("find rfind index rindex count".split(), INT),
    **dict.fromkeys(("split", "rsplit"), ListType(STR)),
    **dict.fromkeys(("partition", "rpartition"), TupleType((STR, STR, STR))),
    "splitlines": ListType(STR),
})  # fmt: skip
"""The methods that a staged string has, and what each gives."""


PARAMETERS: dict[str, tuple[tuple[str, Any], ...]] = {
    **dict.fromkeys(("split", "rsplit"), (("sep", None), ("maxsplit", -1))),
    "splitlines": (("keepends", False),),
    "expandtabs": (("tabsize", 8),),
}
"""The parameters, with their defaults, of the methods that take arguments by name."""
OF_SEVERAL = ("startswith", "endswith")  # which take a tuple of texts, too


def _bounded(function: Callable[..., str]) -> Callable[..., str]:
    """A method that makes a text as long as its argument says."""

    def kernel(text: str, width: Any = 8, *fill: str) -> str:
        if isinstance(width, int):
            check_widths(width)
        return function(text, width, *fill)

    return kernel


_FUNCTIONS = Table("method of a text", {
    **{name: function for name, function in vars(str).items() if name in METHODS},
    **{name: _bounded(vars(str)[name]) for name in ("center", "ljust", "rjust", "zfill", "expandtabs")},
})  # fmt: skip


def _method_type(text: Type, *operands: Type, name: str) -> Type:
    result = METHODS[name]
    taken = [part for o in operands for part in (o.elems if isinstance(o, TupleType) and name in OF_SEVERAL else (o,))]
    if text != STR or any(part not in (STR, INT, BOOL, NONE) for part in taken):
        raise DTypeError(f"str.{name} takes strings and ints, not {', '.join(map(str, (text, *operands)))}")
    return result


def _slice_type(text: Type, start: Any = None, stop: Any = None, step: Any = None) -> Type:
    return _all_text("str.slice", STR)(text)


def _operand(value: Any) -> Any:
    """A value as `%` takes it: an array spells as a tensor, and counts as its number."""
    return _Spelled(value) if isinstance(value, (np.ndarray, np.generic, list, tuple, dict, set)) else value


class _Spelled:
    def __init__(self, value: Any):
        self._value = value

    def __str__(self) -> str:
        return native_str(self._value)

    def __repr__(self) -> str:
        return native_repr(self._value)

    def __int__(self) -> int:
        return int(np.asarray(self._value).item())

    def __float__(self) -> float:
        return float(np.asarray(self._value).item())

    def __index__(self) -> int:
        return operator.index(np.asarray(self._value).item())


_Spelled.__name__ = "Tensor"  # what Python itself says of one that it can't take


_FIELD = re.compile(r"%(?:%|(?:\([^()]*\))?[#0\- +]*(\*|\d+)?(?:\.(\*|\d+)?)?)")  # of `%`: its width and its precision


def _percent(template: str, *values: Any) -> str:
    numbers = [number for field in _FIELD.findall(template) for number in field if number]
    if numbers:
        check_widths(*(number for number in numbers if number != "*"), *(v for v in values if "*" in numbers and type(v) is int))
    return template % tuple(map(_operand, values))


def _concat(*parts: str) -> str:
    return "".join(parts)


def _contains(text: str, part: str) -> bool:
    return part in text


def _get(text: str, index: int) -> str:
    return text[index]


def _slice(text: str, start: Any = None, stop: Any = None, step: Any = None) -> str:
    return text[start:stop:step]


def _call(*operands: Any, name: str) -> Any:
    return _FUNCTIONS[name](*operands)


format_ = define(
    "str.format",
    kernel=native_format,
    infer=_format_type,
    raises=("ValueError", "TypeError"),
    onnx=spelled(native_format),
)
percent = define(
    "str.percent",
    kernel=_percent,
    infer=lambda template, *values: _all_text("str.percent", STR)(template),
    raises=("ValueError", "TypeError", "OverflowError"),
    onnx=of_constants(_percent),
)
concat = define("str.concat", kernel=_concat, infer=_all_text("str.concat", STR), onnx=concatenated)
join = define(
    "str.join", kernel=str.join, infer=_join_type, reads=(1,), raises=("TypeError",), onnx=of_constants(str.join)
)
length = define("str.len", kernel=len, infer=_all_text("str.len", INT), template="len({0})", onnx=of_constants(len))
contains = define(
    "str.contains",
    kernel=_contains,
    infer=_all_text("str.contains", BOOL),
    template="{1} in {0}",
    onnx=of_constants(_contains),
)
get = define(
    "str.get",
    kernel=_get,
    infer=_get_type,
    template="{0}[{1}]",
    indices=(1,),
    raises=("IndexError",),
    onnx=of_constants(_get),
)
slice_ = define("str.slice", kernel=_slice, infer=_slice_type, raises=("ValueError",), onnx=of_constants(_slice))
method = define(
    "str.method",
    kernel=_call,
    infer=_method_type,
    raises=("ValueError", "TypeError"),
    allocates=True,  # split makes a list
    onnx=of_constants(_call),
)
