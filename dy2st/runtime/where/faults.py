"""Whose fault an exception is that arises while staging: that of the user's code, or of this package.

Rooms of the package that do nothing on behalf of a statement of the user's raise none of its exceptions. What arises in one of
them is a fault of the package. It must not become a `raise` of the user's Program, which would be saved and run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, TypeVar

from ...errors import Dy2stError, InternalError

_PACKAGE = Path(__file__).resolve().parents[2]
_NAMES = ("heap", "joining", "recorder", "outside", "control", "stage")
_ROOMS = tuple(f"{_PACKAGE / 'runtime' / name}{os.sep}" for name in _NAMES)
_speaking: list[CodeType] = []
Function = TypeVar("Function", bound=Callable[..., Any])


def speaks_for_the_user(function: Function) -> Function:
    """A function of one of these rooms that does what a statement of the user's does, and raises what that raises."""
    _speaking.append(function.__code__)
    return function


def is_fault(error: BaseException) -> bool:
    """Whether an exception arose in one of these rooms, and isn't one that dy2st raises on purpose."""
    if isinstance(error, Dy2stError | RecursionError):
        return False
    traceback = _innermost(error)
    if traceback is None:
        return False
    code = traceback.tb_frame.f_code
    return code.co_filename.startswith(_ROOMS) and not any(code is other for other in _speaking)


def internal_error(error: BaseException) -> InternalError:
    """What is raised in place of a fault: it names the place in this package."""
    traceback = _innermost(error)
    assert traceback is not None
    code = traceback.tb_frame.f_code
    place = f"{Path(code.co_filename).relative_to(_PACKAGE.parent).as_posix()}:{traceback.tb_lineno}, in {code.co_name}"
    return InternalError(
        f"dy2st has failed here, not your code: {type(error).__name__}: {error}, at {place}; please report it with this function"
    )


def _innermost(error: BaseException) -> TracebackType | None:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback
