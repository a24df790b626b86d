"""What the containers of a recording hold: lists, dicts, sets, objects, and tuples that hold one of them.

Values that may be one container share one element class (union-find), with a slot for what is under an index, a key, or a field
name. Its types rise in place as items are stored, and `rises` tells that, so that a loop knows when to be staged again.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator
from functools import reduce
from types import NoneType

from ...errors import EndlessTypeError
from ...ir.core import Operation, Program, Value
from ...ir.flows import KEY, RESULT, VALUE, Endpoint, Entry, Under, flows_of, is_open, slots
from ...ir.join import MAX_DEPTH, join_types, record_type, without_records
from ...ir.types import (
    NEVER,
    UNBOUND,
    CellType,
    ClassType,
    DictType,
    ListType,
    RecordType,
    ScalarType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
    Type,
)
from ...ops.registry import OPERATORS
from ..pythons import NAMED
from ..where.profiling import unwatched

ENDLESS = (
    "a list, dict or object that holds itself, is nested without end, or is a dict of a list and of an item of that list that is "
    "asked for a computed key, has no type; keep flat lists, spell each key, or use attributes of an object instead of the dict"
)
NAMES = {str, int, bool, NoneType}  # of keys that a record has an entry for
MAX_ENTRIES = 32  # a dict of more keys has one type for all its values
FLAT = {TensorType, ScalarType}  # most Values have such a type, which holds nothing


class Slot:
    """What is in one place of a container: its type, and the element class of a container there."""

    __slots__ = ("type", "inner")

    def __init__(self, type_: Type = NEVER, inner: ElementClass | None = None):
        self.type, self.inner = type_, inner


class ElementClass:
    """The slots of the containers that may be one container."""

    def __init__(self, serial: int, is_object: bool = False):
        self.serial = serial  # older classes have smaller ones; a joined class has the smaller of the two
        self.is_object = is_object  # whether these are objects whose fields are all known
        self.is_general = False  # whether these are dicts some key of which isn't known: all values lie in one slot
        self.slots: dict[Hashable, Slot] = {}
        self.parent: ElementClass | None = None

    def find(self) -> ElementClass:
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def at(self, key: Hashable) -> Slot | None:
        """The slot of a key, if there is anything."""
        return self.slots.get(_general(self, key))

    def inner(self, key: Hashable) -> ElementClass | None:
        slot = self.at(key)
        return None if slot is None or slot.inner is None else slot.inner.find()


class Elements:
    """The element classes of one recording."""

    def __init__(self) -> None:
        self.rises: list[int] = []  # the serial numbers of the element classes that rose, one entry per rise
        self.serials = itertools.count()
        self._classes: dict[Value, ElementClass] = {}
        self._in_exceptions: dict[Hashable, ElementClass] = {}  # by class of exception, and place in it

    # --- of a Value ----------------------------------------------------------------------------------------------------

    def class_of(self, value: Value) -> ElementClass | None:
        """The element class of a container, or of the containers in a tuple, in a cell or among a sum's alternatives."""
        if type(value.type) in FLAT:
            return None
        found = self._classes.get(value)
        if found is None:
            if not holds_container(value.type):
                return None
            found = self._classes[value] = self._class_for(value.type)
        return found.find()

    def _class_for(self, type_: Type) -> ElementClass:
        if isinstance(type_, CellType):
            return self._class_for(type_.elem)
        made = ElementClass(next(self.serials), isinstance(type_, ClassType) and type_.fields is not None)
        made.is_general = isinstance(type_, DictType) and not isinstance(type_, RecordType)
        for key, elem in _parts(type_):
            inner = self._class_for(elem) if holds_container(elem) else None
            made.slots[key] = Slot(NEVER if isinstance(type_, TupleType | SequenceType) else elem, inner)
        if isinstance(type_, SumType):
            for alternative in filter(holds_container, type_.alternatives):
                other = self._class_for(alternative)
                made.is_object |= other.is_object
                self.unify(made, other)
        return made

    def type_of(self, value: Value) -> Type:
        """The type of a Value as far as staging has learnt it; objects are known by their class's name."""
        own = self.class_of(value)
        return value.type if own is None else _typed(value.type, own)

    def described(self, value: Value) -> Type:
        """The same with the fields of the objects in it."""
        own = self.class_of(value)
        return value.type if own is None else _typed(value.type, own, with_fields=True)

    def typed(self, type_: Type, own: ElementClass | None) -> Type:
        """A type with what an element class knows of the containers in it."""
        return type_ if own is None else _typed(type_, own)

    def settle(self, program: Program) -> None:
        """Write the final element types into the Values, as a Program has them."""
        for value, own in self._classes.items():
            value.type = _typed(value.type, own.find())
        for state in program.state.values():
            state.type = without_records(state.type)
        for value in _values(program):
            value.type = without_records(value.type)

    # --- rising --------------------------------------------------------------------------------------------------------

    def unify(self, a: ElementClass | None, b: ElementClass | None) -> None:
        """From now on two containers may be the same one."""
        if a is None or b is None:
            return
        a, b = a.find(), b.find()
        if a is b:
            return
        if b.serial < a.serial:
            a, b = b, a
        if a.is_general or b.is_general:
            self._open(a)
            self._open(b)
            a, b = a.find(), b.find()
            if a is b:
                return
        b.parent = a
        if a.is_object and b.is_object:
            for one, other in ((a, b), (b, a)):
                for key in filter(_is_field, other.slots.keys() - one.slots.keys()):
                    one.slots[key] = Slot(UNBOUND)
        a.is_object |= b.is_object
        for key, slot in list(b.slots.items()):
            a = a.find()
            known = a.at(key)
            self._rise(b, key, NEVER if known is None else known.type)
            self._rise(a, key, slot.type)
            self.share(a, key, slot.inner)

    def store(self, own: ElementClass, key: Hashable, type_: Type, source: ElementClass | None) -> None:
        """A value of a type, of element class `source`, is about to be put into a slot."""
        own = own.find()
        if own.is_object and key not in own.slots and _is_field(key):
            own.slots[key] = Slot(UNBOUND)
        self._rise(own, key, type_)
        if source is not None and holds_container(type_):
            self.share(own, key, source)

    def _rise(self, own: ElementClass, key: Hashable, type_: Type) -> None:
        slot = own.slots.setdefault(self._place(own, key), Slot())
        risen = join_shared(slot.type, type_)
        if risen != slot.type:
            slot.type = risen
            self.rises.append(own.serial)

    def share(self, own: ElementClass, key: Hashable, source: ElementClass | None) -> None:
        """What is in a slot may be a container of element class `source`."""
        if source is None:
            return
        own = own.find()
        slot = own.slots.setdefault(self._place(own, key), Slot())
        if slot.inner is None:
            slot.inner = source
        else:
            self.unify(slot.inner, source)

    def _place(self, own: ElementClass, key: Hashable) -> Hashable:
        """The slot where a key of a class is: where some key of a dict isn't known, or there are many, all values are in one."""
        if isinstance(key, Entry):
            if not own.is_general and key not in own.slots and len(own.slots) > MAX_ENTRIES:
                self._open(own)
            return VALUE if own.is_general else key
        if key == VALUE:
            self._open(own)
        return key

    def _open(self, own: ElementClass) -> None:
        """From now on all values of these dicts are in one slot."""
        if own.is_general:
            return
        own.is_general = True
        for key in [key for key in own.slots if isinstance(key, Entry)]:
            slot = own.slots.pop(key)
            self._rise(own, VALUE, slot.type)
            self.share(own, VALUE, slot.inner)
            self.rises.append(own.serial)

    def tell(self, own: ElementClass | None, type_: Type) -> None:
        """What values of this type hold, fields and all, may be in these containers."""
        if own is not None and holds_object(type_):
            self.unify(own, self._class_for(type_))

    # --- through exceptions --------------------------------------------------------------------------------------------

    def held_by_exception(self, place: Hashable, value: Value) -> None:
        """An exception holds a Value in a place. What all exceptions of its class hold there may be one container."""
        if (own := self.class_of(value)) is not None:
            self.unify(self._in_exceptions.setdefault(place, own), own)

    def given_by_exception(self, place: Hashable, value: Value, slot: Hashable | None) -> None:
        """What lies in that place of a caught exception is a Value, or what lies in a slot of one."""
        held, own = self._in_exceptions.get(place), self.class_of(value)
        if own is not None and slot is not None:
            self.share(own, slot, held)
        elif slot is None:
            self.unify(own, held)

    # --- from one recording to the next --------------------------------------------------------------------------------

    def recall(self, own: ElementClass, known: ElementClass, copies: dict[ElementClass, ElementClass]) -> None:
        """What an earlier recording has found in these containers may be in them. copies: the classes recalled so far."""
        self.unify(own, self._copied(known.find(), copies))

    def _copied(self, own: ElementClass, copies: dict[ElementClass, ElementClass]) -> ElementClass:
        if own not in copies:
            made = copies[own] = ElementClass(next(self.serials), own.is_object)
            made.is_general = own.is_general
            for key, slot in own.slots.items():
                made.slots[key] = Slot(slot.type, None if slot.inner is None else self._copied(slot.inner.find(), copies))
        return copies[own].find()

    # --- through Operations --------------------------------------------------------------------------------------------

    def link(self, op: Operation) -> None:
        """Tie the element classes of what an Operation hands on; the types of a container rise to what it takes in."""
        for source, target in flows_of(op, OPERATORS):
            taken, key = self._at(op, target)
            if taken is None:
                continue  # it holds nothing that could rise
            given, slot = self._at(op, source)
            stores = target.of != RESULT or is_open(op.result.type)
            for one, into in _by_entry(given, slot, key):
                inner = given if given is None or one is None else given.find().inner(one)
                if into is not None and stores:
                    self.store(taken, into, self._type_at(op.operands[source.of], given, one), inner)
                elif into is not None:
                    self.share(taken, into, inner)
                elif given is not None and inner is None:
                    self.share(given, one, taken)
                else:
                    self.unify(taken, inner)

    def places(self, op: Operation, own: ElementClass, slots: tuple[Hashable, ...]) -> list[tuple[ElementClass, Hashable]]:
        """Where in which element class an Endpoint in this one is: in several slots, where all values of a dict are meant."""
        inner, key = self._within(op, own, slots)
        return [] if inner is None else [(inner, one) for one, _ in _by_entry(inner, _general(inner, key), key)]

    def _at(self, op: Operation, place: Endpoint) -> tuple[ElementClass | None, Hashable]:
        """The element class that an Endpoint is in, and its slot there; no slot: it is all that the class tells of."""
        return self._within(op, self.class_of(op.result if place.of == RESULT else op.operands[place.of]), place.slots)

    def _within(
        self, op: Operation, own: ElementClass | None, slots: tuple[Hashable, ...]
    ) -> tuple[ElementClass | None, Hashable]:
        """The element class that slots in one lead to, and the last of them."""
        for slot in slots[:-1]:
            own = None if own is None else own.inner(slot)
        slot = slots[-1] if slots else None
        return own, _entry(op.operands[slot.key]) or VALUE if isinstance(slot, Under) else slot

    def _type_at(self, value: Value, own: ElementClass | None, slot: Hashable) -> Type:
        if slot is None:
            return self.type_of(value)
        found = None if own is None else own.find().at(slot)
        return NEVER if found is None else found.type


