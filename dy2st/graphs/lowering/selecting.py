"""A result of two branches that are both computed: a Where, or what is as much of bools."""

from __future__ import annotations

from typing import Any

from .values import GraphValue


def selected(g: Any, condition: GraphValue, then: GraphValue, orelse: GraphValue) -> GraphValue:
    """`then` where the condition, bool[], holds, `orelse` elsewhere."""
    if then.name == orelse.name:
        return then
    if then.dtype != "bool":
        return g.Where(condition, then.as_tensor(), orelse.as_tensor())
    if orelse.name == condition.name or orelse.item is False:
        return condition if then.item is True else g.And(condition, then)
    if then.name == condition.name or then.item is True:
        return g.Or(condition, orelse)
    if orelse.item is True:
        return g.Or(g.Not(condition), then)
    if then.item is False:
        return g.And(g.Not(condition), orelse)
    return g.Or(g.And(condition, then), g.And(g.Not(condition), orelse))
