"""The conversion itself, tried: what it refuses is a Finding at the user's line."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from typing import Any

from ...jit import to_static
from ...runtime.blocks import is_ours
from .finding import Finding
from .reached import Reached

_LOCATED = re.compile(r"(?P<file>[^\n]+?):(?P<line>\d+): (?P<message>.*)", re.S)


def conversion(target: Any, specs: list, home: Reached) -> Iterator[Finding]:
    """A Finding for what staging `target` for these specs raises; none where it becomes a Program. home: its own function."""
    static = to_static(target, input_spec=specs)
    try:
        getattr(static, "forward", static).concrete_program  # noqa: B018 - staged now
    except Exception as error:  # whatever the user's code raises while it is staged is what the user asked for
        yield _finding(error, home)


def _finding(error: Exception, home: Reached) -> Finding:
    located = _LOCATED.fullmatch(str(error))
    if located is not None:
        return Finding(located["file"], int(located["line"]), "conversion", located["message"])
    loc = getattr(error, "dy2st_loc", None)
    message = f"{type(error).__name__}: {error}"
    if loc is not None and not is_ours(loc.file):
        return Finding(loc.file, loc.line, "conversion", message)
    users = [frame for frame in traceback.extract_tb(error.__traceback__) if not is_ours(frame.filename)]
    if users:
        return Finding(users[-1].filename, users[-1].lineno or 0, "conversion", message)
    return home.finding(home.node, "conversion", message)
