"""Which kind a value is, where that follows the path."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..ir.native import UNBOUND
from ..ir.types import SumType, parse_type
from ..runtime.heap.markers import Unbound
from ..runtime.proxies import StagedSum
from ..runtime.recorder.recorder import current_recorder
from ..runtime.recorder.values import alternative
from ..runtime.taped import tag_of

_type_of = lru_cache(maxsize=256)(parse_type)


def kind_of(value: Any, among: str) -> Any:
    """The place of a value's kind in `sum<... | ...>`."""
    type_ = _type_of(among)
    if not isinstance(type_, SumType):
        raise TypeError(f"the kind of a value is one among those of a sum<...>, not of {type_}")
    rec = current_recorder()
    if rec is None:
        return tag_of(type_, UNBOUND if isinstance(value, Unbound) else value)
    known = lambda x: alternative(type_, rec.type_of(x))  # noqa: E731
    return rec.on_alternatives(value, known, unbound=True) if isinstance(value, StagedSum) else known(value)
