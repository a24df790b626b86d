"""A loop that counts up to a bound is a `for`, which takes half the time of a `while` with little in it.

    while (v1 < v0):            for v1 in range(v1, v0):
        v2 = a0[v1]        ->       v2 = a0[v1]
        v1 = v1 + 1
"""

from __future__ import annotations

from typing import NamedTuple

from ...ir.core import Operation, Value
from ...ir.types import INT
from .liveness import Liveness
from .unboxed import constant


class Count(NamedTuple):
    """What a loop counts: the place of the counter among what it carries, the bound, and the Operation that adds one."""

    place: int
    bound: Value
    step: Operation


def counted(op: Operation, liveness: Liveness) -> Count | None:
    """What a `while` counts, if that alone ends it, and nobody asks afterwards how far it came."""
    condition, body = op.blocks
    test, end = condition.ops[0], body.terminator
    if len(condition.ops) != 2 or test.name != "py.lt" or end is None or end.name != "yield":
        return None
    counter, bound = test.operands
    if counter not in condition.args or bound.block is condition or any(v.type != INT for v in test.operands):
        return None
    index = condition.args.index(counter)
    step = end.operands[index].owner
    if not isinstance(step, Operation) or step.name != "py.add" or op.results[index] in liveness.count:
        return None
    if step.operands[0] is not body.args[index] or constant(step.operands[1]) != 1:
        return None
    return Count(index, bound, step)
