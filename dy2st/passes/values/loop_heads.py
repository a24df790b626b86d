"""What a loop carries, where it begins: each part of a carried value, and what lies in the objects that its body changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from ...ir.core import Operation, Value
from ...ir.types import BOOL, INT, ClassType, SumType, TupleType, Type
from .learnt import Learnt, Path, paths_in, references
from .pure_types import has_references, is_single, levels
from .state import Content, Fields, Held, Listed, Run, State, mapped_content, things_in
from .things import REFERENCES, Bundle, Choice, KnownSum, Location, Thing, mapped_thing, parts_by_name

if TYPE_CHECKING:
    from .walk import Walk

Take = Callable[[Callable[[], Value], Type, str], Value]
"""Gives the Value that is carried: of what it is before the loop, its type and its name."""


class LoopHead:
    """starts: what the carried Values stand for before the loop. start, contents: the heap then.

    direct: the references that are carried values themselves, or parts of tuples and sums.
    """

    start: State
    contents: dict[Location, Content]

    def __init__(self, walk: Walk, op: Operation, learnt: Learnt):
        self.walk, self.op, self.learnt = walk, op, learnt
        arguments = op.blocks[1].args
        self.types, self.names = [v.type for v in arguments], [v.name for v in arguments]
        things = [walk.fitted(walk.thing(v), t) for v, t in zip(op.operands, self.types)]
        self.counts: Counter[Location] = walk.references(things)
        self.direct: set[Path] = set()
        self.starts = [self._prepared(x, t, (k,)) for k, (x, t) in enumerate(zip(things, self.types))]
        for location in walk.whole():
            if location.key in learnt.changed:
                self._prepare_content(location, (location.key,))

    def begin(self) -> None:
        """The loop starts from the heap as it is now."""
        self.start = self.walk.state
        self.contents = {location: self.start.contents[location] for location in self.walk.whole()}

    # --- before the loop -----------------------------------------------------------------------------------------------

    def _prepared(self, thing: Thing, declared: Type | None, path: Path, inner: bool = False) -> Thing:
        """A thing in its parts. A reference that turns replace leads to one object, which is frozen if it has other names.

        inner: it lies in an object or list.
        """
        walk = self.walk
        thing = self.in_parts(thing, declared)
        if not isinstance(thing, REFERENCES):
            order = iter(parts_by_name(thing))
            return mapped_thing(lambda part: self._prepared(part, None, (*path, next(order)[0]), inner), thing)
        if not inner:
            self.direct.add(path)
        if path not in self.learnt.replaced:
            return thing
        shared = walk.shared(thing, self.counts)
        if not inner and self.op in walk.telling and (shared or path in self.learnt.beside):
            return self._beside(thing, path)
        if shared:
            walk.freeze(shared)
            self.learnt.frozen.setdefault(path, self.op)
        found = walk.one_object(thing)
        self._prepare_content(found, path)
        return found

    def _beside(self, thing: Thing, path: Path) -> Choice:
        """Case 4: at first a reference is to the object that others know, too, or to a copy of its own."""
        key = self.learnt.beside.setdefault(path, None)
        own = self.walk.copy_of(thing)
        self._prepare_content(own, path)
        return Choice(self.walk.const(key is None), thing if key is None else self._outside(key), own)

    def _outside(self, key: Hashable) -> Location:
        return next(location for location in self.walk.state.contents if location.key == key)

    def _prepare_content(self, location: Location, path: Path) -> None:
        type_, before = location.type, self.walk.state.contents[location]
        content = self.in_fields(before, type_) if isinstance(before, Fields) else before
        order = iter(paths_in(content, path))

        def prepared(thing: Thing) -> Thing:
            at, _ = next(order)
            return self._prepared(thing, self.part(type_, at[-1]), at, inner=True)

        made = mapped_content(prepared, content)
        if any(x is not y for x, y in zip(things_in(made), things_in(before))) or len(things_in(made)) != len(things_in(before)):
            self.walk.state.contents[location] = made

    def in_parts(self, thing: Thing, declared: Type | None = None) -> Thing:
        """Tuples item by item, sums with references alternative by alternative."""
        walk = self.walk
        kind = thing.type if declared is None else declared
        if isinstance(kind, TupleType):
            thing = walk.bundle(walk.fitted(thing, kind))
            types: Any = dict(enumerate(kind.elems))
        elif isinstance(kind, SumType) and has_references(kind):
            thing = walk.apart(walk.fitted(thing, kind))
            types = dict(enumerate(kind.alternatives))
        else:
            return thing
        parts = parts_by_name(thing)
        made = {k: self.in_parts(part, types[k]) for k, part in parts}
        order = iter(parts)
        return thing if all(made[k] is part for k, part in parts) else mapped_thing(lambda part: made[next(order)[0]], thing)

    def in_fields(self, content: Fields, type_: Type) -> Fields:
        """All that an object has, or what a dict holds, in its parts."""
        held = (self.walk.all_fields(content, type_) if isinstance(type_, ClassType) else content).things
        return Fields({name: self.in_parts(x, self.part(type_, name)) for name, x in held.items()}, content.present)

    def part(self, type_: Type, name: Hashable = None) -> Type | None:
        """The declared type of what lies in an object."""
        return self.walk.types.part(type_, name)

    # --- in a Block, and behind the loop -------------------------------------------------------------------------------

    def enter(self, take: Take) -> tuple[list[Thing], State]:
        """What is carried, and the heap, where a Block begins or the loop has ended."""
        walk, learnt = self.walk, self.learnt
        walk.state = self.start
        self.state = self.start.copy()
        things = [self._slot(x, t, (k,), self.names[k], take) for k, (x, t) in enumerate(zip(self.starts, self.types))]
        for location, content in self.contents.items():
            if location.key in learnt.changed:
                self.state.contents[location] = self._content(content, location, (location.key,), take, location)
            if location.key in learnt.frozen:
                self.state.frozen.setdefault(location, learnt.frozen[location.key])
        if learnt.raises:
            self.state.error = take(lambda: self.start.error or walk.const(0), INT, "error")
        return things, self.state

    def _slot(self, thing: Thing, declared: Type | None, path: Path, name: str, take: Take) -> Thing:
        """The thing that is carried in place of the one from before the loop."""
        walk = self.walk
        if isinstance(thing, Choice) and path in self.learnt.beside:
            is_other = take(lambda: thing.condition, BOOL, name)
            return Choice(is_other, thing.then, self._object(thing.orelse, path, name, take))
        if isinstance(thing, REFERENCES):
            return self._object(thing, path, name, take) if path in self.learnt.replaced else thing
        if isinstance(thing, Bundle):
            types = declared.elems if isinstance(declared, TupleType) else [None] * len(thing.things)
            parts = [self._slot(x, t, (*path, k), name, take) for k, (x, t) in enumerate(zip(thing.things, types))]
            return Bundle(thing.type, tuple(parts))
        if isinstance(thing, KnownSum) and has_references(thing.type):
            return self._sum(thing, path, name, take)
        kind = declared if declared is not None else self.learnt.types.get(path, thing.type)
        if is_single(kind):
            return thing
        return take(lambda: walk.pure(walk.fitted(thing, kind)), walk.types.of(kind), name)

    def _sum(self, thing: KnownSum, path: Path, name: str, take: Take) -> Thing:
        tag = take(lambda: thing.tag, INT, name)
        parts: dict[int, Thing] = {}
        for k in sorted({*thing.parts, *self.learnt.alternatives.get(path, ())}):
            type_ = thing.type.alternatives[k]
            first = thing.parts[k] if k in thing.parts else self._later(type_, (*path, k))
            parts[k] = self._slot(first, type_, (*path, k), name, take)
        return KnownSum(thing.type, tag, parts)

    def _later(self, type_: Type, path: Path) -> Thing:
        """An alternative that is there only in later turns."""
        own, key = self._blank(type_, path), self.learnt.beside.get(path)
        return own if key is None else Choice(self.walk.const(False), self._outside(key), own)

    def _blank(self, type_: Type, path: Path) -> Thing:
        """What is there only in later turns: nobody reads what it is at first."""
        walk = self.walk
        thing = self.in_parts(walk.spread(walk.undef(walk.types.of(type_)), type_), type_)
        waiting = [(path, thing)]
        while waiting:
            at, part = waiting.pop()
            for found, location in references(part, at):
                assert isinstance(location, Location)
                self.learnt.replaced.add(found)
                content = walk.state.contents[location]
                if isinstance(content, Fields):
                    walk.state.contents[location] = content = self.in_fields(content, location.type)
                    waiting += paths_in(content, found)
        return thing

    def _object(self, thing: Thing, path: Path, name: str, take: Take) -> Location:
        """An object whose content is that of another one in each turn."""
        assert isinstance(thing, Location)
        made = Location(self.learnt.types.get(path, thing.type), (self.op, path), name)
        self.walk.merged.add(thing)
        content = self.contents.get(thing) or self.walk.state.contents[thing]
        self.state.contents[made] = self._content(content, made, path, take, thing)
        if path in self.learnt.frozen:
            self.state.frozen[made] = self.learnt.frozen[path]
        return made

    def _content(self, content: Content, location: Location, path: Path, take: Take, source: Location) -> Content:
        """What is carried of the content of an object, which is that of `source` before the loop."""
        type_, learnt = location.type, self.learnt
        if isinstance(content, Listed) and path not in learnt.runs:
            elem = self.part(type_)
            return Listed(tuple(self._slot(x, elem, (*path, k), location.name, take) for k, x in enumerate(content.things)))
        if isinstance(content, Fields):
            return self._fields(content, type_, path, take)
        if isinstance(content, Held):
            return Held(self._slot(content.thing, self.part(type_), (*path, "held"), location.name, take))
        value = take(lambda: self.walk.as_run(source, None, self.starts).value, self.walk.types.of(type_), location.name)
        found = self.start.contents.get(source)
        known = found if isinstance(found, Run) else Run(value, tuple(object() for _ in range(levels(type_))))
        layouts = tuple(object() if (*path, "layout", d) in learnt.loose else token for d, token in enumerate(known.layouts))
        writes = object() if (*path, "writes") in learnt.loose else known.writes
        return Run(value, layouts, writes, known.owned and (*path, "owned") not in learnt.loose)

    def _fields(self, content: Fields, type_: Type, path: Path, take: Take) -> Fields:
        """Keys that come later are blank at first."""
        later = {name: t for name, t in self.learnt.keys.get(path, {}).items() if name not in content.things}
        held = {**content.things, **{name: self._blank(t, (*path, name)) for name, t in later.items()}}
        things = {name: self._slot(x, self.part(type_, name), (*path, name), str(name), take) for name, x in held.items()}
        unsure = [name for name in held if name in content.present or (*path, name) in self.learnt.unsure]
        return Fields(things, {name: take(lambda name=name: self._flag(content, name), BOOL, "") for name in unsure})  # type: ignore[misc]

    def _flag(self, content: Fields, name: Any) -> Value:
        return content.present[name] if name in content.present else self.walk.const(name in content.things)

