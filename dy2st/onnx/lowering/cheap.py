"""Branches of few operations on single numbers: both are computed, and one result is selected. An If costs more than they do.

    If [p]                                    Less [i, n] -> q
        then: Less [i, n] -> q         ->     And [p, q] -> r
        else: Identity [p] -> p_2
"""

from __future__ import annotations

from collections.abc import Sequence

from ...graphs.lowering.values import Array, GraphType, GraphValue
from .scope import GraphScope

_MOST = 4  # nodes
_TOTAL = frozenset(  # no input makes them fail
    "Add And Cast Equal Greater GreaterOrEqual Identity Less LessOrEqual Mul Neg Not Or Sub Where Xor".split()
)


def is_cheap(scope: GraphScope, values: Sequence[GraphValue]) -> bool:
    """Whether a branch that gives `values` may be computed where it isn't taken, at less than the cost of an If."""
    if scope.codes or not all(_is_single(x.type) for x in values):
        return False
    nodes = scope.needed(x.name for x in values)
    outputs = [scope.given[name] for node in nodes for name in node.output]
    return len(nodes) <= _MOST and all(node.op_type in _TOTAL for node in nodes) and all(map(_is_single, outputs))


def _is_single(type_: GraphType) -> bool:
    return isinstance(type_, Array) and type_.shape == () and type_.dtype != "string"
