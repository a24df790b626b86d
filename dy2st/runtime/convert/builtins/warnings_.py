"""`warnings.warn` while staging: at the line that plain Python would name, though other functions stand between the user's."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ....converted_code import codes_in
from ...recorder.recorder import current_recorder
from ...where.faults import as_the_user
from ...where.user_code import is_ours
from .foreign import called_by_the_user, unconverted


def convert_warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **named: Any) -> None:
    """`warnings.warn(...)`: at the line of the user's function that is `stacklevel` calls away."""
    rec = current_recorder()
    assert rec is not None
    unconverted(rec, warnings.warn)
    if named:  # Python 3.12 skips the callers in some files
        called_by_the_user(rec, warnings.warn, message, category, stacklevel, source, **named)
        return
    frame = next((frame for level, frame in enumerate(_users_calls(), 1) if level >= stacklevel), None)
    file, line = ("sys", 1) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
    names = vars(sys) if frame is None else frame.f_globals
    kind = type(message) if isinstance(message, Warning) else UserWarning if category is None else category
    registry = names.setdefault("__warningregistry__", {})
    as_the_user(warnings.warn_explicit, message, kind, file, line, names.get("__name__", "<string>"), registry, source=source)


def _users_calls() -> Iterator[FrameType]:
    """The calls of functions of the user's that are going on, the innermost first; of the parts of a function, the innermost."""
    frame: FrameType | None = sys._getframe(1)
    inner: FrameType | None = None
    while frame is not None:
        if not is_ours(frame.f_code.co_filename):
            if inner is None or not _is_part(inner, frame):
                yield frame
            inner = frame
        frame = frame.f_back


def _is_part(inner: FrameType, outer: FrameType) -> bool:
    """Whether the code of a frame is a generated part of the function in the other one."""
    same_name = inner.f_code.co_name == outer.f_code.co_name
    return same_name and inner.f_code is not outer.f_code and any(code is inner.f_code for code in codes_in(outer.f_code))


CONVERTED = {warnings.warn: convert_warn}
