"""Sequences whose items are different ones: a set for those who have none."""

from __future__ import annotations

from typing import Any

from ....ir.types import BOOL


def distinct(g: Any, sequence: Any) -> Any:
    """The items without those that equal an earlier one."""
    elem, (column,) = sequence.columns()
    if elem == BOOL:
        column = g.cast(column, "int64")
    return sequence.taken(g.Unique(column, sorted=0, outputs=2)[1])


def among(g: Any, items: Any, others: Any, keep: bool = True) -> Any:
    """The items that are among others, or those that aren't."""
    (_, (column,)), (_, (wanted,)) = items.columns(), others.columns()
    same = g.Equal(g.Unsqueeze(column, [1]), g.Unsqueeze(wanted, [0]))
    found = g.Greater(g.ReduceSum(g.cast(same, "int64"), [1], keepdims=0), 0)
    return items.taken(g.Squeeze(g.NonZero(found if keep else g.Not(found)), [0]))
