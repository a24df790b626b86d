"""What became of a loop, told to the recording: `recorder.fates` keeps it."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

from ....ir.core import Loc
from ...recorder.fates import COMPREHENSION, LOOP, Fate
from ...recorder.recorder import Recorder
from ...where.lines import SourceLoc
from ...where.user_code import is_ours, user_loc


def tell_loop(rec: Recorder, body: Callable, how: str, why: str, not_once: str = "", line: Loc | None = None) -> None:
    """Tell it of the loop of this body. line: its line, where that is known. The rest is as in a `Fate`."""
    line = line_of(body.__code__) if line is None else line
    if line is not None:
        kind = COMPREHENSION if is_ours(body.__code__.co_filename) else LOOP
        rec.fates.tell(rec.frame.block, Fate(line, kind, how, why, not_once))


def turns_text(count: int) -> str:
    """So many turns, in words."""
    return "1 turn" if count == 1 else f"{count} turns"


def line_of(body: CodeType) -> Loc | None:
    """The line of a loop; of one inside a built-in or a comprehension, the user's line that runs, for each by itself."""
    if not is_ours(body.co_filename):
        return SourceLoc(body.co_filename, body.co_firstlineno, body.co_name)
    loc = user_loc()
    return None if loc is None else SourceLoc(loc.file, loc.line, f"{body.co_filename}:{body.co_firstlineno}")
