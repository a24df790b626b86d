"""Kernels that give inf and nan where a division by zero or an overflow does, without NumPy's warnings.

`numpy.errstate` costs more than a small kernel, so where NumPy keeps its error state in a context variable (2.0 and later, not
a public name) the prepared state is set there directly; elsewhere `errstate` does the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    _SILENT: Any = _make_extobj(all="ignore")
except (ImportError, TypeError):
    _SILENT = None


def quiet(function: Callable) -> Callable:
    """`function`, without NumPy's floating-point warnings."""
    kernel = _through_errstate(function) if _SILENT is None else _through_context(function)
    kernel.__wrapped__ = function  # type: ignore[attr-defined]  # whose parameters it takes
    return kernel


def _through_context(function: Callable) -> Callable:
    enter, leave = _extobj_contextvar.set, _extobj_contextvar.reset

    def kernel(*operands: Any, **attrs: Any) -> Any:
        token = enter(_SILENT)
        try:
            return function(*operands, **attrs)
        finally:
            leave(token)

    return kernel


def _through_errstate(function: Callable) -> Callable:
    def kernel(*operands: Any, **attrs: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*operands, **attrs)

    return kernel
