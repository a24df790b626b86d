"""What the containers of a recording hold: lists, dicts, sets, objects, and tuples that hold one of them.

Values that may be one container share one element class (union-find), with a slot for what is under an index, a key, or a field
name. Its types rise in place as items are stored, and `rises` tells that, so that a loop knows when to be staged again.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Iterator
from functools import reduce

from ...errors import EndlessTypeError
from ...ir.core import Operation, Value
from ...ir.flows import RESULT, Endpoint, flows_of, is_open, slots
from ...ir.join import MAX_DEPTH, join_types
from ...ir.types import (
    NEVER,
    UNBOUND,
    CellType,
    ClassType,
    DictType,
    ListType,
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

_ENDLESS = (
    "a list, dict or object that holds itself, is nested without end, or is a dict of a list and of an item of that list, "
    "has no type; keep flat lists, or attributes of an object instead of the dict"
)
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
        self.slots: dict[Hashable, Slot] = {}
        self.parent: ElementClass | None = None

    def find(self) -> ElementClass:
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def inner(self, key: Hashable) -> ElementClass | None:
        slot = self.slots.get(key)
        return None if slot is None or slot.inner is None else slot.inner.find()


class Elements:
    """The element classes of one recording."""

    def __init__(self) -> None:
        self.rises: list[int] = []  # the serial numbers of the element classes that rose, one entry per rise
        self.serials = itertools.count()
        self._classes: dict[Value, ElementClass] = {}

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

    def settle(self) -> None:
        """Write the final element types into the Values."""
        for value, own in self._classes.items():
            value.type = _typed(value.type, own.find())

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
        b.parent = a
        if a.is_object and b.is_object:
            for one, other in ((a, b), (b, a)):
                for key in other.slots.keys() - one.slots.keys():
                    one.slots[key] = Slot(UNBOUND)
        a.is_object |= b.is_object
        for key, slot in list(b.slots.items()):
            self._rise(b, key, a.slots[key].type if key in a.slots else NEVER)
            self._rise(a, key, slot.type)
            self.share(a, key, slot.inner)

    def store(self, own: ElementClass, key: Hashable, type_: Type, source: ElementClass | None) -> None:
        """A value of a type, of element class `source`, is about to be put into a slot."""
        if own.is_object and key not in own.slots:
            own.slots[key] = Slot(UNBOUND)
        self._rise(own, key, type_)
        if source is not None and holds_container(type_):
            self.share(own, key, source)

    def _rise(self, own: ElementClass, key: Hashable, type_: Type) -> None:
        slot = own.slots.setdefault(key, Slot())
        risen = join_shared(slot.type, type_)
        if risen != slot.type:
            slot.type = risen
            self.rises.append(own.serial)

    def share(self, own: ElementClass, key: Hashable, source: ElementClass | None) -> None:
        """What is in a slot may be a container of element class `source`."""
        if source is None:
            return
        slot = own.find().slots.setdefault(key, Slot())
        if slot.inner is None:
            slot.inner = source
        else:
            self.unify(slot.inner, source)

    def tell(self, own: ElementClass | None, type_: Type) -> None:
        """What values of this type hold, fields and all, may be in these containers."""
        if own is not None and holds_object(type_):
            self.unify(own, self._class_for(type_))

    # --- from one recording to the next --------------------------------------------------------------------------------

    def recall(self, own: ElementClass, known: ElementClass, copies: dict[ElementClass, ElementClass]) -> None:
        """What an earlier recording has found in these containers may be in them. copies: the classes recalled so far."""
        self.unify(own, self._copied(known.find(), copies))

    def _copied(self, own: ElementClass, copies: dict[ElementClass, ElementClass]) -> ElementClass:
        if own not in copies:
            made = copies[own] = ElementClass(next(self.serials), own.is_object)
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
            inner = given if given is None or slot is None else given.inner(slot)
            if key is not None and (target.of != RESULT or is_open(op.result.type)):
                self.store(taken, key, self._type_at(op.operands[source.of], given, slot), inner)
            elif key is not None:
                self.share(taken, key, inner)
            elif given is not None and inner is None:
                self.share(given, slot, taken)
            else:
                self.unify(taken, inner)

    def _at(self, op: Operation, place: Endpoint) -> tuple[ElementClass | None, Hashable]:
        """The element class that an Endpoint is in, and its slot there; no slot: it is all that the class tells of."""
        own = self.class_of(op.result if place.of == RESULT else op.operands[place.of])
        for slot in place.slots[:-1]:
            own = None if own is None else own.inner(slot)
        return own, place.slots[-1] if place.slots else None

    def _type_at(self, value: Value, own: ElementClass | None, slot: Hashable) -> Type:
        if slot is None:
            return self.type_of(value)
        return own.slots[slot].type if own is not None and slot in own.slots else NEVER


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
        raise EndlessTypeError(_ENDLESS)

    def at(key: Hashable, otherwise: Type) -> Type:
        slot = own.slots.get(key)
        if slot is None:
            return otherwise
        found = otherwise if isinstance(type_, TupleType | SequenceType) else slot.type
        return found if slot.inner is None else _typed(found, slot.inner.find(), with_fields, levels + 1)

    if isinstance(type_, CellType | SumType):
        return type_.with_parts([_typed(part, own, with_fields, levels) for part in type_.parts()])
    if isinstance(type_, ClassType):
        fields = [key for key in own.slots if isinstance(key, str) and key.startswith(".")]
        told = with_fields or type_.name in NAMED
        return ClassType(type_.name, tuple((k[1:], at(k, NEVER)) for k in fields) if told else None)
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
