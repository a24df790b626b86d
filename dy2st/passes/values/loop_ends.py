"""What a turn of a loop leaves, against what it has started from: what the next one starts from, and what is learnt of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.core import Value
from ...ir.types import BOOL, INT, Type
from .learnt import Path, paths_in
from .loop_heads import LoopHead
from .pure_types import has_references, is_single, joined, levels
from .refusals import refuse
from .state import Content, Fields, Held, Listed, Run, State, holds_same, merged_order
from .things import REFERENCES, Bundle, Choice, KnownSum, Location, Thing, is_same

if TYPE_CHECKING:
    from .walk import Walk


class LoopEnd:
    """before: the heap where the turn began, things: what was carried then, given: what it hands on; None where no turn ends."""

    def __init__(self, head: LoopHead, before: State, things: list[Thing], given: list[Thing] | None):
        self.head, self.before, self.things = head, before, things
        self.walk: Walk = head.walk
        self.learnt, self.op = head.learnt, head.op
        self.after = self.walk.live.end[head.op.blocks[1].ops[-1]]
        self.given = [head.in_parts(x, t) for x, t in zip(given, head.types)] if given is not None else []
        self.found: list[Value] = []

    def values(self) -> list[Value]:
        """What the next turn starts from, in the order of the head; fewer Values where something was learnt."""
        walk, head, learnt = self.walk, self.head, self.learnt
        given: list[Thing | None] = [*self.given] if self.given else [None] * len(self.things)
        for k, (thing, now, type_) in enumerate(zip(self.things, given, head.types)):
            self._slot(thing, now, type_, (k,))
        for location, content in list(self.before.contents.items()):
            if location not in head.contents:
                continue
            held = walk.state.contents.get(location, content)
            if location.key in learnt.changed:
                self._content(content, held, location, (location.key,), location)
            elif isinstance(content, Run) and isinstance(held, Run) and content.value is held.value:
                self._tokens(content, held, (location.key,))
            elif not holds_same(held, content):
                learnt.changed.add(location.key)
        self._note_frozen()
        if learnt.raises:
            self.found.append(walk.state.error if walk.state.error is not None else walk.const(0))
        elif walk.state.error is not None:
            learnt.raises = True
        return self.found

    def _note_frozen(self) -> None:
        for location, op in self.walk.state.frozen.items():
            if location in self.before.contents and location not in self.before.frozen:
                key = location.key if location in self.head.contents else location.key[1]  # type: ignore[index]
                self.learnt.frozen.setdefault(key, op)

    # --- things --------------------------------------------------------------------------------------------------------

    def _slot(self, thing: Thing, now: Thing | None, declared: Type | None, path: Path) -> None:
        """One part of what is carried; `now` is None where nobody reads what it is in the next turn."""
        walk = self.walk
        if isinstance(thing, REFERENCES):
            self._reference(thing, now, path)
        elif isinstance(thing, Bundle):
            self._tuple(thing, now, declared, path)
        elif isinstance(thing, KnownSum) and has_references(thing.type):
            self._sum(thing, now, path)
        elif is_single(declared or self.learnt.types.get(path, thing.type)):
            if now is not None and declared is None:
                self._risen(thing, now, path)
        elif now is None:
            self.found.append(walk.undef(self.walk.types.of(thing.type)))
        else:
            kind = declared if declared is not None else self._risen(thing, now, path)
            self.found.append(walk.pure(walk.fitted(now, kind)))

    def _risen(self, thing: Thing, now: Thing, path: Path) -> Type:
        """The type of what no declaration tells: it rises with what turns leave."""
        if has_references(now.type):
            raise refuse(self.op, "what lies under a key is a list or object after a turn, and something else before")
        self.learnt.types[path] = joined(self.learnt.types.get(path, thing.type), now.type)
        return self.learnt.types[path]

    def _tuple(self, thing: Bundle, now: Thing | None, declared: Type | None, path: Path) -> None:
        parts = self.walk.bundle(now).things if now is not None else [None] * len(thing.things)
        types = declared.parts() if declared is not None else [None] * len(thing.things)
        if len(parts) != len(thing.things):
            raise refuse(self.op, "a tuple has another length after a turn; use a list")
        for k, (x, y, t) in enumerate(zip(thing.things, parts, types)):
            self._slot(x, y, t, (*path, k))

    def _sum(self, thing: KnownSum, now: Thing | None, path: Path) -> None:
        walk = self.walk
        known = None if now is None else walk.apart(walk.fitted(now, thing.type))
        self.found.append(walk.undef(INT) if known is None else known.tag)
        parts = {} if known is None else known.parts
        if not parts.keys() <= thing.parts.keys():
            self.learnt.alternatives[path] = frozenset({*thing.parts, *parts})
        for k, part in thing.parts.items():
            self._slot(part, parts.get(k), thing.type.alternatives[k], (*path, k))

    def _reference(self, thing: Thing, now: Thing | None, path: Path) -> None:
        if path not in self.learnt.replaced:
            if now is not None and not is_same(now, thing):
                self.learnt.replaced.add(path)
            return
        if isinstance(thing, Choice):
            self._beside(thing, now, path)
            return
        assert isinstance(thing, Location)
        content = self.before.contents[thing]
        if now is None:
            self._nothing(content)
            return
        if not is_same(now, thing):
            now = self._handed_over(now, thing, path)
        assert isinstance(now, Location)
        self._content(content, self.walk.state.contents[now], thing, path, now)

    def _beside(self, thing: Choice, now: Thing | None, path: Path) -> None:
        """Case 4: whether the next turn has the object from outside, and what its own one holds."""
        walk, own = self.walk, thing.orelse
        assert isinstance(own, Location)
        content = self.before.contents[own]
        if now is None:
            self.found.append(walk.undef(BOOL))
            self._nothing(content)
            return
        for location in walk.reached([own], self.before):  # nobody may know it any more
            walk.state.contents.setdefault(location, self.before.contents[location])
        is_other, found = self._told_apart(thing, own, now, path)
        self.found.append(walk.pure(is_other))
        assert isinstance(found, Location)
        self._content(content, walk.state.contents[found], own, path, found)

    def _told_apart(self, thing: Choice, own: Location, now: Thing, path: Path) -> list[Thing]:
        """Whether a reference is to the object from outside, and an object that holds what it leads to otherwise."""
        walk = self.walk
        if is_same(now, thing) or now is own:
            return [thing.condition if now is not own else walk.const(False), own]
        if is_same(now, thing.then):
            return [walk.const(True), own]
        if isinstance(now, Choice):

            def on(part: Thing) -> list[Thing]:
                is_other, found = self._told_apart(thing, own, part, path)
                return [is_other, walk.copy_of(found)]

            return walk.chosen(now, on)
        return [walk.const(False), self._handed_over(now, thing.orelse, path)]  # type: ignore[arg-type]

    def _handed_over(self, now: Thing, thing: Location, path: Path) -> Location:
        """Another object than the one before: where somebody else knows it, neither may be changed."""
        walk, learnt = self.walk, self.learnt
        shared = walk.shared(now, walk.references(self.given, self.after))
        outside = [location for location in walk.named([now]) if location in shared and location in self.head.contents]
        if outside and self.op in walk.telling and path in self.head.direct and path not in learnt.beside:
            learnt.beside[path] = outside[0].key
        elif shared:
            learnt.frozen.setdefault(path, self.op)
            walk.freeze(shared, self.op)
        for location in walk.named([now]):
            if location in walk.state.frozen:  # what had another name stays as it is, though that one is gone
                learnt.frozen.setdefault(path, walk.state.frozen[location])
        learnt.types[path] = joined(learnt.types.get(path, thing.type), now.type)
        learnt.loose.update((*path, "layout", d) for d in range(levels(thing.type)))
        learnt.loose.add((*path, "writes"))
        return walk.one_object(now)

    # --- contents ------------------------------------------------------------------------------------------------------

    def _nothing(self, content: Content) -> None:
        """Nobody reads what the object holds in the next turn."""
        if isinstance(content, Run):
            self.found.append(self.walk.undef(content.value.type))
        for path, thing in paths_in(content, ()):
            self._slot(thing, None, None, path)
        if isinstance(content, Fields):
            self.found += [self.walk.const(False) for _ in content.present]

    def _content(self, before: Content, now: Content, location: Location, path: Path, source: Location) -> None:
        """What an object holds in the next turn: what `source` holds now."""
        head, walk = self.head, self.walk
        if isinstance(before, Fields):
            assert isinstance(now, Fields)
            self._fields(before, head.in_fields(now, location.type), location, path)
        elif isinstance(before, Held):
            assert isinstance(now, Held)
            declared = head.part(location.type)
            self._slot(before.thing, head.in_parts(now.thing, declared), declared, (*path, "held"))
        elif isinstance(before, Run):
            run = before if now is before else walk.as_run(source, self.after, self.given)
            self.found.append(run.value)
            self._tokens(before, run, path)
        elif isinstance(now, Listed) and len(now.things) == len(before.things):
            elem = head.part(location.type)
            for k, (x, y) in enumerate(zip(before.things, now.things)):
                self._slot(x, head.in_parts(y, elem), elem, (*path, k))
        else:
            self.learnt.runs.add(path)

    def _fields(self, before: Fields, now: Fields, location: Location, path: Path) -> None:
        """Keys that a turn has added are carried from the next trial on, with flags that say whether they are there."""
        new = {name: thing.type for name, thing in now.things.items() if name not in before.things}
        if merged_order([*before.things, *new], list(now.things)) != [*before.things, *new]:
            raise refuse(self.op, "the keys of a dict have another order after a turn; make a new dict of them in one order")
        if new:
            self.learnt.keys.setdefault(path, {}).update(new)
            self.learnt.unsure.update((*path, name) for name in new)
        for name, thing in before.things.items():
            self._slot(thing, now.things.get(name), self.head.part(location.type, name), (*path, name))
        for name in before.things:
            if name in before.present:
                self.found.append(now.present[name] if name in now.present else self.walk.const(name in now.things))
            elif not now.has(name):
                self.learnt.unsure.add((*path, name))

    def _tokens(self, before: Run, now: Run, path: Path) -> None:
        loose = self.learnt.loose
        loose.update((*path, "layout", d) for d, (x, y) in enumerate(zip(before.layouts, now.layouts)) if x is not y)
        if before.writes is not now.writes:
            loose.add((*path, "writes"))
        if before.owned and not now.owned:
            loose.add((*path, "owned"))
