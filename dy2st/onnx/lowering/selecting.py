"""Branches of few operations on single numbers: both are computed, and one result is selected. An If costs more than they do.

    If [p]                                    Less [i, n] -> q
        then: Less [i, n] -> q         ->     And [p, q] -> r
        else: Identity [p] -> p_2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graphs.lowering.values import Array, OnnxType, OnnxValue
from .scope import Scope

_MOST = 4  # nodes
_TOTAL = frozenset(  # no input makes them fail
    "Add And Cast Equal Greater GreaterOrEqual Identity Less LessOrEqual Mul Neg Not Or Sub Where Xor".split()
)


def is_cheap(scope: Scope, values: Sequence[OnnxValue]) -> bool:
    """Whether a branch that gives `values` may be computed where it isn't taken, at less than the cost of an If."""
    if scope.codes or not all(_is_single(x.type) for x in values):
        return False
    nodes = scope.needed(x.name for x in values)
    outputs = [scope.given[name] for node in nodes for name in node.output]
    return len(nodes) <= _MOST and all(node.op_type in _TOTAL for node in nodes) and all(map(_is_single, outputs))


def _is_single(type_: OnnxType) -> bool:
    return isinstance(type_, Array) and type_.shape == () and type_.dtype != "string"


def selected(g: Any, condition: OnnxValue, then: OnnxValue, orelse: OnnxValue) -> OnnxValue:
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
