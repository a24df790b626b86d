"""What `functionalize` leaves: tensors are read where references to memory stand for them (`ops/python/references.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Operation, Value
from ...ir.types import ClassType, Type
from ...ops.python.references import is_reference, without_references
from .refusals import WRITTEN, refuse
from .state import Held, mapped_content
from .things import Bundle, Choice, KnownSum, Location, Thing, Undefined

if TYPE_CHECKING:
    from .walk import Walk


def read_tensors(walk: Walk, op: Operation) -> list[Thing]:
    """`reference.tensors`: new containers with tensors in place of references; what was one object is one."""
    made: dict[Location, Location] = {}

    def read(thing: Thing) -> Thing:
        type_ = thing.type
        if not holds_memory(type_):
            return thing
        if is_reference(type_):
            return _tensor(walk, thing)
        plain = without_references(type_)
        if isinstance(thing, Bundle):
            return Bundle(plain, tuple(map(read, thing.things)))  # type: ignore[arg-type]
        if isinstance(thing, KnownSum):
            return KnownSum(plain, thing.tag, {k: read(part) for k, part in thing.parts.items()})  # type: ignore[arg-type]
        if isinstance(thing, Choice):
            return Choice(thing.condition, read(thing.then), read(thing.orelse))
        if isinstance(thing, Undefined):
            return Undefined(plain)
        if not isinstance(thing, Location) or isinstance(type_, ClassType):
            raise refuse(op, f"nothing stands for {WRITTEN}")
        if thing not in made:
            made[thing] = walk.new(plain, walk.state.contents[thing])
            walk.state.contents[made[thing]] = mapped_content(read, walk.state.contents[thing])
        return made[thing]

    return [read(walk.thing(op.operands[0]))]


def holds_memory(type_: Type) -> bool:
    """Whether references to memory are among the values of a type."""
    return is_reference(type_) or any(map(holds_memory, type_.parts()))


def _tensor(walk: Walk, reference: Thing) -> Value:
    cell, places = walk.bundle(reference).things
    return walk.emit("gather", [_row(walk, cell), walk.pure(places)], {"axis": 0}, without_references(reference.type))


def _row(walk: Walk, cell: Thing) -> Value:
    if isinstance(cell, Choice):
        (found,) = walk.chosen(cell, lambda part: [_row(walk, part)])
        return walk.pure(found)
    content = walk.content(cell)
    assert isinstance(content, Held)
    return walk.pure(content.thing)
