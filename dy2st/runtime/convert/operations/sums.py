"""Doing something with a value whose kind follows the path: once per alternative, under a test of its tag."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ir.types import INT, SumType
from ....ops.registry import lookup
from ...control.trial import stage_if
from ...heap.markers import Unbound
from ...proxies import StagedInt, StagedSum
from ...recorder.recorder import Recorder


def on_alternatives(rec: Recorder, staged: StagedSum, function: Callable[[Any], Any], unbound: bool = False) -> Any:
    """`function` of the value, joined over its alternatives; one that raises does so at run time, on its path.

    unbound: whether `function` knows what to do where there is no value; otherwise that raises.
    """
    type_ = rec.type_of(staged)
    assert isinstance(type_, SumType)
    tag = StagedInt(rec.emit("sum.tag", [rec.lower(staged)], [INT]).result)

    def alternative(index: int) -> Any:
        found = rec.wrap(rec.emit("sum.get", [rec.lower(staged)], [type_.alternatives[index]], {"index": index}).result)
        if isinstance(found, Unbound) and not unbound:
            raise rec.absence(staged)
        try:
            return function(found)
        except (TypeError, AttributeError) as error:
            rec.facts.policy.needs_alternatives(rec, staged, error)
            raise

    def from_(index: int) -> Any:
        if index == len(type_.alternatives) - 1:
            return alternative(index)
        test = lookup("py.eq")(tag, index)
        return stage_if(rec, rec.lower(test), lambda: alternative(index), lambda: from_(index + 1), exact=True)

    return from_(0)
