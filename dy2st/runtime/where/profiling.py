"""Python's profiling hook, which sees what starts to run where there is no `sys.monitoring` (before Python 3.12).

It runs whenever anything is called or returns, in Python or in C. So it is paused where none of the user's code runs.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


@contextmanager
def profiled(look: Callable[[CodeType, FrameType], None], is_watched: Any) -> Iterator[None]:
    """`look` at each code that `is_watched`, as it starts; a profiler of the user's own is left alone."""
    if sys.getprofile() is not None:
        yield
        return
    known = is_watched.known

    def started(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            entry = known.get(id(code))  # looked up right here, since a call would take as long again
            if is_watched(code) if entry is None else entry[0]:
                look(code, frame)

    sys.setprofile(started)
    try:
        yield
    finally:
        sys.setprofile(None)


def unwatched(work: Callable[Given, Result]) -> Callable[Given, Result]:
    """`work`, in which none of the user's code runs, with the hook paused."""

    @functools.wraps(work)
    def quiet(*args: Given.args, **named: Given.kwargs) -> Result:
        hook = sys.getprofile()
        if hook is None or hook.__module__ != __name__:  # a profiler of the user's goes on
            return work(*args, **named)
        sys.setprofile(None)
        try:
            return work(*args, **named)
        finally:
            sys.setprofile(hook)

    return quiet
