"""Errors that show the user's own lines: tracebacks without frames of this package, and notes that name the line.

`DY2ST_DEBUG=1` in the environment keeps every frame.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ...errors import DTypeError, Dy2stError, ShapeError
from ...ir.core import Loc
from ...ir.visible import visible
from .faults import internal_error, is_fault
from .user_code import is_ours

_LOCATED = re.compile(r"[^\n]+?:\d+: ")  # a message that begins with a file and a line


def shows_users_frames(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, an entry point of this package, whose exceptions show the user's own frames."""

    @functools.wraps(function)
    def entry(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            __tracebackhide__ = True  # so IPython and pytest show no frame of this one  # noqa: F841
            if is_fault(error):
                raise internal_error(error) from error
            raise error.with_traceback(users_frames(error))  # noqa: B904 - it is the same one: what it comes from stays

    return entry


def users_frames(error: BaseException) -> TracebackType | None:
    """The traceback of an exception without the frames of this package; all of it where nothing else would be left."""
    if os.environ.get("DY2ST_DEBUG", "0") not in ("", "0"):
        return error.__traceback__
    entries = []
    traceback = error.__traceback__
    while traceback is not None:
        if not is_ours(traceback.tb_frame.f_code.co_filename):
            entries.append(traceback)
        traceback = traceback.tb_next
    kept = None
    for entry in reversed(entries):
        kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept


def tell_line(error: Exception, loc: Loc) -> None:
    """Name the user's line in an exception that leaves staging.

    What plain Python would raise as well keeps its message, and gets a note; the others begin with the line.
    """
    if not isinstance(error, Dy2stError) or isinstance(error, ShapeError | DTypeError):
        if getattr(error, "dy2st_loc", None) is None:
            note_line(error, loc)
    elif not _LOCATED.match(str(error)):
        error.args = (f"{loc}: {error}",)


def note_line(error: BaseException, loc: Loc) -> None:
    """Keep the user's line in `dy2st_loc` and in a note, which Python prints under the message."""
    note = f"at {loc}" + (f", in {visible(loc.function)}" if loc.function else "")
    try:
        error.dy2st_loc = loc  # type: ignore[attr-defined]
        error.__notes__ = [*getattr(error, "__notes__", ()), note]  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        return  # a class with slots holds neither; the error itself goes on
