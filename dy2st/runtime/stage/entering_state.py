"""State on the way into a recording and out of it: what the Program holds is put where the code will look for it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from ... import pytree
from ...errors import ConversionError, EndlessTypeError
from ...ir.core import Operation
from ...ir.flows import ITEM, Entry, field_slot
from ...ir.native import TYPES, columns
from ...ir.types import NEVER, ClassType, TupleType
from ..heap.elements import ENDLESS, ElementClass, join_shared, joined_all, type_of_dict
from ..heap.heap import FAMILY
from ..heap.identity import is_kept
from ..heap.journal import Change, Contents, ContextVariable
from ..heap.markers import MISSING
from ..library import taken_apart, twin_of
from ..outside.facts import Facts, StateSlot
from ..pythons import fields_of
from ..recorder.recorder import Recorder
from ..tensors.spec import InputSpec, ValueSpec, has_parts
from .kept_arrays import holds_arrays

Way = tuple[Hashable, ...]
Nested = tuple[StateSlot, Way, Any]  # a state, a way of slots in it, and the container there


def enter_state(rec: Recorder, facts: Facts) -> None:
    """Put what the Program holds at run time where the code will look for it."""
    _drop_parts(facts)
    outside: dict[str, Any] = {}
    nested: list[Nested] = []
    for slot in facts.state.values():
        current = _held(slot)
        slot.holds_arrays = holds_arrays(current)
        try:
            outside[slot.name] = type_outside(rec, current)
        except RecursionError:
            raise EndlessTypeError(f"{slot.name}: {ENDLESS}") from None
        slot.type = join_shared(slot.type, outside[slot.name])
        facts.roots.starts.setdefault(slot.name, current)  # what it holds now can still be reached by that name
        rec.declare_state(slot, current)
        nested += _nested_in(facts, slot, current)
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
        slot.flushed, slot.was_absent = (None, None), slot.location.get() is MISSING
        value = rec.wrap(op.result)
        rec.journal.note(location)
        if isinstance(location, Contents):
            rec.heap.adopt(location.owner, value)
        else:
            rec.note_attribute(location, value)
            location.set(value)
            slot.start = value
    _share(rec, facts, nested)


def _drop_parts(facts: Facts) -> None:
    """The attributes of a container of a subclass that lies in a container that is state: the Program finds them there."""
    facts.parts_of_state = {id(part): part for slot in facts.state.values() for part in _containers_in(_held(slot))}
    for key, slot in [*facts.state.items()]:
        if facts.is_part_of_state(slot.location):
            del facts.state[key]


def _containers_in(value: Any) -> list[Any]:
    """The containers that lie in a container, and that a Program changes."""
    held = pytree.nodes(value, lambda part: pytree.items_of(part) if pytree.is_container(part) else ())
    return [part for part in held if part is not value and pytree.is_container(part) and not pytree.is_frozen(type(part))]


def _held(slot: StateSlot) -> Any:
    return slot.location.owner if isinstance(slot.location, Contents) else slot.location.get()


def ways_in(value: object) -> Iterator[tuple[Way, object]]:
    """The parts of a live value, each with the slots that lead to it in the value's element class."""
    if (found := taken_apart(value)) is not None:
        yield from (((field_slot(name),), part) for name, part in found[1].items())
    outer: Way = () if twin_of(type(value)) is None else (field_slot("_items"),)
    for number, (key, part) in enumerate(pytree.parts_of(value)):
        if isinstance(value, tuple) and not (outer and isinstance(key, pytree.FieldKey)):
            yield (*outer, number), part
        elif isinstance(key, pytree.FieldKey):
            yield (field_slot(key.name),), part
        else:
            yield (*outer, Entry(key.key) if isinstance(value, dict) else ITEM), part


def inner_class(own: ElementClass | None, way: Way) -> ElementClass | None:
    """The element class of what lies at the end of a way, from that of where it begins."""
    for slot in way:
        own = None if own is None else own.inner(slot)
    return own


