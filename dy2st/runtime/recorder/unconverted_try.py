"""Where a `try` of code that isn't converted would have to catch what happens only when the Program runs: refused.

Its handlers run while staging; an operation that raises at run time never meets them. The `try` statements around a line are
read off the user's own source. Converted code has none but `except*`: every other one is staged (`attempts`).
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ...converted_code import is_converted
from ...errors import ConversionError
from ...silenced import parsed
from ..where.per_code import Notes, has_instruction, per_code
from ..where.profiling import unwatched
from ..where.user_code import PACKAGE

if TYPE_CHECKING:
    from .recorder import Recorder

STAR = getattr(ast, "TryStar", ast.Try)  # Python 3.11
_outermost, _own_tries = Notes(), Notes()
Function = TypeVar("Function", bound=Callable)


class Span(NamedTuple):
    """The body of a `try`, and whether it is a `try` of `except*`."""

    first: int
    last: int
    is_star: bool


def runs_the_model(function: Function) -> Function:
    """Mark a function that runs the model's code: a `try` around it is no part of the model."""
    _outermost.note(function.__code__, True)
    return function


def tries_for_itself(code: CodeType) -> None:
    """Note that a `try` in this code catches nothing that an operation of the model raises."""
    _own_tries.note(code, True)


@unwatched
def refuse_unconverted_try(rec: Recorder) -> None:
    """ConversionError if the user's line that is running stands in the body of a `try` that isn't converted."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not _outermost.get(frame.f_code):
        code = frame.f_code
        for span in own_spans(code):
            if span.first <= frame.f_lineno <= span.last and not _own_tries.get(code):
                if span.is_star or not _is_converted(code):
                    raise ConversionError(
                        "this may raise when the Program runs, where the 'try' around it can't catch it; "
                        "test for the case with an 'if' instead of catching the exception",
                        code.co_filename,
                        frame.f_lineno,
                    )
        frame = frame.f_back


def _is_converted(code: CodeType) -> bool:
    return is_converted(code) and not code.co_flags & inspect.CO_GENERATOR


def has_try(code: CodeType) -> bool:
    """Whether a function has a `try`, as far as its source can tell."""
    lines = {line for _, _, line in code.co_lines() if line is not None}
    return any(span.first in lines for span in spans(code))


@per_code
def may_try(code: CodeType) -> bool:
    """Whether code may have a `try` of its own, as its instructions tell; a `with` looks alike."""
    if sys.version_info >= (3, 11):
        return bool(code.co_exceptiontable)
    return has_instruction(code, "SETUP_FINALLY", "SETUP_WITH")


@per_code
def own_spans(code: CodeType) -> tuple[Span, ...]:
    """The bodies of the `try` statements in a function of the user's, without those of functions before and behind it."""
    if code.co_filename.startswith(PACKAGE) or not may_try(code):
        return ()
    last = max((line for _, _, line in code.co_lines() if line is not None), default=0)
    return tuple(span for span in spans(code) if code.co_firstlineno <= span.first <= last)


@per_code
def spans(code: CodeType) -> tuple[Span, ...]:
    """The bodies of the `try` statements in the file of a function."""
    try:
        tree = parsed("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return ()
    return tuple(_span(node) for node in ast.walk(tree) if isinstance(node, ast.Try | STAR))


def _span(node: ast.Try) -> Span:
    last = node.body[-1]
    return Span(node.body[0].lineno, last.end_lineno or last.lineno, type(node) is not ast.Try)
