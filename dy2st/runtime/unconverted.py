"""Watch for the user's code that runs unconverted while staging: operators, `with`, properties of the user's own classes.

Such code may read and record; but what it stores, the journal doesn't know, so a store of a trial could not be taken back.
Code that stores is therefore refused inside staged control flow, and told with a warning outside of it.

Python's profiling hook sees each call of a Python function in this thread; it is free while nothing is staged. A profiler of the
user's own is left alone.
"""

from __future__ import annotations

import dis
import functools
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from ..errors import ConversionError
from .blocks import PACKAGE, user_loc
from .warn import warn_unconverted

STORES = {"STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR", "STORE_GLOBAL", "DELETE_GLOBAL"}
SKIPPED = {
    "<module>",
    "<lambda>",
    "<listcomp>",
    "<genexpr>",
    "__init__",
    "__new__",
    "__post_init__",
}  # the last three change what is new
LIBRARIES = tuple({p for k in ("stdlib", "platstdlib", "purelib", "platlib") if (p := sysconfig.get_path(k))})


@contextmanager
def watched(rec: Any, is_converted: Callable[[CodeType], bool]) -> Iterator[None]:
    """Refuse, or warn of, unconverted code that stores, for the time of one recording."""
    if sys.getprofile() is not None:
        yield
        return

    def look(frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or rec is not rec.active():
            return
        if frame.f_code.co_name == "__init__":
            note_birth(rec, frame)
        if not may_store(frame.f_code) or is_converted(frame.f_code):
            return
        name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
        if len(rec.frames) > 1:
            raise ConversionError(
                f"{user_loc(frame.f_back)}: {name} is called here by an operator, 'with' or property; it "
                f"isn't converted and changes "
                "something, which inside staged control flow can't be taken back: call a method by name instead"
            )
        warn_unconverted(user_loc(frame.f_back), name)

    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(None)


def note_birth(rec: Any, frame: FrameType) -> None:
    """An object of the user's is made by code that isn't converted (an operator that gives a new one): it is born here."""
    if is_library(frame.f_code) or not frame.f_code.co_argcount:
        return
    made = frame.f_locals[frame.f_code.co_varnames[0]]
    if rec.heap.birth(made) is None:
        rec.new(made)


def is_library(code: CodeType) -> bool:
    """Whether this isn't code of the user's."""
    return code.co_filename.startswith((PACKAGE, "<", *LIBRARIES))


@functools.lru_cache(maxsize=4096)
def may_store(code: CodeType) -> bool:
    """Whether this is code of the user's that stores an attribute, an item or a global."""
    if is_library(code) or code.co_name in SKIPPED:
        return False
    return any(i.opname in STORES for i in dis.get_instructions(code))
