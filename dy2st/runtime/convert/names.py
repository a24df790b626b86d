"""Names that may be unbound."""

from __future__ import annotations

from typing import Any

from ...ir.types import UNBOUND, SumType
from ..markers import MESSAGE, Unbound
from ..proxies import StagedSum
from ..static import current_recorder


def bound(value: Any, name: str) -> Any:
    """The value of a name that may have none on this path; UnboundLocalError where it has none, as in plain Python."""
    if isinstance(value, Unbound):
        raise UnboundLocalError(MESSAGE.format(name))
    rec = current_recorder()
    if (
        rec is not None
        and isinstance(value, StagedSum)
        and isinstance(value._type, SumType)
        and UNBOUND in value._type.alternatives
    ):
        rec.facts.policy.maybe_unbound(rec, value)
        return rec.on_alternatives(value, lambda x: bound(x, name), unbound=True)
    return value
