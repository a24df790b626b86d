"""Sequences that a loop fills and that are stacked after it: rows of a Loop's scan output, though their lengths are open.

Rows of one size are all that a Loop asks for, and it fails otherwise. Where that doesn't tell the shape, each turn gives it, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.core import Operation, Value
from ...ir.types import SequenceType, TensorType
from .leaves import is_single
from .loop_conditions import Counter, constant
from .values import GraphValue


def only_stacked(users: Mapping[Value, list[Operation]], loop: Operation, place: int, bound: Counter | None) -> Operation | None:
    """The operation that stacks the sequence number `place` after a loop, if it began empty and nothing else is done with it."""
    start, type_, readers = loop.operands[place].owner, loop.results[place].type, users.get(loop.results[place], [])
    if not isinstance(start, Operation) or start.name != "sequence.new" or start.operands or not isinstance(type_, SequenceType):
        return None
    if not isinstance(type_.elem, TensorType) or type_.elem.shape is None or not is_single(type_.elem) or not readers:
        return None
    if all(op.name == "sequence.get" for op in readers) and bound is not None and bound.is_all:
        numbers = [constant(op.operands[1]) for op in readers]
        stacks = [op for reader in readers for op in users.get(reader.result, [])]
        is_all = {*numbers} == {*range(bound.turns)} and len(numbers) == len(stacks) == bound.turns
        readers = stacks[:1] if is_all and len({*stacks}) == 1 else []
    found = readers[0] if len(readers) == 1 else None
    is_stack = found is not None and found.name in ("stack", "sequence.stack") and found.parent is loop.parent
    return found if is_stack else None


def is_told_by_size(row: GraphValue) -> bool:
    """Whether rows of one type and one size have one shape."""
    dims = row.shape
    assert dims is not None
    return sum(not isinstance(dim, int) for dim in dims) <= 1 and 0 not in dims


def check_shapes(g: Any, shapes: GraphValue) -> None:
    """ShapeError unless all rows of `shapes`, int64[n, rank], are equal."""
    others = g.Not(g.Equal(shapes, g.Slice(shapes, [0], [1], [0], [1])))
    are_equal = g.Equal(g.ReduceSum(g.cast(others, "int64"), keepdims=0), 0)
    g.check(are_equal, "ShapeError", "stack: the shapes of the tensors don't go together")
