"""Objects: what their fields hold is known by name, in the order of the first stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation, Value
from ...ir.types import INT, UNBOUND, ClassType, SumType
from .refusals import refuse
from .state import Fields
from .things import KnownSum, Thing

if TYPE_CHECKING:
    from .walk import Walk


def object_operator(walk: Walk, op: Operation) -> list[Thing] | None:
    """What an operator on objects gives; an object that it changes holds something else afterwards."""
    name = op.name.partition(".")[2]
    if name == "new":
        return [_new(walk, op)]
    target = walk.thing(op.operands[0])
    content = walk.content(target)
    assert isinstance(content, Fields) and isinstance(target.type, ClassType)
    if name == "copy":
        return [walk.new(op.result.type, content)]
    field = op.attrs["field"]
    if name == "get":
        return [walk.fitted(content.things.get(field) or walk.unbound(), op.result.type)]
    if name == "has":
        return [_is_bound(walk, content.things.get(field))]
    if name == "set":
        thing = walk.fitted(walk.thing(op.operands[1]), walk.types.fields_of(target.type)[field])
        walk.put(target, Fields({**content.things, field: thing}))
        return []
    if field not in content.things or content.things[field].type.holds(type(UNBOUND)):
        raise refuse(op, f"the attribute {field} is deleted, which may not be there; set it to None instead")
    walk.put(target, Fields({key: thing for key, thing in content.things.items() if key != field}))
    return []


def _new(walk: Walk, op: Operation) -> Thing:
    type_ = op.result.type
    assert isinstance(type_, ClassType)
    if op.attrs.get("text"):
        named = op.attrs["text"]
        raise refuse(op, f"which one object the {named} is, a copy doesn't tell; return or keep a copy of it, or a number")
    declared = walk.types.fields_of(type_)
    return walk.new(type_, Fields({f: walk.fitted(walk.thing(v), declared[f]) for f, v in zip(op.attrs["fields"], op.operands)}))


def _is_bound(walk: Walk, thing: Thing | None) -> Value:
    """Whether a field is there."""
    if thing is None or thing.type == UNBOUND:
        return walk.const(False)
    if not isinstance(thing.type, SumType) or UNBOUND not in thing.type.alternatives:
        return walk.const(True)
    tag = thing.tag if isinstance(thing, KnownSum) else walk.make("sum.tag", [walk.pure(thing)], INT)
    return walk.compared("py.ne", tag, thing.type.alternatives.index(UNBOUND))
