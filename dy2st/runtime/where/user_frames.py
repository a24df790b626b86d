"""Tracebacks of lines of the user's: those that ran as Python, and those in whose place a Program ran.

An entry of a traceback needs a frame. So one is made for each line that a Program stands for: a code object of the user's file
and function, which asks at this line for its own frame. Python, IPython and debuggers show the source by it, as of any other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from types import CodeType, FrameType, TracebackType

from ...ir.core import Loc
from .lines import SourceLoc
from .per_code import nested_code
from .user_code import is_ours


def entries_of(traceback: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, the outermost first."""
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def with_those_before(error: BaseException) -> list[BaseException]:
    """An exception, its causes and contexts."""
    found: list[BaseException] = []
    pending: list[BaseException | None] = [error]
    while pending:
        one = pending.pop()
        if one is not None and all(one is not other for other in found):
            found.append(one)
            pending += [one.__cause__, one.__context__]
    return found


def chained(entries: Iterable[TracebackType]) -> TracebackType | None:
    """A traceback of these entries, the outermost first."""
    inner = None
    for entry in reversed(list(entries)):
        inner = TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return inner


def users_entries(traceback: TracebackType | None) -> list[TracebackType]:
    """The entries that plain Python would have: without frames of this package, and one for each call of the user's.

    A branch or the body of a loop has become a function inside the user's: its entry stands for that of the call around it, and
    for what lies between, such as the generator that a loop asks for items.
    """
    found: list[TracebackType] = []
    for entry in entries_of(traceback):
        code = entry.tb_frame.f_code
        if not is_ours(code.co_filename):
            around = next((k for k, outer in enumerate(found) if _is_part(code, outer.tb_frame.f_code)), len(found))
            found[around:] = [entry]
    return found


def _is_part(code: CodeType, outer: CodeType) -> bool:
    """Whether code is a branch or a loop's body of a rewritten function, whose name it bears."""
    return code.co_name == outer.co_name and id(code) in nested_code(outer)


def entries_at(loc: Loc | None) -> list[TracebackType]:
    """An entry for a location, after those for the calls that led to it.

    There is none for what a file tells: whatever bears that file's name here is another source.
    """
    if not isinstance(loc, SourceLoc):
        return []
    frames = [(_frame_at(at), at.line) for at in loc.calls()]
    return [TracebackType(None, frame, frame.f_lasti, line) for frame, line in reversed(frames)]


def _frame_at(loc: Loc) -> FrameType:
    """The frame of code that has run at a line."""
    return eval(_code_at(loc), {"here": sys._getframe}, {})


def _code_at(loc: Loc) -> CodeType:
    tree = ast.parse("here()", mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.lineno = node.end_lineno = loc.line
            node.col_offset = node.end_col_offset = -1  # columns aren't known: no part of the line is marked
    return compile(tree, loc.file, "eval").replace(co_name=loc.function or "<module>")
