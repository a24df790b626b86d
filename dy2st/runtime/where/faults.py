"""Whose fault an exception is that arises while staging: that of the user's code, or of this package.

A fault of this package must not become a `raise` of the user's Program, which would be saved and run; nor may the user's
`except` catch it. The innermost frame tells it, that of Python's library set aside. In the runtime,

    raise TypeError(...)                    is meant: dy2st raises in place of Python
    assert value is not None                is a fault, and so is all else that fails,
    table[key]                              unless the function speaks for the user:
    as_the_user(operator.getitem, xs, i)    does what a statement of the user's does, and raises what that raises

Code that was converted (of `library`) is the user's. What fails in a kernel of `dy2st.ops` is the fault of its operands.
"""

from __future__ import annotations

import functools
import opcode
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any, TypeVar

import numpy

from ...converted_code import codes_in, is_converted
from ...errors import ConversionError, Dy2stError, InternalError
from ...python_library import is_library_file
from .per_code import Notes

_PACKAGE = Path(__file__).parents[2]
_NUMPY = str(Path(numpy.__file__).parent)
_RUNTIME = f"{_PACKAGE / 'runtime'}{os.sep}"
_RAISING = (opcode.opmap["RAISE_VARARGS"], opcode.opmap["RERAISE"])
_ANYWHERE = (Dy2stError, Warning, RecursionError, MemoryError)  # what dy2st says on purpose, and what may befall any line
_speaking = Notes()
Function = TypeVar("Function", bound=Callable[..., Any])


def speaks_for_the_user(function: Function) -> Function:
    """Mark a function of the runtime that does what a statement of the user's does; the functions inside it are marked, too."""
    for code in codes_in(function.__code__):
        _speaking.note(code, True)
    return function


@speaks_for_the_user
def as_the_user(operation: Callable[..., Any], *operands: Any, **named: Any) -> Any:
    """What an operation of the user's gives, which Python itself does; what that raises is the user's."""
    return operation(*operands, **named)


def is_fault(error: BaseException) -> bool:
    """Whether an exception arose in the runtime by itself: nobody has raised it, and no function that speaks for the user."""
    if not isinstance(error, Exception) or isinstance(error, _ANYWHERE):
        return False
    innermost = _innermost(error)
    if innermost is None or not innermost.tb_frame.f_code.co_filename.startswith(_RUNTIME):
        return False
    code = innermost.tb_frame.f_code
    is_raised = _is_raised(innermost) and not isinstance(error, AssertionError)
    return not (is_raised or _speaking.get(code) or is_converted(code))


def arose_by_itself(error: BaseException) -> bool:
    """Whether an exception arose in this package, or in NumPy for it, under no code of the user's, and isn't meant."""
    innermost = _innermost(error)
    if not isinstance(error, Exception) or isinstance(error, _ANYWHERE) or innermost is None:
        return False
    if not all(_is_inside(code) for code in _codes_of(error)):
        return False
    code = innermost.tb_frame.f_code
    return not code.co_filename.startswith(str(_PACKAGE)) or not (_is_raised(innermost) or _speaking.get(code))


def _codes_of(error: BaseException) -> Iterator[CodeType]:
    entry = error.__traceback__
    while entry is not None:
        yield entry.tb_frame.f_code
        entry = entry.tb_next


def _is_inside(code: CodeType) -> bool:
    """Whether code is of this package, Python's library or NumPy; what was converted is the user's."""
    file = code.co_filename
    return not is_converted(code) and (is_library_file(file) or file.startswith((str(_PACKAGE), _NUMPY)))


def is_out_of_stack(error: BaseException) -> bool:
    """Whether staging ran out of Python's stack. A RecursionError that is raised, or arises in C, is that of the user's code.

    So is one under which hardly any frame is of this package, such as that of a comparison of what holds itself.
    """
    innermost = _innermost(error)
    if not isinstance(error, RecursionError) or innermost is None or _is_raised(innermost):
        return False
    depth, own = _depths(innermost.tb_frame)
    return depth > sys.getrecursionlimit() // 2 and own > depth // 4


def _depths(frame: FrameType | None) -> tuple[int, int]:
    """How many frames the stack has, and how many of them are of this package."""
    depth = own = 0
    while frame is not None:
        own += frame.f_code.co_filename.startswith(_RUNTIME)
        depth, frame = depth + 1, frame.f_back
    return depth, own


def internal_error(error: BaseException) -> Dy2stError:
    """What is raised in place of a fault: it names the place in this package.

    A weak proxy whose object is gone raises ReferenceError whatever is asked of it: that is refused.
    """
    if isinstance(error, ReferenceError):
        return ConversionError(
            "a weak proxy stands for an object that is gone, so that staging can't tell what it is; keep weakref.ref(obj) in its "
            "place, and ask whether ref() is None"
        )
    innermost = _innermost(error)
    assert innermost is not None
    code = innermost.tb_frame.f_code
    place = f"{Path(code.co_filename).relative_to(_PACKAGE.parent).as_posix()}:{innermost.tb_lineno}, in {code.co_name}"
    return InternalError(
        f"dy2st has failed here, not your code: {type(error).__name__}: {error}, at {place}; please report it with this function"
    )


def reports_faults(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, whose faults are InternalErrors."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if is_fault(error):
                raise internal_error(error) from error
            raise

    return call


def _is_raised(entry: TracebackType) -> bool:
    """Whether a `raise` made this entry of a traceback."""
    return entry.tb_frame.f_code.co_code[entry.tb_lasti] in _RAISING


def _innermost(error: BaseException) -> TracebackType | None:
    """The innermost entry of a traceback that isn't in Python's library."""
    innermost, traceback = None, error.__traceback__
    while traceback is not None:
        if not is_library_file(traceback.tb_frame.f_code.co_filename):
            innermost = traceback
        traceback = traceback.tb_next
    return innermost
