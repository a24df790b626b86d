"""Progress of a command: `dy2st.progress`, with the line of the user's code that runs."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from types import FrameType

from ... import progress
from ...ir.visible import visible


def working(what: str, total: int | None = None, unit: str = "") -> AbstractContextManager[progress.Progress]:
    """A block that may take long: `what` is "converting net.py:Net"."""
    return progress.working(visible(what), total, unit, where=_place)


def _place(frame: FrameType) -> str:
    from ...runtime.where.running import place  # what is quick does without

    return place(frame, but_for=getattr(sys.modules["__main__"], "__file__", None))  # a script that has called us
