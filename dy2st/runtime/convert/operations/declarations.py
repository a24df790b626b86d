"""What script knows of a local variable: its hint, and that it isn't None."""

from __future__ import annotations

from typing import Any

from ....ir.join import alternatives
from ....ir.types import NONE
from ...heap.markers import no_value
from ...proxies import StagedSum
from ...recorder.recorder import current_recorder


def declared(value: Any, hint: str) -> Any:
    """The value that a variable with a hint is bound to."""
    rec = current_recorder()
    return value if rec is None else rec.facts.policy.declared(rec, value, hint)


def refined(value: Any) -> Any:
    """The value of a variable that was checked just now: it isn't None."""
    rec = current_recorder()
    if rec is None or not isinstance(value, StagedSum):
        return value
    kinds = alternatives(rec.type_of(value))
    if NONE not in kinds:
        return value
    if len(kinds) > 2:
        return rec.on_alternatives(value, lambda x: no_value if x is None else x)
    index = 1 - kinds.index(NONE)
    return rec.wrap(rec.emit("sum.get", [rec.lower(value)], [kinds[index]], {"index": index}).result)
