"""Warnings that point at the user's line.

Those of a recording come when it is over. Neither a `catch_warnings` of the user's code that is recorded nor code that shows
warnings is to take part in it, and what is recorded again tells nothing twice.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from ...errors import Dy2stWarning, UnconvertedCallWarning
from ...ir.core import Loc
from ...progress import set_aside

_Told = tuple[str, type[Dy2stWarning], str, int]
_held: ContextVar[dict[_Told, None] | None] = ContextVar("held", default=None)


@contextmanager
def held_back() -> Iterator[None]:
    """Hold the warnings of a recording back until it is over."""
    held: dict[_Told, None] = {}
    token = _held.set(held)
    try:
        yield
    finally:
        _held.reset(token)
        with set_aside(sys.stderr) if held else nullcontext():
            for told in held:
                _warn(*told)


def warn_at(loc: Loc | None, text: str, category: type[Dy2stWarning]) -> None:
    """Warn as if the user's line had."""
    _warn(text, category, loc.file if loc else "?", loc.line if loc else 0)


LOGGING = "what it does, it doesn't do again when the Program runs; write print(...), which prints at each run, or log outside"
RETURNING = "what it returned is part of the Program; pass in what may differ from call to call"


def warn_unconverted(loc: Loc | None, function: Any) -> None:
    """Say that a function is called while staging, and not when the Program runs; and what to write instead."""
    name = function if isinstance(function, str) else getattr(function, "__qualname__", repr(function))
    is_log = getattr(function, "__module__", None) == "logging"
    told = LOGGING if is_log else RETURNING
    warn_at(loc, f"{name} can't be converted: it was called once, while staging, and {told}", UnconvertedCallWarning)


def _warn(text: str, category: type[Dy2stWarning], file: str, line: int) -> None:
    held = _held.get()
    if held is None:
        warnings.warn_explicit(text, category, file, line)
    elif not _is_ignored(text, category, file, line):
        held[text, category, file, line] = None


def _is_ignored(text: str, category: type[Dy2stWarning], file: str, line: int) -> bool:
    """Whether the filters of this moment, which the recorded code may have set, drop a warning."""
    with warnings.catch_warnings(record=True) as shown:
        try:
            warnings.warn_explicit(text, category, file, line)
        except Dy2stWarning:
            return False
    return not shown