def _by_entry(given: ElementClass | None, slot: Hashable, into: Hashable) -> list[tuple[Hashable, Hashable]]:
    """From which slots to which: where all values of a dict of known keys are meant, key by key, and so into another dict."""
    if given is None or given.is_general or slot != VALUE:
        return [(slot, into)]
    return [(key, key if into == VALUE else into) for key in given.slots if isinstance(key, Entry)]


def _general(own: ElementClass, key: Hashable) -> Hashable:
    """The slot of a key in this class: that of all values where not all keys of a dict are known."""
    return VALUE if own.is_general and isinstance(key, Entry) else key


def _entry(key: Value) -> Entry | None:
    """The slot of a key that staging knows."""
    owner = key.owner
    if not isinstance(owner, Operation) or owner.name != "const":
        return None
    return Entry(owner.attrs["value"]) if type(owner.attrs["value"]) in NAMES else None


def type_of_dict(keys: Iterable[object], key_types: Iterable[Type], types: Iterable[Type]) -> DictType:
    """The type of a dict of these keys: a record where these are numbers and texts, and few."""
    names, held = list(keys), list(types)
    key = joined_all(key_types)
    if len(names) <= MAX_ENTRIES and NAMES.issuperset(map(type, names)):
        return record_type(key, dict(zip(names, held)))
    return DictType(key, joined_all(held))


