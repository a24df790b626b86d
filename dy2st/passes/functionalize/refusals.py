"""What functionalization can't do, in words, at the user's line."""

from __future__ import annotations

from ...errors import ConversionError
from ...ir.core import Operation


class FunctionalizeError(ConversionError):
    """A write in place that has no counterpart without: names the user's line, the reason and what to write instead."""

    operation: Operation | None = None  # the one that is refused


def refuse(op: Operation | None, message: str) -> FunctionalizeError:
    """The error of an operation."""
    loc = op.loc if op is not None else None
    error = FunctionalizeError(f"functionalize: {message}", *(loc[:2] if loc is not None else ()))
    error.operation = op
    return error
