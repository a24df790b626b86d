"""`variable.set(...)` and `variable.reset(token)` of `contextvars`: what they do is noted, so that a trial takes it back."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Token
from typing import Any

from ....errors import ConversionError
from ...heap.journal import ContextVariable, TokenUse
from ...heap.markers import MISSING
from ...recorder.recorder import Recorder
from ...where.faults import as_the_user
from ..operations.ifelse import convert_ifelse

CHANGES = ("set", "reset")


def _refuse_used(token: Token) -> None:
    raise RuntimeError(f"{token!r} has already been used once")


def context_variable(rec: Recorder, method: Any) -> Callable:
    """What to call in place of `set` or `reset` of a context variable."""
    variable = ContextVariable(method.__self__)

    def set_(value: object) -> Token:
        rec.journal.note(variable)
        token = variable.given(value)
        rec.new(token)
        return token

    def reset(token: Token) -> None:
        """Put back what was there before. That the token is used is noted, since a trial may come here again."""
        if type(token) is not Token or token.var is not variable.owner:
            as_the_user(method, token)  # which says what is wrong
        if rec.heap.birth(token) is None:
            raise ConversionError(f"{rec.here()}: this token comes from outside, and is good for one reset; call that there")
        use = TokenUse(token, rec.journal.used_tokens)
        convert_ifelse(use.get(), lambda: as_the_user(_refuse_used, token), lambda: None)
        if rec.heap.is_own(use):  # another turn has another token
            use.set(True)
        else:
            rec.journal.write(use, True)
        rec.journal.write(variable, MISSING if token.old_value is Token.MISSING else token.old_value)

    return set_ if method.__name__ == "set" else reset
