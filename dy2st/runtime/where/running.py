"""Long work on the user's code: `dy2st.progress`, with the line of that code that runs."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from types import FrameType

from ... import progress
from ...ir.visible import visible
from ...python_library import is_installed_file
from .user_code import user_frame, user_loc


def working(what: str) -> AbstractContextManager[progress.Progress]:
    """A block that may take long: `what` is "converting Net.forward"."""
    return progress.working(visible(what), where=place)


def place(frame: FrameType, but_for: str | None = None) -> str:
    """The user's line that a frame is at, as " at net.py:12", of a cell " at line 12"; "" for none, or one of `but_for`."""
    loc = user_loc(_outside_of_packages(frame) or frame)
    if loc is None or loc.file == but_for:
        return ""
    is_cell = not os.path.isfile(loc.file)
    return visible(f" at line {loc.line}" if is_cell else f" at {os.path.basename(loc.file)}:{loc.line}")


def _outside_of_packages(frame: FrameType) -> FrameType | None:
    """The innermost frame of the user's that isn't in an installed package, such as the part of a model that comes from one."""
    found = user_frame(frame)
    while found is not None and is_installed_file(found.f_code.co_filename):
        found = None if found.f_back is None else user_frame(found.f_back)
    return found