def under_key(dict_: Type, key: Value) -> Type:
    """The type of a dict as far as what lies under a key goes."""
    known = _entry(key)
    return DictType(dict_.key, dict_.at(known.name)) if isinstance(dict_, RecordType) and known is not None else dict_


def _is_field(key: Hashable) -> bool:
    """Whether a slot is a field of an object."""
    return isinstance(key, str) and key.startswith(".")


def _values(program: Program) -> Iterator[Value]:
    """All Values of a Program."""
    for function in program.functions.values():
        yield from function.block.args
    for op in program.walk():
        yield from op.results
        for block in op.blocks:
            yield from block.args


def knows_more(own: ElementClass, before: ElementClass, seen: set[tuple[int, int]]) -> bool:
    """Whether an element class holds anything that an earlier recording's didn't. seen: the pairs that were compared so far."""
    own, before = own.find(), before.find()
    if (id(own), id(before)) in seen:
        return False
    seen.add((id(own), id(before)))
    for key, slot in own.slots.items():
        known = before.slots.get(key)
        if known is None or known.type != slot.type:
            return True
        inner = own.inner(key)
        if inner is not None and (known.inner is None or knows_more(inner, known.inner, seen)):
            return True
    return False


def _parts(type_: Type) -> Iterator[tuple[Hashable, Type]]:
    """The slots of a container; of a tuple, which is never written, those that hold one."""
    is_tuple = isinstance(type_, TupleType | SequenceType)
    return ((slot, part) for slot, part in slots(type_) if not is_tuple or holds_container(part))


