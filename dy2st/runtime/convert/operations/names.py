"""Names that may be unbound."""

from __future__ import annotations

from typing import Any

from ....ir.types import UNBOUND, SumType
from ....ops.python.words import FREE, LOCAL
from ...heap.markers import Unbound
from ...proxies import StagedSum
from ...recorder.recorder import current_recorder


def bound(value: Any, name: str, free: bool = False) -> Any:
    """The value of a name that may have none on this path; where it has none, the error of plain Python.

    That is an UnboundLocalError, or a NameError for a variable of a function around the one that reads it.
    """
    if isinstance(value, Unbound):
        raise NameError(FREE.format(name), name=name) if free else UnboundLocalError(LOCAL.format(name))
    rec = current_recorder()
    if (
        rec is not None
        and isinstance(value, StagedSum)
        and isinstance(value._type, SumType)
        and UNBOUND in value._type.alternatives
    ):
        rec.facts.policy.maybe_unbound(rec, value)
        return rec.on_alternatives(value, lambda x: bound(x, name, free), unbound=True)
    return value
