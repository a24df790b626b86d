"""Tracebacks of lines of the user's: those that ran as Python, and those in whose place a Program ran.

An entry of a traceback needs a frame. So one is made for each line that a Program stands for: a code object of the user's file
and function, which asks at this line for its own frame. Python, IPython and debuggers show the source by it, as of any other.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any, TypeVar

from ...converted_code import is_copy, is_part, note_converted
from ...ir.core import Loc
from ...python_library import is_library_file
from ...pytree import nodes
from .lines import SourceLoc
from .per_code import Notes, nested_code
from .user_code import PACKAGE, is_ours

_raising_again = Notes()
Function = TypeVar("Function", bound=Callable[..., Any])


def entries_of(traceback: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, the outermost first."""
    found = []
    while traceback is not None:
        found.append(traceback)
        traceback = traceback.tb_next
    return found


def with_those_before(error: BaseException) -> list[BaseException]:
    """An exception, its causes and contexts."""
    behind = nodes(error, lambda one: [before for before in (one.__context__, one.__cause__) if before is not None])
    return list({id(one): one for one in behind}.values())


def chained(entries: Iterable[TracebackType]) -> TracebackType | None:
    """A traceback of these entries, the outermost first."""
    inner = None
    for entry in reversed(list(entries)):
        inner = entry if entry.tb_next is inner else TracebackType(inner, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return inner


def raises_again(function: Function) -> Function:
    """Mark the function of this package that is a `raise` without an exception: the statement has no entry in a traceback."""
    _raising_again.note(function.__code__, True)
    return function


def users_entries(traceback: TracebackType | None) -> list[TracebackType]:
    """The entries that plain Python would have: without frames of this package, and one for each call of the user's.

    A branch or the body of a loop has become a function inside the user's: its entry stands for that of the call around it, and
    for what lies between, such as the generator that a loop asks for items.
    """
    found: list[TracebackType] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not (is_ours(code.co_filename) or is_copy(code)):
            if is_part(code):
                del found[_index_of_call(code, found) :]
            found.append(traceback)
        elif found and _raising_again.get(code):
            found.pop()
        traceback = traceback.tb_next
    return found


def _index_of_call(part: CodeType, found: list[TracebackType]) -> int:
    """The index of the innermost call of the function that contains this branch or loop body; the length if there is none."""
    calls = (index for index in reversed(range(len(found))) if id(part) in nested_code(found[index].tb_frame.f_code))
    return next(calls, len(found))


def frame_behind(frame: FrameType) -> FrameType | None:
    """The frame of the call around that of a frame, as plain Python would have it: of the parts of a function, the innermost.

    Frames of Python's library are those that the user's code calls, not this package.
    """
    part = frame.f_code if is_part(frame.f_code) else None
    behind = frame.f_back
    while behind is not None:
        code = behind.f_code
        if part is None:
            if not is_copy(code) and (not is_ours(code.co_filename) or _is_called_by_the_user(behind)):
                return behind
        elif id(part) in nested_code(code):
            part = code if is_part(code) else None
        behind = behind.f_back
    return None


def frames_behind(frame: FrameType) -> Iterator[FrameType]:
    """The frames of all calls around that of a frame, the innermost first."""
    behind = frame_behind(frame)
    while behind is not None:
        yield behind
        behind = frame_behind(behind)


def _is_called_by_the_user(frame: FrameType) -> bool:
    """Whether a frame is one of Python's library, which a user's has called."""
    while frame.f_back is not None and is_library_file(frame.f_code.co_filename):
        frame = frame.f_back
    return not is_ours(frame.f_code.co_filename)


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
    code = compile(tree, loc.file, "eval").replace(co_name=loc.function or "<module>")
    if loc.file.startswith(PACKAGE):
        note_converted(code)  # of `library`, such as a call of a layer with hooks: it is the user's, as in `faults`
    return code
