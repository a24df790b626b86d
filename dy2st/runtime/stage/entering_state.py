"""State on the way into a recording and out of it: what the Program holds is put where the code will look for it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from ... import pytree
from ...ir.core import Operation
from ...ir.flows import ITEM, VALUE
from ...ir.types import NEVER, ClassType, DictType, ListType, SetType, TupleType
from ..heap.elements import ElementClass, join_shared
from ..heap.heap import FAMILY
from ..heap.journal import Change, Contents
from ..heap.markers import MISSING
from ..library import twin_of
from ..outside.facts import Facts, StateSlot
from ..pythons import fields_of
from ..recorder.recorder import Recorder
from ..tensors.spec import InputSpec, ValueSpec, has_parts

Nested = tuple[StateSlot, tuple[Hashable, ...], Any]  # a state, a way of slots in it, and the container there


def enter_state(rec: Recorder, facts: Facts) -> None:
    """Put what the Program holds at run time where the code will look for it."""
    outside: dict[str, Any] = {}
    nested: list[Nested] = []
    for slot in facts.state.values():
        current = slot.location.owner if isinstance(slot.location, Contents) else slot.location.get()
        outside[slot.name] = type_outside(rec, current)
        slot.type = join_shared(slot.type, outside[slot.name])
        facts.roots.starts.setdefault(slot.name, current)  # what it holds now can still be reached by that name
        rec.declare_state(slot, current)
        nested += _nested_in(slot, current)
    rec.heap.in_state = {id(part): part for _, _, part in nested}
    recalled: dict[ElementClass, ElementClass] = {}
    for slot in facts.state.values():
        location = slot.location
        op = rec.at_entry(Operation("state.get", (), {"name": slot.name}, [slot.type]))
        op.result.name = slot.name.rpartition(".")[2]
        slot.found = rec.heap.elements.class_of(op.result)
        rec.heap.elements.tell(slot.found, outside[slot.name])
        if slot.found is not None and slot.known is not None:
            rec.heap.elements.recall(slot.found, slot.known, recalled)
        slot.flushed = (None, None)
        value = rec.wrap(op.result)
        rec.journal.note(location)
        if isinstance(location, Contents):
            rec.heap.adopt(location.owner, value)
        else:
            rec.note_attribute(location, value)
            location.set(value)
            slot.start = value
    _share(rec, facts, nested)


def _nested_in(slot: StateSlot, value: Any, path: tuple[Hashable, ...] = ()) -> Iterator[Nested]:
    """The lists, dicts and sets in the value of a state, each with the way of slots that leads to it."""
    if type(value) in FAMILY and (path or not isinstance(slot.location, Contents)):
        yield slot, path, value
    if isinstance(value, dict):
        parts: Iterable[tuple[Hashable, Any]] = ((VALUE, item) for item in value.values())
    elif isinstance(value, list):
        parts = ((ITEM, item) for item in value)
    elif isinstance(value, tuple):
        parts = enumerate(value)
    else:
        return
    for key, part in parts:
        yield from _nested_in(slot, part, (*path, key))


def _share(rec: Recorder, facts: Facts, nested: list[Nested]) -> None:
    """What is state by itself and lies in another state is one container."""
    own = {id(slot.location.owner): slot.found for slot in facts.state.values() if isinstance(slot.location, Contents)}
    for slot, path, part in nested:
        holder = slot.found
        for key in path[:-1]:
            holder = None if holder is None else holder.inner(key)
        if holder is not None and id(part) in own:
            if path:
                rec.heap.elements.share(holder, path[-1], own[id(part)])
            else:
                rec.heap.elements.unify(holder, own[id(part)])


def type_outside(rec: Recorder, value: Any) -> Any:
    """The type of a value that lives outside the recording, or of a tree of InputSpecs, leaving no trace in it."""
    if isinstance(value, InputSpec | ValueSpec):
        return value.type
    if pytree.is_object(value) and has_parts(value):
        fields = ((name, type_outside(rec, field)) for name, field in pytree.attributes_of(value).items())
        return ClassType(rec.class_text(type(value)), tuple(fields))
    if twin_of(type(value)) is not None:
        fields = ((name, type_outside(rec, field)) for name, field in fields_of(value).items())
        return ClassType(rec.class_text(type(value)), tuple(fields))
    if type(value) in (list, set):
        found: Any = ListType()
        for item in value:
            found = join_shared(found, ListType(type_outside(rec, item)))
        return found if isinstance(value, list) else SetType(found.elem)
    if type(value) is dict:
        found = DictType()
        for key, item in value.items():
            found = join_shared(found, DictType(type_outside(rec, key), type_outside(rec, item)))
        return found
    if isinstance(value, tuple):
        return TupleType(tuple(type_outside(rec, item) for item in value), *rec.named(value))
    return rec.type_of(value)


def learn_state(rec: Recorder, facts: Facts) -> bool:
    """Whether locations changed that weren't known to be state, or hold more than was known."""
    news = False
    with facts.roots.at_rest():
        for change in () if facts.one_call else rec.journal.pending():
            if change.location.key in facts.state or not facts.outlives(change.location):
                continue
            facts.asks_for_one_call = True
            news |= add_changed(rec, facts, change)
    for slot in facts.state.values():
        held = rec.heap.staged(slot.location.owner) if isinstance(slot.location, Contents) else slot.location.get()
        if held is not MISSING:
            risen = join_shared(slot.type, rec.type_of(held))
            news |= risen != slot.type
            slot.type = risen
        news |= facts.learn_objects(slot)
    return news


def add_changed(rec: Recorder, facts: Facts, change: Change) -> bool:
    """A location that the recording has changed is state; whether that is news."""
    types = [rec.type_of(v) for v in (change.before, change.after) if not isinstance(change.location, Contents)]
    return facts.add_state(change.location, join_shared(*types) if types else NEVER)
