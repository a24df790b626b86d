"""On which line an instruction stands: a table made once for each code object.

Python itself searches from the start of the function for each question, which makes long functions slow to stage.
"""

from __future__ import annotations

from bisect import bisect_right
from types import CodeType, FrameType

from ..ir.core import Loc
from .per_code import per_code


class Lines:
    """The lines of one code object."""

    def __init__(self, code: CodeType):
        known = [(start, line) for start, _, line in code.co_lines() if line is not None]
        self.starts = [start for start, _ in known]
        self.lines = [line for _, line in known]
        self.file, self.function = code.co_filename, code.co_name

    def at(self, instruction: int) -> Loc:
        """The line of the instruction at this offset."""
        return Loc(self.file, self.lines[max(bisect_right(self.starts, instruction) - 1, 0)], self.function)


lines_of = per_code(Lines)


def loc_of(frame: FrameType) -> Loc:
    """The line that a frame is executing."""
    return lines_of(frame.f_code).at(frame.f_lasti)
