"""The conversion itself, tried: what it refuses, and what fails on a path, is a Finding at the user's line."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

from ...errors import Dy2stWarning
from ...runtime.where.lines import SourceLoc
from ...runtime.where.user_code import is_ours
from ..naming.pytorch import static_of
from .finding import FAILING, Finding, raises
from .reached import Reached

_LOCATED = re.compile(r"(?P<file>[^\n]+?):(?P<line>\d+): (?P<message>.*)", re.S)


def conversion(target: Any, specs: list, home: Reached) -> Iterator[Finding]:
    """A Finding for what staging `target` for these specs raises, or else for each path that fails. home: its own function."""
    static = static_of(target, specs)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Dy2stWarning)
            program = getattr(static, "forward", static).concrete_program
    except Exception as error:  # whatever the user's code raises while it is staged is what the user asked for
        yield _finding(error, home)
        return
    for path in program.staged.failing:
        reason = raises(path.error) if path.is_certain else raises(path.error, "where the path before gives the name no value")
        if isinstance(path.loc, SourceLoc):
            yield Finding(path.loc.file, path.loc.line, FAILING, reason)


def _finding(error: Exception, home: Reached) -> Finding:
    """The Finding at the place that an error names, if it is in a file that the user's code ran from: else a message, which may
    come out of a model file, would choose which file is shown."""
    users = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(error.__traceback__)]
    loc = getattr(error, "dy2st_loc", None)
    if isinstance(loc, SourceLoc):
        users.append(loc[:2])
    users = [place for place in users if not is_ours(place[0])]
    located = _LOCATED.fullmatch(str(error))
    if located is not None and located["file"] in {home.file, *(file for file, _ in users)}:
        return Finding(located["file"], int(located["line"]), "conversion", located["message"])
    message = f"{type(error).__name__}: {error}"
    return Finding(*users[-1], "conversion", message) if users else home.finding(home.node, "conversion", message)
