"""Kernels that give inf and nan where a division by zero or an overflow does, without NumPy's warnings.

`numpy.errstate` costs more than a small kernel, so where NumPy keeps its error state in a context variable (2.0 and later, not
a public name) the prepared state is set there directly; elsewhere `errstate` does the same.

    token = silence()
    try:
        ...
    finally:
        speak(token)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np


def _entered() -> Any:
    state = np.errstate(all="ignore")
    state.__enter__()
    return state


THROUGH_ERRSTATE = (_entered, lambda state: state.__exit__(None, None, None))
try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    silence: Callable[[], Any] = partial(_extobj_contextvar.set, _make_extobj(all="ignore"))
    speak: Callable[[Any], Any] = _extobj_contextvar.reset
except (ImportError, TypeError):
    silence, speak = THROUGH_ERRSTATE


def quiet(function: Callable) -> Callable:
    """`function`, without NumPy's floating-point warnings."""

    def kernel(*operands: Any, **attrs: Any) -> Any:
        token = silence()
        try:
            return function(*operands, **attrs)
        finally:
            speak(token)

    kernel.__wrapped__ = function  # type: ignore[attr-defined]  # whose parameters it takes
    return kernel
