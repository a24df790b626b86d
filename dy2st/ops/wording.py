"""Kernels whose failures are errors of dy2st, whatever NumPy makes of numbers that don't fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import DTypeError, Dy2stError, ShapeError


def worded(op: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """`kernel`, whose ValueError or OverflowError becomes a ShapeError that names the operator, its TypeError a DTypeError."""

    def call(*operands: Any, **attrs: Any) -> Any:
        try:
            return kernel(*operands, **attrs)
        except Dy2stError:
            raise
        except (ValueError, OverflowError) as error:
            raise ShapeError(f"{op}: {error}") from error
        except TypeError as error:
            raise DTypeError(f"{op}: {error}") from error

    call.__wrapped__ = kernel  # type: ignore[attr-defined]
    return call
