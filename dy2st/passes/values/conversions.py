"""Between things and plain Values: what lies on the heap as one Value, and a Value as things."""

from __future__ import annotations

from dataclasses import replace

from ...ir.core import Value
from ...ir.spoken import spoken_type
from ...ir.types import (
    INT,
    CellType,
    ClassType,
    DictType,
    ListType,
    RecordType,
    SequenceType,
    SetType,
    SumType,
    TupleType,
    Type,
)
from .places import Places
from .pure_types import alternative_of, has_references, is_boxed, levels, object_names
from .refusals import refuse
from .state import Content, Fields, Held, Listed, Run
from .things import Alternative, Bundle, Choice, Element, KnownSum, OpenSum, Part, Place, Thing, Undefined
from .told import described, described_content, told, told_content, told_sum


class Conversions(Places):
    """What takes values apart and puts them together."""

    # --- a thing as a Value --------------------------------------------------------------------------------------------

    def pure(self, thing: Thing) -> Value:
        """One Value of all that a thing is, copies in place of references."""
        if isinstance(thing, Value):
            return thing
        if self.types.holds_dicts(thing.type):
            return told(self, thing, described(self, thing, thing.type))
        if isinstance(thing, Bundle):
            return self.tuple_of(thing.type, [self.pure(part) for part in thing.things])
        if isinstance(thing, KnownSum):
            return told_sum(self, thing, thing.type)
        if isinstance(thing, Undefined):
            return self.undef(self.types.of(thing.type))
        if isinstance(thing, OpenSum):
            return thing.value if thing.place is None else self.now_at(thing.place, thing.value)
        if isinstance(thing, Element):
            return self.now_at(thing.place, thing.value)
        if isinstance(thing, Choice):
            (found,) = self.chosen(thing, lambda part: [self.pure(part)])
            return self.pure(found)
        return self.pure_content(self.state.contents[thing], thing.type)

    def pure_content(self, content: Content, type_: Type) -> Value:
        """What an object of such a type holds, as one Value."""
        if isinstance(content, Run):
            return content.value
        if self.types.holds_dicts(type_):
            return told_content(self, content, described_content(self, content, type_))
        if isinstance(content, Listed):
            assert isinstance(type_, ListType)
            items = [self.pure(self.fitted(thing, type_.elem)) for thing in content.things]
            return self.make("sequence.new", items, self.types.of(type_))
        if isinstance(content, Fields):
            assert isinstance(type_, ClassType)
            values = [self.pure(thing) for thing in self.all_fields(content, type_).things.values()]
            return self.tuple_of(TupleType(tuple(v.type for v in values), *object_names(type_.name, len(values))), values)
        assert isinstance(content, Held)
        value = self.pure(self.fitted(content.thing, type_.elem) if isinstance(type_, CellType) else content.thing)
        pure = self.types.of(type_)
        assert isinstance(pure, TupleType)
        return self.tuple_of(pure, [value])

    def refuse_unsure(self, content: Fields) -> None:
        """A tuple has all its items."""
        for key in content.present:
            raise refuse(self.at, f"whether {key!r} is in a dict follows the path; give it a value on each")

    def all_fields(self, content: Fields, type_: ClassType) -> Fields:
        """What an object holds in each field that its class has, of the declared types."""
        held, fields = content.things, self.types.fields_of(type_)
        return Fields({name: self.fitted(held[name] if name in held else self.unbound(), t) for name, t in fields.items()})

    def _unboxed(self, value: Value, place: Place | None) -> tuple[Value, Place | None]:
        """The alternative of a sum as a Value of its own, and where that lies."""
        if not is_boxed(value.type):
            return value, place
        items = value.type.elems[0]  # type: ignore[attr-defined]
        return self.make("tuple.get", [value], items, {"index": 0}), None if place is None else place.then(Part(0))

    # --- a Value as things ---------------------------------------------------------------------------------------------

    def spread(self, value: Value, type_: Type, place: Place | None = None) -> Thing:
        """The things that a Value of the original type `type_` consists of.

        place: where it lies in a sequence that somebody knows; None: nobody else knows it.
        """
        if not has_references(type_) or isinstance(type_, SequenceType):
            return value
        if isinstance(type_, TupleType):
            return Bundle(type_, tuple(self.item(value, k, part, place) for k, part in enumerate(type_.elems)))
        if isinstance(type_, SumType):
            found = OpenSum(type_, value, place)
            return self.apart(found) if place is None else found  # whoever reads it again finds the same objects
        if place is not None:
            return Element(type_, value, place)
        return self.new(type_, self.content_of(value, type_))

    def blank(self, type_: Type) -> Thing:
        """What nobody reads, of a type of the original Program."""
        if not type_.holds(DictType):
            return self.spread(self.undef(self.types.of(type_)), type_)
        if isinstance(type_, TupleType):
            return Bundle(type_, tuple(map(self.blank, type_.elems)))
        return Undefined(type_)

    def item(self, value: Value, index: int, type_: Type, place: Place | None) -> Thing:
        """An item of a tuple."""
        got = self.make("tuple.get", [value], self.types.of(type_), {"index": index})
        return self.spread(got, type_, None if place is None else place.then(Part(index)))

    def content_of(self, value: Value, type_: Type, place: Place | None = None) -> Content:
        """What the object holds that a Value stands for."""
        if isinstance(type_, ListType):
            return Run(value, tuple(object() for _ in range(levels(type_))))
        if isinstance(type_, ClassType):
            fields = self.types.fields_of(type_)
            return Fields({name: self.item(value, k, t, place) for k, (name, t) in enumerate(fields.items())})
        if isinstance(type_, RecordType):
            items = enumerate(zip(type_.names, type_.types))
            return Fields({name: self.item(value, k, t, place) for k, (name, t) in items})
        if isinstance(type_, CellType):
            return Held(self.item(value, 0, type_.elem, place))
        if isinstance(type_, SetType):
            return Held(self.item(value, 0, SequenceType(type_.elem), place))
        raise refuse(self.at, f"nothing tells what {spoken_type(type_)} holds")

    def bundle(self, thing: Thing) -> Bundle:
        """A tuple, item by item."""
        if isinstance(thing, Bundle):
            return thing
        assert isinstance(thing, Value) and isinstance(thing.type, TupleType), thing
        items = [self.make("tuple.get", [thing], part, {"index": k}) for k, part in enumerate(thing.type.elems)]
        return Bundle(thing.type, tuple(items))

    def apart(self, thing: Thing) -> KnownSum:
        """A sum, alternative by alternative."""
        if isinstance(thing, KnownSum):
            return thing
        value = self.pure(thing)
        type_ = thing.type
        assert isinstance(type_, SumType)
        parts: dict[int, Thing] = {}
        tag = self.make("sum.tag", [value], INT)
        for k, (alternative, pure) in enumerate(zip(type_.alternatives, value.type.alternatives)):  # type: ignore[attr-defined]
            is_this = self.compared("py.eq", tag, k)
            (got,) = self.branch(
                is_this,
                lambda k=k, pure=pure: [self.make("sum.get", [value], pure, {"index": k})],  # type: ignore[misc]
                lambda pure=pure: [self.undef(pure)],  # type: ignore[misc]
            )
            found, place = self._unboxed(self.pure(got), _place_of_alternative(thing, k, type_))
            parts[k] = self.spread(found, alternative, place)
        return KnownSum(type_, tag, parts)

    # --- types ---------------------------------------------------------------------------------------------------------

    def fitted(self, thing: Thing, type_: Type) -> Thing:
        """The thing as one of a wider type of the original Program: into a sum, or a sequence, by an operation that says so."""
        if isinstance(type_, SumType):
            return self._fitted_sum(thing, type_)
        if isinstance(thing.type, SumType):
            return self.fitted(self.alternative(thing, alternative_of(type_, thing.type)), type_)
        if isinstance(type_, SequenceType) and isinstance(thing, Bundle | Value) and isinstance(thing.type, TupleType):
            items = [self.pure(self.fitted(part, type_.elem)) for part in self.bundle(thing).things]
            self.give_away(thing)
            return self.make("sequence.new", items, self.types.of(type_))
        if isinstance(type_, TupleType) and isinstance(thing.type, TupleType) and thing.type.elems != type_.elems:
            parts = self.bundle(thing).things
            fitted = tuple(self.fitted(part, t) for part, t in zip(parts, type_.elems))
            changed = any(new is not old for new, old in zip(fitted, parts))
            return Bundle(type_, fitted) if changed else thing
        return thing

    def _fitted_sum(self, thing: Thing, type_: SumType) -> Thing:
        if thing.type == type_ or isinstance(thing, Undefined):
            return thing
        if not isinstance(thing.type, SumType):
            index = self._index(thing, type_)
            return KnownSum(type_, self.const(index), {index: self.fitted(thing, type_.alternatives[index])})
        known = self.apart(thing)
        found = {k: alternative_of(known.type.alternatives[k], type_) for k in known.parts}
        new = {k: index for k, index in found.items() if index is not None}  # it is none of the others, as the Program knows
        (tag,) = self.by_tag(replace(known, parts={k: known.parts[k] for k in new}), lambda k: [self.const(new[k])])
        return KnownSum(type_, self.pure(tag), {n: self.fitted(known.parts[k], type_.alternatives[n]) for k, n in new.items()})

    def alternative(self, thing: Thing, index: int | None) -> Thing:
        """An alternative of a sum: the one that it is, as the Program knows."""
        type_ = thing.type
        assert isinstance(type_, SumType) and index is not None
        alternative = type_.alternatives[index]
        if isinstance(thing, KnownSum):
            return thing.parts[index] if index in thing.parts else self.blank(alternative)
        value = self.pure(thing)
        got = self.make("sum.get", [value], value.type.alternatives[index], {"index": index})  # type: ignore[attr-defined]
        found, place = self._unboxed(got, _place_of_alternative(thing, index, type_))
        return self.spread(found, alternative, place)

    def _index(self, thing: Thing, type_: SumType) -> int:
        """Which alternative of a sum a thing is."""
        as_it_is = has_references(thing.type)
        parts = [t if as_it_is or self.types.holds_dicts(t) else self.types.of(t) for t in type_.alternatives]
        found = alternative_of(thing.type, SumType(tuple(parts)))
        if found is None:
            raise refuse(self.at, f"{spoken_type(thing.type)} isn't known to be {spoken_type(type_)}")
        return found


def _place_of_alternative(thing: Thing, number: int, type_: SumType) -> Place | None:
    """Where an alternative of a sum lies; None where nobody else knows it."""
    return thing.place.then(Alternative(number, type_)) if isinstance(thing, OpenSum) and thing.place is not None else None
