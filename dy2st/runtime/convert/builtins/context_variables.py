"""`variable.set(...)` and `variable.reset(token)` of `contextvars`: what they do is noted, so that a trial takes it back."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Token
from typing import Any

from ...heap.journal import ContextVariable
from ...heap.markers import MISSING
from ...recorder.recorder import Recorder
from ...where.faults import as_the_user

CHANGES = ("set", "reset")


def context_variable(rec: Recorder, method: Any) -> Callable:
    """What to call in place of `set` or `reset` of a context variable."""
    variable = ContextVariable(method.__self__)

    def set_(value: object) -> Token:
        rec.journal.note(variable)
        return rec.new(variable.given(value))

    def reset(token: Token) -> None:
        """Put back what was there before. The token isn't used up, since a trial may come here again."""
        if type(token) is not Token or token.var is not variable.owner:
            as_the_user(method, token)  # which says what is wrong
        rec.journal.write(variable, MISSING if token.old_value is Token.MISSING else token.old_value)

    return set_ if method.__name__ == "set" else reset
