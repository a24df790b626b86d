"""Where an instruction stands in the user's source: a table made once for each code object.

Python itself searches from the start of the function for each question, which makes long functions slow to stage.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from types import CodeType, FrameType

from ...ir.core import Loc
from .per_code import per_code


class SourceLoc(Loc):
    """A place in the source of an object of this process. Only such a place has a line to show: a Loc from a file has none."""

    __slots__ = ()

    @property
    def title(self) -> str:
        """The file, or the cell of a notebook as IPython calls it: `Cell In[3]`."""
        shell = getattr(sys.modules.get("IPython.core.getipython"), "get_ipython", lambda: None)()
        describe = getattr(getattr(shell, "compile", None), "format_code_name", lambda file: None)  # IPython 8 has it
        return " ".join(describe(self.file) or [self.file])


def source_line(loc: Loc | None) -> str:
    """The line of the user's source at a place, without its indentation; empty where a file tells of the place."""
    return linecache.getline(loc.file, loc.line).strip() if isinstance(loc, SourceLoc) else ""


class Lines:
    """The places of one code object; each becomes a SourceLoc when it is first asked for."""

    def __init__(self, code: CodeType):
        self.file, self.function = code.co_filename, code.co_name
        self.places = list(_places(code))
        self.locs: dict[int, Loc] = {}

    def at(self, instruction: int) -> Loc:
        """The place of the instruction at this offset."""
        found = self.locs.get(instruction)
        if found is None:
            line, column = self.places[max(instruction // 2, 0)]
            before = linecache.getline(self.file, line).encode()[:column] if column else b""
            column = len(before.decode(errors="replace")) or column
            found = self.locs[instruction] = SourceLoc(self.file, line, self.function, column)
        return found


def _places(code: CodeType) -> Iterator[tuple[int, int]]:
    """Line and column of each instruction, or of the last one that has a line. Columns are in bytes; Python 3.10 has none: 0."""
    last = code.co_firstlineno, 0
    for line, column in _positions(code):
        if line is not None:
            last = line, column or 0
        yield last


def _positions(code: CodeType) -> Iterator[tuple[int | None, int | None]]:
    if sys.version_info >= (3, 11):
        return ((line, column) for line, _, column, _ in code.co_positions())
    return ((line, None) for start, end, line in code.co_lines() for _ in range(start, end, 2))


lines_of = per_code(Lines)


def loc_of(frame: FrameType) -> Loc:
    """The line that a frame is executing."""
    return lines_of(frame.f_code).at(frame.f_lasti)
