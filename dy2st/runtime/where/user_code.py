"""Which code is the user's, and which line or instruction of it is running."""

from __future__ import annotations

import functools
import sys
import sysconfig
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import TypeGuard

from ...converted_code import is_copy
from ...ir.core import Loc
from ...python_library import is_installed_file, is_library_file, is_library_module
from .lines import loc_of

PACKAGE = str(Path(__file__).parents[2])
LIBRARIES = tuple({p for k in ("stdlib", "platstdlib", "purelib", "platlib") if (p := sysconfig.get_path(k))})
FOLDER = str(Path(__file__).parents[1] / "library")  # of the classes of Python's that are written here


def is_foreign(module: str) -> bool:
    """Whether a module belongs to Python or to a library of kernels: its functions are called as they are."""
    return is_library_module(module) or module.partition(".")[0] in ("numpy", "scipy")


@functools.cache
def is_ours(filename: str) -> bool:
    """Whether code of this file, of this package or of Python's library (which makes `<string>`), isn't the user's."""
    return is_library_file(filename) or filename.startswith((PACKAGE, "<string>"))


def is_library(code: CodeType) -> bool:
    """Whether this isn't code of the user's, but of this package, of Python or of a package that is installed."""
    return code.co_filename.startswith((PACKAGE, "<", *LIBRARIES)) or is_installed_file(code.co_filename)


def is_users_function(value: object) -> TypeGuard[FunctionType]:
    """Whether a value is a function written in Python, by the user."""
    return isinstance(value, FunctionType) and not is_ours(value.__code__.co_filename)


@functools.cache
def _is_of_dy2st(filename: str) -> bool:
    """Whether code isn't the user's, nor that of a class of Python's that is written here."""
    return is_ours(filename) and not filename.startswith(FOLDER)


def user_frame(start: FrameType | None = None) -> FrameType | None:
    """The innermost frame of the user's, from one on."""
    frame = sys._getframe(1) if start is None else start
    while frame is not None and (is_ours(frame.f_code.co_filename) or is_copy(frame.f_code)):
        frame = frame.f_back  # type: ignore[assignment]
    return frame


def user_loc(start: FrameType | None = None) -> Loc | None:
    """The innermost line of the user's, from a frame on."""
    frame = user_frame(sys._getframe(1) if start is None else start)
    return None if frame is None else loc_of(frame)


def user_instruction(start: FrameType | None = None) -> tuple:
    """The instruction of the user's that is being executed, from a frame on: what tells one call from another on a line."""
    frame: FrameType | None = start or sys._getframe(1)
    while frame is not None and (_is_of_dy2st(frame.f_code.co_filename) or is_copy(frame.f_code)):
        frame = frame.f_back
    return () if frame is None else (frame.f_code, frame.f_lasti)
