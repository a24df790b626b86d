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
    """What a loop counts: the number of the counter among the carried values, the bound, and the Operation that adds one."""

    number: int
    bound: Value
    step: Operation


def counted(op: Operation, liveness: Liveness) -> Count | None:
    """The Count of a `while` that ends by its counter alone, and whose counter nobody reads afterwards; else None."""
    condition, body = op.blocks
    *fixed, test, _ = condition.ops if len(condition.ops) > 1 else (None, None)
    end = body.terminator
    if test is None or test.name != "py.lt" or end is None or end.name != "yield":
        return None
    counter, bound = test.operands
    if any(op.name != "const" for op in fixed) or counter not in condition.args or counter is bound:
        return None
    if bound in condition.args or any(v.type != INT for v in test.operands):
        return None
    number = condition.args.index(counter)
    step = end.operands[number].owner
    if not isinstance(step, Operation) or step.name != "py.add" or op.results[number] in liveness.count:
        return None
    if step.operands[0] is not body.args[number] or constant(step.operands[1]) != 1:
        return None
    return Count(number, bound, step)
