"""Kernels whose failures are errors of dy2st, whatever NumPy makes of numbers that don't fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import DTypeError, Dy2stError, ShapeError

_CLASSES: dict[type[Exception], type[Dy2stError]] = {ValueError: ShapeError, OverflowError: ShapeError, TypeError: DTypeError}
_BY_NAME = {python.__name__: made.__name__ for python, made in _CLASSES.items()}


def worded(op: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """`kernel`, whose ValueError or OverflowError becomes a ShapeError that names the operator, its TypeError a DTypeError."""

    def call(*operands: Any, **attrs: Any) -> Any:
        try:
            return kernel(*operands, **attrs)
        except Dy2stError:
            raise
        except (ValueError, OverflowError, TypeError) as error:
            made = next(made for python, made in _CLASSES.items() if isinstance(error, python))
            raise made(f"{op}: {error}") from error

    call.__wrapped__ = kernel  # type: ignore[attr-defined]
    call.words = op  # type: ignore[attr-defined]
    return call


def in_words(kernel: Callable[..., Any] | None, exception: str, arguments: tuple) -> tuple[str, tuple]:
    """The class and the arguments of an exception of NumPy's, by name, as `kernel` raises it, which may be a worded one."""
    op = getattr(kernel, "words", None)
    if op is None or exception not in _BY_NAME:
        return exception, arguments
    return _BY_NAME[exception], (f"{op}: {' '.join(map(str, arguments))}",)
