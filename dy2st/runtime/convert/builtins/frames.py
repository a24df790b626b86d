"""Functions of Python's that look at the frames of their callers: they see those that plain Python would have.

A part of a rewritten function is called by this package, whose frames stand between the user's. While staging, asking for frames
is refused, as no two calls have the same; the line of a warning is known.
"""

from __future__ import annotations

import inspect
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from itertools import islice
from types import FrameType
from typing import Any

from ....errors import ConversionError
from ...proxies import Staged
from ...proxies.base import refuse
from ...recorder import refusals
from ...recorder.recorder import current_recorder
from ...where.faults import as_the_user, speaks_for_the_user
from ...where.user_frames import frame_behind, frames_behind
from .foreign import called_by_the_user, unconverted
from .refused import CAUGHT, FRAMES


def convert_warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **named: Any) -> None:
    """`warnings.warn(...)`: at the line of the user's function that is `stacklevel` calls away."""
    rec = current_recorder()
    if rec is not None and isinstance(message, Staged):  # filters match it in C, which takes no placeholder
        raise refuse(message, "the message of a warning")
    if rec is not None:
        unconverted(rec, warnings.warn)
    if named:  # Python 3.12 skips the callers in some files
        called = as_the_user if rec is None else lambda *args, **kwargs: called_by_the_user(rec, *args, **kwargs)
        called(warnings.warn, message, category, stacklevel, source, **named)
        return
    frame = next(islice(frames_behind(sys._getframe()), max(stacklevel, 1) - 1, None), None)
    file, line = ("sys", 1) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
    names = vars(sys) if frame is None else frame.f_globals
    kind = type(message) if isinstance(message, Warning) else UserWarning if category is None else category
    registry = names.setdefault("__warningregistry__", {})
    as_the_user(warnings.warn_explicit, message, kind, file, line, names.get("__name__", "<string>"), registry, source=source)


@speaks_for_the_user
def convert_getframe(depth: int = 0, /) -> FrameType:
    frame = next(islice(_callers(sys._getframe), max(depth, 0), None), None)
    if frame is None:
        raise ValueError("call stack is not deep enough")
    return frame


def convert_currentframe() -> FrameType:
    return next(_callers(inspect.currentframe))


def convert_stack(context: int = 1) -> list[inspect.FrameInfo]:
    return [_told(frame, context) for frame in _callers(inspect.stack)]


def convert_getouterframes(frame: FrameType, context: int = 1) -> list[inspect.FrameInfo]:
    _refuse_while_staging(inspect.getouterframes)
    return [_told(one, context) for one in (frame, *frames_behind(frame))]


def convert_extract_stack(f: FrameType | None = None, limit: int | None = None) -> traceback.StackSummary:
    frames = _callers(traceback.extract_stack) if f is None else iter((f, *frames_behind(f)))
    stack = traceback.StackSummary.extract(((frame, frame.f_lineno) for frame in frames), limit=limit)
    stack.reverse()
    return stack


def convert_format_stack(f: FrameType | None = None, limit: int | None = None) -> list[str]:
    return traceback.format_list(convert_extract_stack(f, limit))


def convert_print_stack(f: FrameType | None = None, limit: int | None = None, file: Any = None) -> None:
    traceback.print_list(convert_extract_stack(f, limit), file=file)


def convert_frame_behind(frame: Any) -> Any:
    """`frame.f_back`"""
    return frame_behind(frame) if isinstance(frame, FrameType) else as_the_user(getattr, frame, "f_back")


def convert_exc_info() -> tuple:
    """`sys.exc_info()` while staging: of the exception whose handler runs, where that is known."""
    rec = current_recorder()
    handled = rec.handling.handled if rec is not None else sys.exc_info()[1]
    if not isinstance(handled, BaseException):
        assert rec is not None
        raise ConversionError(refusals.unconvertible(rec.here(), "a call of exc_info", CAUGHT))
    return type(handled), handled, handled.__traceback__


def convert_exception() -> BaseException:
    """`sys.exception()`, of Python 3.11 and later."""
    return convert_exc_info()[1]


def looking(function: Any) -> Any:
    """What is called in place of a function that may look at the frames of its callers, where nothing is staged."""
    if type(function) not in (types.FunctionType, types.BuiltinFunctionType) or current_recorder() is not None:
        return function
    return LOOKING.get(function, function)


def _callers(function: Callable) -> Any:
    """The frames of the user's calls, the innermost first. ConversionError while staging."""
    _refuse_while_staging(function)
    return frames_behind(sys._getframe(1))


def _refuse_while_staging(function: Callable) -> None:
    rec = current_recorder()
    if rec is not None:
        raise ConversionError(refusals.unconvertible(rec.here(), f"a call of {function.__name__}", FRAMES))


def _told(frame: FrameType, context: int) -> inspect.FrameInfo:
    info: Any = inspect.getframeinfo(frame, context)
    positions = {"positions": info.positions} if sys.version_info >= (3, 11) else {}
    return inspect.FrameInfo(frame, *info, **positions)


LOOKING: dict[Any, Callable[..., Any]] = {
    warnings.warn: convert_warn,
    sys._getframe: convert_getframe,
    inspect.currentframe: convert_currentframe,
    inspect.stack: convert_stack,
    inspect.getouterframes: convert_getouterframes,
    traceback.extract_stack: convert_extract_stack,
    traceback.format_stack: convert_format_stack,
    traceback.print_stack: convert_print_stack,
}
CONVERTED = {**LOOKING, sys.exc_info: convert_exc_info}
if sys.version_info >= (3, 11):
    CONVERTED[sys.exception] = convert_exception
