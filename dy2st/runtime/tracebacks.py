"""Tracebacks that show the user's own frames only. `DY2ST_DEBUG=1` in the environment keeps every frame."""

from __future__ import annotations

import os
from types import TracebackType

from .blocks import OURS


def users_frames(error: BaseException) -> TracebackType | None:
    """The traceback of an exception without the frames of this package; all of it where nothing else would be left."""
    if os.environ.get("DY2ST_DEBUG", "0") not in ("", "0"):
        return error.__traceback__
    entries = []
    traceback = error.__traceback__
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(OURS):
            entries.append(traceback)
        traceback = traceback.tb_next
    kept = None
    for entry in reversed(entries):
        kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept
