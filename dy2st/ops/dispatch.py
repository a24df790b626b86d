"""Who decides what calling an operator does: the current mode, an immutable stack in one context variable.

New threads start in the default mode, which the runtime sets to Eager when it is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Mode:
    """Base of the modes.

    rec: the Recorder, where the mode is one: it builds a Program of what is done with its Values.
    tracer: the Tracer of `jit.trace`, where the mode is one: operators run, and are recorded.
    records: whether operators become Operations of a Program, which may be of dtypes that no array has had yet.
    widens: whether operators on half precision are written out in float32 (`half.py`) before they get here.
    """

    rec: Any = None
    tracer: Any = None
    records = False
    widens = True

    def bind(self, definition: Any, operands: tuple, attrs: dict[str, Any]) -> Any:
        """What calling an operator does."""
        raise RuntimeError(f"operator {definition.name} was called, but no mode is set: import dy2st.runtime first")


_default = Mode()
_stack: ContextVar[tuple[Mode, ...]] = ContextVar("dy2st_modes", default=())


def set_default_mode(mode: Mode) -> None:
    """Set what an operator does where no mode has been entered."""
    global _default
    _default = mode


def current_mode() -> Mode:
    stack = _stack.get()
    return stack[-1] if stack else _default


mode_stack = _stack.get
_recorder: ContextVar[Any] = ContextVar("dy2st_recorder", default=None)
recorder_of_mode = _recorder.get  # the Recorder that is the current mode, or None
RECORDERS: set[object] = set()  # one thing for each Recorder that has been entered, in whichever thread: mostly there is none


@contextmanager
def entered(mode: Mode) -> Iterator[Mode]:
    """Run the body in `mode`."""
    entry = object()
    if mode.rec is not None:
        RECORDERS.add(entry)
    token, before = _stack.set(_stack.get() + (mode,)), _recorder.set(mode.rec)
    try:
        yield mode
    finally:
        _recorder.reset(before)
        _stack.reset(token)
        RECORDERS.discard(entry)
