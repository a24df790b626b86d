"""How values cross the edge of a Function of the Program: whether they go where the plans say, and several of them as one."""

from __future__ import annotations

from collections.abc import Iterator

from ...ir.core import Value
from ...ir.types import TupleType
from ..joining.join import joined_type, same
from ..joining.plans import Leaf, MethodParts, Plan, Same, TupleParts
from ..recorder.recorder import Recorder


def fits(rec: Recorder, plan: Plan, value: object) -> bool:
    """Whether a value goes where `plan` says without the plan having to rise."""
    if isinstance(plan, Same):
        return same(plan.value, value)
    if isinstance(plan, Leaf):
        return joined_type(rec, plan.type, rec.type_of(value)) == plan.type
    assert isinstance(plan, TupleParts | MethodParts)
    return plan.suits(value) and all(fits(rec, child, part) for child, part in zip(plan.children, plan.take(value)))


def packed(rec: Recorder, leaves: list[Value]) -> Value:
    """A Function returns one Value."""
    if len(leaves) == 1:
        return leaves[0]
    if not leaves:
        return rec.lower(None)
    return rec.emit("tuple.new", leaves, [TupleType(tuple(map(rec.type_of_value, leaves)))]).result


def unpacked(rec: Recorder, packed: Value) -> Iterator[Value]:
    """What `packed` put together."""
    assert isinstance(packed.type, TupleType)
    for i, type_ in enumerate(packed.type.elems):
        yield rec.emit("tuple.get", [packed], [type_], {"index": i}).result
