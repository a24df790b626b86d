"""Literals for generated source: what a Program file says never becomes source text except through here.

Numbers, plain words and containers of them are written out. Everything else becomes an entry of the constants table, under a
generated name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...errors import EngineError
from ...ir.core import Ref, in_brackets

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_ .,:;-]{0,40}")
_WIDEST = 1 << 63  # larger ints would meet the interpreter's limit on digits


class Constants:
    """Objects that generated source reaches by name: kernels, texts, exception classes, type tests."""

    def __init__(self) -> None:
        self.namespace: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._arrays: dict[tuple[str, str], np.ndarray] = {}

    def name(self, value: Any, stem: str = "const") -> str:
        """The generated name of `value`; one object has one name."""
        known = self._names.get(id(value))
        if known is None:
            known = self._names[id(value)] = f"{stem}_{len(self._names)}"
            self.namespace[known] = value
        return known

    def array(self, value: int | float, dtype: str, stem: str) -> str:
        """The generated name of a number as a 0-d array; equal ones are one."""
        key = repr(value), dtype
        if key not in self._arrays:
            self._arrays[key] = np.array(value, DTYPES[dtype].numpy)
            self._arrays[key].flags.writeable = False
        return self.name(self._arrays[key], stem)


def literal(value: Any, constants: Constants, dynamic: Callable[[int], str] | None = None) -> str:
    """The source text of an attribute; `dynamic(k)` gives the text of operand k, which a `Ref(k)` leaf stands for.

    EngineError for what is not a literal.
    """
    kind = type(value)
    if value is None or kind is bool:
        return repr(value)
    if kind is int:
        return _signed(repr(value), value < 0) if -_WIDEST <= value <= _WIDEST else constants.name(value)
    if kind is float:
        return _float(value)
    if kind is str:
        return repr(value) if _PLAIN_WORD.fullmatch(value) else constants.name(value, "text")
    if kind is Ref and dynamic is not None:
        return dynamic(value.index)
    text = in_brackets(value, lambda part: literal(part, constants, dynamic), lambda key: literal(key, constants))
    if text is not None:
        return text
    raise EngineError(f"an attribute must be a literal (None, bool, int, float, str, list, dict), not {kind.__name__}: {value!r}")


def _float(value: float) -> str:
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return _signed("-inf" if value < 0 else "inf", value < 0)
    return _signed(repr(value), math.copysign(1.0, value) < 0)


def _signed(text: str, negative: bool) -> str:
    # -3 ** 2 is not (-3) ** 2
    return f"({text})" if negative else text
