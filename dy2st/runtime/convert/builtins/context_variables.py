"""`variable.set(...)` and `variable.reset(token)` of `contextvars`: what they do is noted, so that a trial takes it back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...heap.journal import ContextVariable
from ...recorder.recorder import Recorder
from ...where.faults import as_the_user

CHANGES = ("set", "reset")


def context_variable(rec: Recorder, method: Any) -> Callable:
    """What to call in place of `set` or `reset` of a context variable."""
    variable = ContextVariable(method.__self__)
    called = variable.given if method.__name__ == "set" else method

    def call(*args: Any) -> Any:
        rec.journal.note(variable)
        found = as_the_user(called, *args)
        return found if found is None else rec.new(found)

    return call
