"""Where two paths meet: what they leave on the heap, and what they hand on, becomes results of an `if`.

    if %p:                                  %xs_next = if %p : sequence<float32[3]>
      then:                                   then:
        list.append %xs, %a          ->         %0 = sequence.append %xs_now, %a
        yield                                   yield %0
      else:                                   else:
        yield                                   yield %xs_now

1. A Value that is the same on both paths stays. Of others, one more result.
2. Tuples, and sums with references in them, are joined part by part.
3. A Location that is known on both paths is joined with itself. Two that nobody else knows are one from here on, and what they
   hold is joined. Any other two are a Choice by the condition.
4. Lists of one known length are joined item by item, other lists as sequences.
5. A path that has raised leaves what outlives the call: state and arguments. Of all else it gives `undef`, which nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Value
from ...ir.types import BOOL, INT, NEVER, ClassType, SumType, TupleType, Type
from .pure_types import has_references, joined
from .refusals import refuse
from .things import (
    REFERENCES,
    Bundle,
    Choice,
    Content,
    Element,
    Fields,
    Held,
    KnownSum,
    Listed,
    Location,
    OpenSum,
    Place,
    Run,
    State,
    Thing,
    Undefined,
    holds_same,
    is_same,
    merged_order,
    things_in,
)

if TYPE_CHECKING:
    from .conversions import Conversions


class Arm:
    """One path: the Block that it fills, what it hands on (None where it has raised), and what it leaves on the heap."""

    def __init__(self, block: Block, things: list[Thing] | None, state: State):
        self.block, self.things, self.state = block, things, state
        self.known: set[Location] = set()
        self.alive: set[Location] = set()

    @classmethod
    def of(cls, walk: Conversions, act: Callable[[], list[Thing] | None]) -> Arm:
        """The path that `act` walks, from the present state."""
        block = Block()
        with walk.inside(block):
            things = act()
        return cls(block, things, walk.state)

    def look(self, walk: Conversions, after: int) -> None:
        """Find out which Locations somebody knows behind it (case 5: where it has raised, from outside)."""
        if self.things is None:
            self.known = self.alive = walk.reached(walk.roots, self.state)
        else:
            self.known = walk.known(after, state=self.state)
            self.alive = self.known | walk.reached(self.things, self.state)


class Join:
    def __init__(self, walk: Conversions, condition: Value, arms: list[Arm], after: int | None):
        self.walk, self.condition, self.arms = walk, condition, arms
        assert walk.at is not None
        self.op = walk.at
        self.after = walk.live.start[self.op] if after is None else after
        self.start = walk.state
        self.columns: dict[tuple[Value | None, Value | None], Value] = {}
        self.stands_for: list[dict[Location, Location]] = [{}, {}]
        self.waiting: list[tuple[Location, Location | None, Location | None]] = []

    def run(self) -> list[Thing] | None:
        """Append the `if`; what both paths hand on, None where neither does."""
        for arm in self.arms:
            arm.look(self.walk, self.after)
        self._keep_known()
        first, second = (arm.things for arm in self.arms)
        things = self._handed_on(first, second)
        state = State(frozen=dict(self.start.frozen), error=self._error())
        for location, content in self.start.contents.items():
            if all(arm.state.contents.get(location) is content for arm in self.arms):
                state.contents[location] = content
        while self.waiting:
            location, a, b = self.waiting.pop()
            content = self._content(location, a, b)
            before = self.start.contents.get(location)
            if content is not None:
                state.contents[location] = before if before is not None and holds_same(content, before) else content
        for k, arm in enumerate(self.arms):
            for location, op in arm.state.frozen.items():
                state.frozen.setdefault(self.stands_for[k].get(location, location), op)
        self._build()
        self.walk.state = state
        return things

    def _handed_on(self, first: list[Thing] | None, second: list[Thing] | None) -> list[Thing] | None:
        if first is not None and second is not None:
            return [self.thing(a, b) for a, b in zip(first, second, strict=True)]
        if first is None and second is None:
            return None
        return [self.thing(x, None) for x in first] if first is not None else [self.thing(None, x) for x in second or ()]

    def _keep_known(self) -> None:
        """Case 3: what somebody uses later keeps its identity."""
        for location in dict.fromkeys([*self.start.contents, *self.walk.roots]):
            if any(location in arm.known for arm in self.arms):
                self._stand(location, *[location if location in arm.alive else None for arm in self.arms])

    def _stand(self, location: Location, a: Location | None, b: Location | None) -> None:
        for k, found in enumerate((a, b)):
            if found is not None:
                self.stands_for[k][found] = location
        self.waiting.append((location, a, b))

    def _error(self) -> Value | None:
        errors = [arm.state.error for arm in self.arms]
        if errors == [None, None]:
            return None
        for k, arm in enumerate(self.arms):
            if errors[k] is None:
                with self.walk.inside(arm.block):
                    errors[k] = self.walk.const(0)
        return self._column(errors[0], errors[1], INT)

    # --- things --------------------------------------------------------------------------------------------------------

    def thing(self, a: Thing | None, b: Thing | None, type_: Type | None = None) -> Thing:
        """What is `a` on the first path and `b` on the second; None where the path doesn't tell."""
        found = [x for x in (a, b) if x is not None]
        if all(isinstance(x, Undefined) for x in found):
            return found[0]
        a, b = (None if isinstance(x, Undefined) else x for x in (a, b))
        if a is None or b is None:
            return self._from_one(a, b)
        if a is b and not isinstance(a, Bundle | KnownSum):
            self._touch(a)
            return a
        type_ = joined(a.type, b.type) if type_ is None else type_
        if isinstance(a, REFERENCES) and isinstance(b, REFERENCES):
            return self._reference(a, b)
        if isinstance(type_, SumType):
            return self._sum(a, b, type_)
        if isinstance(type_, TupleType):
            parts = zip(*(self._in(k, lambda x=x: self.walk.bundle(x)).things for k, x in enumerate((a, b))), type_.elems)
            return Bundle(type_, tuple(self.thing(x, y, t) for x, y, t in parts))
        values = [self._pure(k, x, type_) for k, x in enumerate((a, b))]
        return self._column(values[0], values[1], self._type(type_, values))

    @staticmethod
    def _type(type_: Type, values: list[Value]) -> Type:
        return joined(values[0].type, values[1].type) if has_references(type_) or type_ == NEVER else type_

    def _from_one(self, a: Thing | None, b: Thing | None) -> Thing:
        k, thing = (0, a) if b is None else (1, b)
        assert thing is not None

        def pair(x: Any) -> tuple[Any, Any]:
            return (x, None) if k == 0 else (None, x)

        if isinstance(thing, Value):
            return self._column(*pair(thing), thing.type)
        if isinstance(thing, Location):
            return self._location(*pair(thing))
        if isinstance(thing, Bundle):
            return Bundle(thing.type, tuple(self.thing(*pair(x)) for x in thing.things))
        if isinstance(thing, KnownSum):
            return KnownSum(thing.type, self._value(k, thing.tag), {n: self.thing(*pair(x)) for n, x in thing.parts.items()})
        made = self._lifted(k, thing, pair)
        return thing if is_same(made, thing) else made

    def _lifted(self, k: int, thing: Thing, pair: Callable[[Any], tuple[Any, Any]]) -> Thing:
        if isinstance(thing, Choice):
            return Choice(self._value(k, thing.condition), self.thing(*pair(thing.then)), self.thing(*pair(thing.orelse)))
        if isinstance(thing, Element):
            return Element(thing.type, self._value(k, thing.value), self._place(k, thing.place))
        assert isinstance(thing, OpenSum)
        place = None if thing.place is None else self._place(k, thing.place)
        return OpenSum(thing.type, self._value(k, thing.value), place)

    def _value(self, k: int, value: Value) -> Value:
        """A Value of one path, as it is known afterwards."""
        return self._column(value, None, value.type) if k == 0 else self._column(None, value, value.type)

    def _place(self, k: int, place: Place) -> Place:
        root = self._location(place.root, None) if k == 0 else self._location(None, place.root)
        steps = [step._replace(**{n: self._value(k, v) for n, v in step._asdict().items() if isinstance(v, Value)}) for step in place.steps]
        return Place(root, tuple(steps), place.run)

    def _reference(self, a: Thing, b: Thing) -> Thing:
        if isinstance(a, Location) and isinstance(b, Location):
            known = [self.stands_for[0].get(a), self.stands_for[1].get(b)]
            if known[0] is None and known[1] is None:
                made = a if a is b else Location(joined(a.type, b.type), self.walk.fresh_key(), a.name or b.name)
                self._stand(made, a, b)
                return made
            if known[0] is known[1] and known[0] is not None:
                return known[0]
        return Choice(self.condition, self._from_one(a, None), self._from_one(None, b))

    def _location(self, a: Location | None, b: Location | None) -> Location:
        """A Location of one path, as it is known afterwards."""
        k, location = (0, a) if b is None else (1, b)
        assert location is not None
        if location not in self.stands_for[k]:
            self._keep(k, location)
        return self.stands_for[k][location]

    def _keep(self, k: int, location: Location) -> None:
        """A Location of one path goes on: on the other one it is itself, too, unless something else stands for it there."""
        is_free = location not in self.stands_for[1 - k]
        if is_free and location in self.start.contents and location in self.arms[1 - k].alive:
            self._stand(location, location, location)
            return
        kept = location if is_free else Location(location.type, self.walk.fresh_key(), location.name)
        self._stand(kept, *((location, None) if k == 0 else (None, location)))

    def _touch(self, thing: Thing) -> None:
        """A thing from before the `if`: what it leads to keeps its identity."""
        for location in self.walk.reached([thing], self.start):
            if location not in self.stands_for[0] and location not in self.stands_for[1]:
                self._stand(location, location, location)

    def _sum(self, a: Thing, b: Thing, type_: SumType) -> Thing:
        if not has_references(type_):
            values = [self._pure(k, x, type_) for k, x in enumerate((a, b))]
            return self._column(values[0], values[1], type_)
        known = [self._in(k, lambda x=x: self.walk.apart(self.walk.fitted(x, type_))) for k, x in enumerate((a, b))]
        tag = self._column(known[0].tag, known[1].tag, INT)
        parts = {n: self.thing(known[0].parts.get(n), known[1].parts.get(n)) for n in {**known[0].parts, **known[1].parts}}
        return KnownSum(type_, tag, dict(sorted(parts.items())))

    # --- contents ------------------------------------------------------------------------------------------------------

    def _content(self, location: Location, a: Location | None, b: Location | None) -> Content | None:
        first = None if a is None else self.arms[0].state.contents.get(a)
        second = None if b is None else self.arms[1].state.contents.get(b)
        if first is None or second is None:
            present = second if first is None else first
            return None if present is None else self._content_of_one(0 if second is None else 1, present)
        if first is second and self.start.contents.get(location) is first:
            for thing in things_in(first):
                self._touch(thing)
            return first
        if isinstance(first, Listed) and isinstance(second, Listed) and len(first.things) == len(second.things):
            elem = self.walk.types.part(location.type)
            return Listed(tuple(self.thing(x, y, elem) for x, y in zip(first.things, second.things)))
        if isinstance(first, Fields) and isinstance(second, Fields):
            return self._fields(first, second, location)
        if isinstance(first, Held) and isinstance(second, Held):
            return Held(self.thing(first.thing, second.thing, self.walk.types.part(location.type)))
        assert a is not None and b is not None
        runs = [self._run(k, x) for k, x in enumerate((a, b))]
        layouts = tuple(x if x is y else object() for x, y in zip(runs[0].layouts, runs[1].layouts))
        writes = runs[0].writes if runs[0].writes is runs[1].writes else object()
        value = self._column(runs[0].value, runs[1].value, self.walk.types.of(location.type))
        return Run(value, layouts, writes, runs[0].owned and runs[1].owned)

    def _content_of_one(self, k: int, content: Content) -> Content:
        def lifted(thing: Thing) -> Thing:
            return self.thing(thing, None) if k == 0 else self.thing(None, thing)

        if isinstance(content, Listed):
            return Listed(tuple(map(lifted, content.things)))
        if isinstance(content, Fields):
            flags = {name: self._value(k, flag) for name, flag in content.present.items()}
            return Fields({name: lifted(thing) for name, thing in content.things.items()}, flags)
        if isinstance(content, Held):
            return Held(lifted(content.thing))
        return Run(self._value(k, content.value), content.layouts, content.writes, content.owned)

    def _fields(self, first: Fields, second: Fields, location: Location) -> Content:
        if isinstance(location.type, ClassType):
            known = [self._in(k, lambda x=x: self.walk.all_fields(x, location.type)).things for k, x in enumerate((first, second))]
            types = self.walk.types.fields_of(location.type)
            return Fields({name: self.thing(known[0][name], known[1][name], t) for name, t in types.items()})
        names = merged_order(list(first.things), list(second.things))
        if names is None:
            raise refuse(self.op, "the keys of a dict have another order on one path; make a new dict of them in one order")
        things = {name: self.thing(first.things.get(name), second.things.get(name)) for name in names}
        return Fields(things, {name: self._flag(first, second, name) for name in names if not first.has(name) or not second.has(name)})

    def _flag(self, first: Fields, second: Fields, name: Any) -> Value:
        """Whether a key is there."""
        flags = []
        for k, fields in enumerate((first, second)):
            known = fields.present.get(name)
            flags.append(known if known is not None else self._in(k, lambda fields=fields: self.walk.const(fields.has(name))))
        return self._column(flags[0], flags[1], BOOL)

    def _run(self, k: int, location: Location) -> Run:
        return self._in(k, lambda: self.walk.as_run(location, self.after, self.arms[k].things or ()))

    # --- columns -------------------------------------------------------------------------------------------------------

    def _in(self, k: int, act: Callable[[], Any]) -> Any:
        """What `act` gives at the end of a path."""
        walk, arm = self.walk, self.arms[k]
        here, walk.state = walk.state, arm.state
        try:
            with walk.inside(arm.block):
                return act()
        finally:
            arm.state, walk.state = walk.state, here

    def _pure(self, k: int, thing: Thing, type_: Type) -> Value:
        return self._in(k, lambda: self.walk.pure(self.walk.fitted(thing, type_)))

    def _column(self, a: Value | None, b: Value | None, type_: Type) -> Value:
        """Case 1."""
        present = b if a is None else a
        assert present is not None
        if (a is b or a is None or b is None) and not self._is_inside(present):
            return present
        if (a, b) not in self.columns:
            self.columns[a, b] = Value(type_, present.name)
        return self.columns[a, b]

    def _is_inside(self, value: Value) -> bool:
        return any(value.block is arm.block for arm in self.arms)

    def _build(self) -> None:
        for k, arm in enumerate(self.arms):
            with self.walk.inside(arm.block):
                yields = [
                    self.walk.undef(made.type) if pair[k] is None else pair[k] for pair, made in self.columns.items()
                ]
                self.walk.core("yield", yields)  # type: ignore[arg-type]
        made = self.walk.core("if", [self.condition], {}, [], [arm.block for arm in self.arms])
        made.results = list(self.columns.values())
        for value in made.results:
            value.owner = made