def _nested_in(facts: Facts, slot: StateSlot, value: Any) -> Iterator[Nested]:
    """The lists, dicts and sets in the value of a state, each with the way of slots that leads to it."""

    def inside(path: Way, part: Any) -> list[tuple[Way, Any]]:
        return [((*path, *way), inner) for way, inner in ways_in(part)] if holds_parts(part) else []

    def holds_parts(part: Any) -> bool:
        return pytree.is_container(part) or is_kept(part, facts.texts)

    for path, part in pytree.placed((), value, inside):
        if type(part) in FAMILY and (path or not isinstance(slot.location, Contents)):
            yield slot, path, part


def _share(rec: Recorder, facts: Facts, nested: list[Nested]) -> None:
    """What is state by itself and lies in another state is one container."""
    own = {id(slot.location.owner): slot.found for slot in facts.state.values() if isinstance(slot.location, Contents)}
    for slot, path, part in nested:
        holder = inner_class(slot.found, path[:-1])
        if holder is not None and id(part) in own:
            if path:
                rec.heap.elements.share(holder, path[-1], own[id(part)])
            else:
                rec.heap.elements.unify(holder, own[id(part)])


def type_outside(rec: Recorder, value: Any) -> Any:
    """The type of a value that lives outside the recording, or of a tree of InputSpecs, leaving no trace in it."""
    if isinstance(value, InputSpec | ValueSpec):
        return value.type
    if (is_object := pytree.is_object(value) and has_parts(value)) or twin_of(type(value)) is not None:
        held = pytree.attributes_of(value) if is_object else fields_of(value)
        return ClassType(rec.class_text(type(value)), tuple((name, type_outside(rec, field)) for name, field in held.items()))
    if is_kept(value, rec.facts.texts) and (found := taken_apart(value)) is not None:
        rec.heap.callables_in_state[id(value)] = value
        fields = tuple((name, type_outside(rec, field)) for name, field in found[1].items())
        return ClassType(rec.class_text(found[0]), fields)
    if type(value) is dict:
        keys, values = ([type_outside(rec, part) for part in column] for column in columns(value))
        return type_of_dict(value, keys, values)
    if type(value) in TYPES:
        return TYPES[type(value)](*[joined_all(type_outside(rec, part) for part in column) for column in columns(value)])
    if isinstance(value, tuple):
        return TupleType(tuple(type_outside(rec, item) for item in value), *rec.named(value))
    return rec.type_of(value)


def learn_state(rec: Recorder, facts: Facts) -> bool:
    """Whether locations changed that weren't known to be state, or hold more than was known."""
    news = facts.learn_awaited()
    with facts.roots.at_rest():
        for change in rec.journal.pending():
            if change.location.key in facts.state or not facts.outlives(rec, change.location):
                continue
            if facts.swaps and isinstance(change.location, Contents):
                raise ConversionError(f"{rec.here()}: {change.location} isn't restored before the function ends")
            if isinstance(change.location, ContextVariable):
                raise ConversionError(f"{rec.here()}: the context variable {change.location} {KEEPS}")
            news |= add_changed(rec, facts, change)
    for slot in facts.state.values():
        held = rec.heap.staged(slot.location.owner) if isinstance(slot.location, Contents) else slot.location.get()
        if held is not MISSING:
            risen = join_shared(slot.type, rec.type_of(held))
            news |= risen != slot.type
            slot.type = risen
        news |= facts.learn_objects(slot)
    return news


KEEPS = "keeps another value after the call, which no Program can give it; put it back by reset(token), or set it outside"


def add_changed(rec: Recorder, facts: Facts, change: Change) -> bool:
    """A location that the recording has changed is state; whether that is news."""
    types = [rec.type_of(v) for v in (change.before, change.after) if not isinstance(change.location, Contents)]
    return facts.add_state(change.location, join_shared(*types) if types else NEVER)