def holds_container(type_: Type) -> bool:
    """Whether a value of this type is a container whose elements may rise, or a tuple or sum with one in it."""
    if isinstance(type_, TupleType | SequenceType | SumType | CellType):
        return any(map(holds_container, type_.parts()))
    return isinstance(type_, ListType | DictType | SetType | ClassType)


def holds_object(type_: Type) -> bool:
    """Whether a value of this type reaches an object of a user's class."""
    return type_.holds(ClassType)


def _typed(type_: Type, own: ElementClass, with_fields: bool = False, levels: int = 0) -> Type:
    """A type with what its element class knows written in."""
    if levels > MAX_DEPTH:
        raise EndlessTypeError(ENDLESS)

    def at(key: Hashable, otherwise: Type) -> Type:
        slot = own.slots.get(key)
        if slot is None:
            return otherwise
        found = otherwise if isinstance(type_, TupleType | SequenceType) else slot.type
        return found if slot.inner is None else _typed(found, slot.inner.find(), with_fields, levels + 1)

    if isinstance(type_, CellType | SumType):
        return type_.with_parts([_typed(part, own, with_fields, levels) for part in type_.parts()])
    if isinstance(type_, ClassType):
        fields = [key for key in own.slots if isinstance(key, str) and _is_field(key)]
        told = with_fields or type_.name in NAMED
        return ClassType(type_.name, tuple((k[1:], at(k, NEVER)) for k in fields) if told else None)
    if isinstance(type_, RecordType) and not own.is_general:
        held_by_key = {key.name: at(key, NEVER) for key in own.slots if isinstance(key, Entry)}
        return record_type(at(KEY, type_.key), {name: part for name, part in held_by_key.items() if part != NEVER})
    if isinstance(type_, RecordType):
        type_ = type_.as_dict()
    held = [at(slot, part) for slot, part in slots(type_)]
    return type_.with_parts(held) if held else type_


@unwatched
def join_shared(a: Type, b: Type) -> Type:
    """The join of two types inside a container, where nothing can be converted on one path."""
    joined = join_types(ListType(a), ListType(b))
    assert isinstance(joined, ListType)
    return joined.elem


def joined_all(types: Iterable[Type]) -> Type:
    """The type of what a container of values of these types holds."""
    nothing: Type = NEVER
    return reduce(join_shared, types, nothing)
