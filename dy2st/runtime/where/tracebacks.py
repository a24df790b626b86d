"""Errors that show the user's own lines: tracebacks without frames of this package, or notes where no source can be shown.

`DY2ST_DEBUG=1` in the environment keeps every frame.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ...errors import DTypeError, Dy2stError, ShapeError
from ...ir.core import Loc
from ...ir.visible import visible
from .faults import internal_error, is_fault, speaks_for_the_user
from .hints import add_hint, add_note
from .lines import SourceLoc
from .user_frames import chained, entries_at, entries_of, users_entries, with_those_before

Error = TypeVar("Error", bound=BaseException)
P = ParamSpec("P")
R = TypeVar("R")
_BRINGS_BACK = sys.version_info < (3, 11)  # a bare `raise` brings back the traceback that was there before
_LOCATED = re.compile(r"[^\n]+?:\d+: ")  # a message that begins with a file and a line


def shows_users_frames(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, an entry point of this package, whose exceptions show the user's own frames."""

    @functools.wraps(function)
    @speaks_for_the_user  # of its arguments: Python tells of those that don't fit
    def entry(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if (other := leaving(error)) is not None:
                raise other
            raise

    return entry


def leaving(error: Exception) -> Exception | None:
    """What an entry point, as a call of a static function, raises where it has caught an exception; None: the same again.

    The exception shows the user's own frames from now on. One that is a fault of this package gives way to what says so.
    """
    if is_fault(error):
        told = internal_error(error)
        told.__cause__ = error
        return told
    show_users_frames(error)
    return error if _BRINGS_BACK else None


def show_users_frames(error: BaseException) -> None:
    """Leave the frames of this package out of the traceback of an exception, and of those that it comes from.

    A bare `raise` that follows adds none of its own; `raise error` adds that of the function.
    """
    if not _is_debugging():
        for one in with_those_before(error):
            _show_users_frames(one)


def given_to_the_user(error: Error) -> Error:
    """An exception that a handler or `__exit__` of the user's is given: it has the traceback that plain Python would have.

    What it comes from has been handled before.
    """
    if not _is_debugging():
        _show_users_frames(error)
    return error


def _show_users_frames(error: BaseException) -> None:
    error.__traceback__ = chained(users_entries(error.__traceback__))


def lead_through(loc: Loc | None, error: Error) -> Error:
    """Let the traceback of an exception begin with a line of the user's, and the calls that led to it: the exception."""
    return error.with_traceback(chained([*entries_at(loc), *entries_of(error.__traceback__)]))


def leave_out_this_frame(error: BaseException) -> None:
    """Leave the frame that handles an exception, one of this package, out of its traceback."""
    if not _is_debugging() and error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next


def _is_debugging() -> bool:
    return os.environ.get("DY2ST_DEBUG", "0") not in ("", "0")


def tell_line(error: Exception, loc: Loc) -> None:
    """Name the user's line in an exception that leaves staging.

    What plain Python would raise as well keeps its message; the others begin with the line.
    """
    if not isinstance(error, Dy2stError) or isinstance(error, ShapeError | DTypeError):
        if getattr(error, "dy2st_loc", None) is None:
            note_line(error, loc)
    elif not _LOCATED.match(str(error)):
        error.args = (f"{loc}: {error}",)


def note_line(error: BaseException, loc: Loc) -> None:
    """Keep the user's line in `dy2st_loc`; notes say what to write, where the message doesn't.

    No entry of a traceback shows a line that a file tells. So it and the calls that led to it are in a note, which Python prints
    under the message.
    """
    try:
        error.dy2st_loc = loc  # type: ignore[attr-defined]
        if not isinstance(loc, SourceLoc):
            lines = (f"{at}, in {visible(at.function)}" if at.function else str(at) for at in loc.calls())
            add_note(error, "at " + "\ncalled at ".join(lines))
        add_hint(error)
    except (AttributeError, TypeError):
        return  # a class with slots holds neither; the error itself goes on
