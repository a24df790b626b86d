"""Python's profiling hook, which sees what starts to run where there is no `sys.monitoring` (before Python 3.12).

It runs whenever anything is called or returns, in Python or in C. So it is paused where none of the user's code runs.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import CodeType, FrameType
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

# As partials, of whose calls the hook isn't told.
_hook_now = partial(sys.getprofile)
_pause = partial(sys.setprofile, None)
_resume = partial(sys.setprofile)


@contextmanager
def profiled(
    look: Callable[[CodeType, FrameType], None],
    is_watched: Any,
    called: Callable[[FrameType, Any], None],
    left: Callable[[FrameType], None],
) -> Iterator[None]:
    """`look` at each code that `is_watched`, as it starts; `called` hears what it calls of C, and `left` that it stops.

    A profiler of the user's own stays.
    """
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
        elif event == "c_call":
            entry = known.get(id(frame.f_code))
            if entry is not None and entry[0]:
                called(frame, argument)
        elif event == "return":
            entry = known.get(id(frame.f_code))
            if entry is not None and entry[0]:
                left(frame)

    sys.setprofile(started)
    try:
        yield
    finally:
        sys.setprofile(None)


def unwatched(work: Callable[Given, Result]) -> Callable[Given, Result]:
    """`work`, in which none of the user's code runs, with the hook paused."""

    @functools.wraps(work)
    def quiet(*args: Given.args, **named: Given.kwargs) -> Result:
        hook = _hook_now()
        if hook is None or hook.__module__ != __name__:  # a profiler of the user's goes on
            return work(*args, **named)
        _pause()
        _paused.hooks.append(hook)
        try:
            return work(*args, **named)
        finally:
            _paused.hooks.pop()
            _resume(hook)

    return quiet


class _Paused(threading.local):
    """The hooks that are paused in a thread."""

    def __init__(self) -> None:
        self.hooks: list[Any] = []
        self.questions = 0  # of ours, whose answers code of the user's gives


_paused = _Paused()


def restore_hook() -> Callable[[], None]:
    """A step that pauses as many hooks as are paused now, after an interrupt."""
    hooks, questions = list(_paused.hooks), _paused.questions

    def restore() -> None:
        _paused.hooks[:] = hooks
        _paused.questions = questions

    return restore


def watched_again(work: Callable[[], Result]) -> Result:
    """What `work` gives, in which code of the user's may run, inside of what is unwatched."""
    if _hook_now() is not None:
        return work()
    if not _paused.hooks:  # `sys.monitoring` watches, which is never paused
        _paused.questions += 1
        try:
            return work()
        finally:
            _paused.questions -= 1
    _resume(_paused.hooks[-1])
    try:
        return work()
    finally:
        _pause()


def is_asked_by_us() -> bool:
    """Whether the user's code runs now because a guard looks at what it gives, not because the function does."""
    return bool(_paused.hooks or _paused.questions)
