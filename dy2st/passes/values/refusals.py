"""What has no counterpart without a heap or exceptions, in words, at the user's line."""

from __future__ import annotations

from ...errors import ConversionError
from ...ir.core import Operation
from ...runtime.where.tracebacks import lead_through

WRITTEN = "a tensor that is written in place, has other names, and lies in an object or in a list; put x.clone() there"


class ValuesError(ConversionError):
    """A use of shared objects or exceptions that ordinary values can't stand for: names the line, the reason, what to write."""


def refuse(op: Operation | None, message: str) -> ValuesError:
    """The error of an operation."""
    place = op.loc[:2] if op is not None and op.loc is not None else ()
    return lead_through(None if op is None else op.loc, ValuesError(f"values: {message}", *place))
