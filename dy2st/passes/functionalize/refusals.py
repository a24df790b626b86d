"""What functionalization can't do, in words, at the user's line."""

from __future__ import annotations

from typing import Any, TypeVar

from ...errors import ConversionError
from ...ir.core import Operation
from ...runtime.where.tracebacks import lead_through

Refused = TypeVar("Refused", bound=ConversionError)


class FunctionalizeError(ConversionError):
    """A write in place that has no counterpart without: names the user's line, the reason and what to write instead."""


class UnclearError(FunctionalizeError):
    """It can't be told without running the Program whose memory an operation reads or writes; references may tell it."""

    operation: Operation | None = None


def refuse(op: Operation | None, message: str) -> FunctionalizeError:
    """The error of an operation."""
    return _at(op, FunctionalizeError(*_told(op, message)))


def unclear(op: Operation | None, message: str) -> UnclearError:
    """The error of an operation whose memory isn't known."""
    error = _at(op, UnclearError(*_told(op, message)))
    error.operation = op
    return error


def _at(op: Operation | None, error: Refused) -> Refused:
    return lead_through(None if op is None else op.loc, error)


def _told(op: Operation | None, message: str) -> tuple[Any, ...]:
    return f"functionalize: {message}", *(op.loc[:2] if op is not None and op.loc is not None else ())
