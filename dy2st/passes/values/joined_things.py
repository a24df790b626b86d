"""What a thing is where two paths meet: cases 1 to 3 and 5 of `joins.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Value
from ...ir.join import kind
from ...ir.types import INT, NEVER, SumType, TupleType, Type
from .making import NO_CONSTANT, constant_of
from .pure_types import has_references, is_single, joined
from .state import State
from .things import REFERENCES, At, Bundle, Choice, Element, KnownSum, Location, OpenSum, Place, Thing, Undefined, is_same

if TYPE_CHECKING:
    from .contents import Contents


class Arm:
    """One path: the Block that it fills, what it hands on (None where it has raised), and what it leaves on the heap."""

    def __init__(self, block: Block, things: list[Thing] | None, state: State):
        self.block, self.things, self.state = block, things, state
        self.known: set[Location] = set()
        self.alive: set[Location] = set()

    @classmethod
    def of(cls, walk: Contents, act: Callable[[], list[Thing] | None]) -> Arm:
        """The path that `act` walks, from the present state."""
        block = Block()
        with walk.inside(block):
            things = act()
        return cls(block, things, walk.state)

    def look(self, walk: Contents, after: int) -> None:
        """Find out which Locations somebody knows behind it (case 5: where it has raised, what is read then)."""
        if self.things is None:
            self.known, self.alive = set(walk.read_at_raise), walk.reached(walk.read_at_raise, self.state)
        else:
            used = walk.used(after)
            self.known = set(walk.named(used))
            self.alive = walk.reached([*used, *self.things], self.state)


class JoinedThings:
    """The results that an `if` gets: `columns` has them by what each path yields. stands_for: Locations by those of each path."""

    def __init__(self, walk: Contents, condition: Value, arms: list[Arm], after: int | None):
        self.walk, self.condition, self.arms = walk, condition, arms
        assert walk.at is not None
        self.op = walk.at
        self.after = walk.live.start[self.op] if after is None else after
        self.start = walk.state
        self.columns: dict[tuple[Value | None, Value | None], Value] = {}
        self.stands_for: list[dict[Location, Location]] = [{}, {}]
        self.waiting: list[tuple[Location, Location | None, Location | None]] = []

    def stand(self, location: Location, a: Location | None, b: Location | None) -> None:
        """A Location stands for `a` of the first path, and for `b` of the second."""
        for k, found in enumerate((a, b)):
            if found is not None:
                self.stands_for[k][found] = location
        self.waiting.append((location, a, b))

    def thing(self, a: Thing | None, b: Thing | None, type_: Type | None = None) -> Thing:
        """What is `a` on the first path and `b` on the second; None where the path doesn't tell."""
        found = [x for x in (a, b) if x is not None]
        if all(isinstance(x, Undefined) for x in found):
            return found[0]
        a, b = (None if isinstance(x, Undefined) else x for x in (a, b))
        if a is None or b is None:
            return self._from_one(a, b)
        if a is b and self.is_itself(a):
            return a
        type_ = joined(a.type, b.type) if type_ is None else type_
        if isinstance(a, REFERENCES) and isinstance(b, REFERENCES) and kind(a.type) == kind(b.type):
            return self._reference(a, b)
        if isinstance(type_, SumType):
            return self._sum(a, b, type_)
        if isinstance(type_, TupleType):
            mine, theirs = (self.at_end(k, self.walk.bundle, x).things for k, x in enumerate((a, b)))
            return Bundle(type_, tuple(self.thing(x, y, t) for x, y, t in zip(mine, theirs, type_.elems)))
        values = [self._pure(k, x, type_) for k, x in enumerate((a, b))]
        return self.column(values[0], values[1], self._type(type_, values))

    @staticmethod
    def _type(type_: Type, values: list[Value]) -> Type:
        return joined(values[0].type, values[1].type) if has_references(type_) or type_ == NEVER else type_

    def _from_one(self, a: Thing | None, b: Thing | None) -> Thing:
        k, thing = (0, a) if b is None else (1, b)
        assert thing is not None

        def pair(x: Any) -> tuple[Any, Any]:
            return (x, None) if k == 0 else (None, x)

        if isinstance(thing, Value):
            return self.column(*pair(thing), thing.type)
        if isinstance(thing, Location):
            return self._location(*pair(thing))
        if isinstance(thing, Bundle):
            return Bundle(thing.type, tuple(self.thing(*pair(x)) for x in thing.things))
        if isinstance(thing, KnownSum):
            return KnownSum(thing.type, self.value(k, thing.tag), {n: self.thing(*pair(x)) for n, x in thing.parts.items()})
        made = self._lifted(k, thing, pair)
        return thing if is_same(made, thing) else made

    def _lifted(self, k: int, thing: Thing, pair: Callable[[Any], tuple[Any, Any]]) -> Thing:
        if isinstance(thing, Choice):
            return Choice(self.value(k, thing.condition), self.thing(*pair(thing.then)), self.thing(*pair(thing.orelse)))
        if isinstance(thing, Element):
            return Element(thing.type, self.value(k, thing.value), self._place(k, thing.place))
        assert isinstance(thing, OpenSum)
        place = None if thing.place is None else self._place(k, thing.place)
        return OpenSum(thing.type, self.value(k, thing.value), place)

    def value(self, k: int, value: Value) -> Value:
        """A Value of one path, as it is known afterwards."""
        return self.column(value, None, value.type) if k == 0 else self.column(None, value, value.type)

    def _place(self, k: int, place: Place) -> Place:
        root = self._location(place.root, None) if k == 0 else self._location(None, place.root)
        steps = [At(self.value(k, s.position), self.value(k, s.of)) if isinstance(s, At) else s for s in place.steps]
        return Place(root, tuple(steps), place.run)

    def _reference(self, a: Thing, b: Thing) -> Thing:
        if isinstance(a, Location) and isinstance(b, Location):
            known = [self.stands_for[0].get(a), self.stands_for[1].get(b)]
            if known[0] is None and known[1] is None:
                made: Location = a if a is b else Location(joined(a.type, b.type), self.walk.fresh_key(), a.name or b.name)
                self.walk.merged.update({a, b} - {made})
                self.stand(made, a, b)
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
            self.stand(location, location, location)
            return
        kept = location if is_free else Location(location.type, self.walk.fresh_key(), location.name)
        self.walk.merged.update({location} - {kept})
        self.stand(kept, *((location, None) if k == 0 else (None, location)))

    def is_itself(self, thing: Thing) -> bool:
        """Whether a thing from before the `if` stays the same thing; what it leads to does from here on."""
        locations = list(self.walk.named([thing]))
        for location in locations:
            stands_for = [table.get(location) for table in self.stands_for]
            if stands_for != [None, None] and not all(other is location for other in stands_for):
                return False
        for location in locations:
            if location not in self.stands_for[0]:
                self.stand(location, location, location)
        return True

    def _sum(self, a: Thing, b: Thing, type_: SumType) -> Thing:
        if not has_references(type_):
            values = [self._pure(k, x, type_) for k, x in enumerate((a, b))]
            return self.column(values[0], values[1], type_)
        known = [self.at_end(k, self._apart, x, type_) for k, x in enumerate((a, b))]
        tag = self.column(known[0].tag, known[1].tag, INT)
        parts = {n: self.thing(known[0].parts.get(n), known[1].parts.get(n)) for n in {**known[0].parts, **known[1].parts}}
        return KnownSum(type_, tag, dict(sorted(parts.items())))

    def at_end(self, k: int, act: Callable[..., Any], *given: Any) -> Any:
        """What `act` gives at the end of a path."""
        walk, arm = self.walk, self.arms[k]
        here, walk.state = walk.state, arm.state
        try:
            with walk.inside(arm.block):
                return act(*given)
        finally:
            arm.state, walk.state = walk.state, here

    def _pure(self, k: int, thing: Thing, type_: Type) -> Value:
        return self.at_end(k, lambda: self.walk.pure(self.walk.fitted(thing, type_)))

    def _apart(self, thing: Thing, type_: SumType) -> KnownSum:
        return self.walk.apart(self.walk.fitted(thing, type_))

    def column(self, a: Value | None, b: Value | None, type_: Type) -> Value:
        """Case 1."""
        present = b if a is None else a
        assert present is not None
        if (a is b or a is None or b is None) and not self._is_inside(present):
            return present
        if is_single(type_):
            return self.walk.single(present)
        if (a is None or b is None) and (known := constant_of(present)) is not NO_CONSTANT:
            return self.walk.const(known)  # which later operations may need to know
        if (a, b) not in self.columns:
            self.columns[a, b] = Value(type_, present.name)
        return self.columns[a, b]

    def _is_inside(self, value: Value) -> bool:
        return any(value.block is arm.block for arm in self.arms)

    def build(self) -> None:
        """End both Blocks, and append the `if`."""
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
