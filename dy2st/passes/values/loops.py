"""Loops whose bodies change the heap: what lies there is carried from turn to turn.

    while %0 : int                               while %0, %xs_now : int, sequence<float32[3]>
      cond(%1: int): ...                           cond(%1: int, %xs_1: sequence<float32[3]>): ...
      body(%2: int):                      ->       body(%2: int, %xs_2: sequence<float32[3]>):
        list.append %xs, %x                          %4 = sequence.append %xs_2, %x
        yield %3                                     yield %3, %4

1. A trial of the body tells which objects it changes: the walk comes again, with their contents among what is carried, until a
   trial tells nothing new. What has been learnt is kept by the operation of the original Program, so that a loop inside another
   one, which is walked again with it, has nothing more to learn.
2. A carried reference that each turn hands on as it is stays that reference.
3. Any other carried reference leads to an object of its own, whose content is carried. Where somebody else knows the object that
   it leads to, neither may be changed.
4. A list that has another length after the turn is carried as a sequence.
5. Where a turn may raise, the error is carried, and asked for by the condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Operation, Value
from ...ir.types import BOOL, INT, ClassType, ListType, SumType, TupleType, Type
from .pure_types import has_references, joined, levels
from .refusals import refuse
from .things import (
    REFERENCES,
    Bundle,
    Content,
    Fields,
    Held,
    KnownSum,
    Listed,
    Location,
    Run,
    State,
    Thing,
    mapped_content,
    mapped_thing,
    parts_of,
    things_in,
)

if TYPE_CHECKING:
    from .walk import Walk

_MOST_TRIALS = 200
Path = tuple[Hashable, ...]
Take = Callable[[Callable[[], Value], Type, str], Value]


@dataclass
class Learnt:
    """What trials of a loop have told: all of it by paths, which lead from a carried value or an object to a part of it.

    replaced: references that aren't the same in the next turn. changed: the objects from outside that the body changes.
    runs: lists that are carried as sequences. loose: tokens of sequences that the body changes. frozen: objects that may not be
    changed in a turn. alternatives: of sums. types: of what isn't declared. raises: whether a turn may raise.
    """

    replaced: set[Path] = field(default_factory=set)
    changed: set[Hashable] = field(default_factory=set)
    runs: set[Path] = field(default_factory=set)
    loose: set[Path] = field(default_factory=set)
    frozen: set[Hashable] = field(default_factory=set)
    alternatives: dict[Path, frozenset[int]] = field(default_factory=dict)
    types: dict[Path, Type] = field(default_factory=dict)
    raises: bool = False

    def size(self) -> tuple:
        """Grows with everything that is learnt."""
        known = (self.replaced, self.changed, self.runs, self.loose, self.frozen)
        return (*map(len, known), self.raises, sum(map(len, self.alternatives.values())), tuple(map(str, self.types.values())))


def rewrite_loop(walk: Walk, op: Operation) -> list[Thing] | None:
    """Rewrite a `while`; what its results stand for."""
    learnt = walk.learnt.setdefault(op, Learnt())
    for _ in range(_MOST_TRIALS):
        env, state, block = dict(walk.env), walk.state.copy(), walk.mark()
        loop = _Loop(walk, op, learnt)
        if loop.walk_it():
            return loop.results()
        walk.env, walk.state = env, state
        walk.back_to(block)
        walk.at_operation(op)
    raise refuse(op, "what this loop does to its lists isn't settled after many turns; make new lists in place of changing them")


class _Loop:
    def __init__(self, walk: Walk, op: Operation, learnt: Learnt):
        self.walk, self.op, self.learnt = walk, op, learnt
        self.types = [arg.type for arg in op.blocks[1].args]
        self.names = [arg.name for arg in op.blocks[1].args]

    def walk_it(self) -> bool:
        """Walk the Blocks; whether that has told nothing new."""
        walk, op = self.walk, self.op
        self.starts = [self._apart(walk.fitted(walk.thing(v), t), t) for v, t in zip(op.operands, self.types)]
        self._prepare()
        self.before = dict(walk.state.contents)
        self._note_shared_starts()
        self.initial: list[Value] = []
        self.carried: list[tuple[Type, str]] = []
        self.start = walk.state
        self._enter(self._note_start)
        before = self.learnt.size()
        self.cond, self.body = (self._block() for _ in op.blocks)
        self._condition(self.cond)
        ends = self._turn(self.body)
        if self.learnt.size() != before:
            return False
        with walk.inside(self.body):
            walk.core("yield", ends)
        return True

    def results(self) -> list[Thing]:
        """Append the loop; what its results stand for."""
        walk, op = self.walk, self.op
        walk.state, walk.at = self.start, op
        made = walk.core("while", self.initial, dict(op.attrs), [t for t, _ in self.carried], [self.cond, self.body])
        for value, (_, name) in zip(made.results, self.carried):
            value.name = name
        things, walk.state = self._enter(self._from(made.results))
        return things

    def _note_start(self, value: Callable[[], Value], type_: Type, name: str) -> Value:
        self.initial.append(value())
        self.carried.append((type_, name))
        return self.initial[-1]

    def _block(self) -> Block:
        block = Block(t for t, _ in self.carried)
        for value, (_, name) in zip(block.args, self.carried):
            value.name = name
        return block

    @staticmethod
    def _from(values: list[Value]) -> Take:
        given = iter(values)
        return lambda value, type_, name: next(given)

    # --- the head ------------------------------------------------------------------------------------------------------

    def _apart(self, thing: Thing, type_: Type) -> Thing:
        """Tuples item by item, sums with references alternative by alternative."""
        walk = self.walk
        if isinstance(type_, TupleType):
            thing = walk.bundle(thing)
            types: Any = dict(enumerate(type_.elems))
        elif isinstance(type_, SumType) and has_references(type_):
            thing = walk.apart(thing)
            types = dict(enumerate(type_.alternatives))
        else:
            return thing
        order = iter(types if isinstance(thing, Bundle) else thing.parts)
        made = mapped_thing(lambda part: self._apart(part, types[next(order)]), thing)
        return thing if all(x is y for x, y in zip(parts_of(made), parts_of(thing))) else made

    def _prepare(self) -> None:
        """The contents of the objects that are carried, in their parts: all that takes them apart comes before the loop."""
        contents = self.walk.state.contents
        waiting = [x for x in contents if x.key in self.learnt.changed]
        for k, thing in enumerate(self.starts):
            waiting += [x for path, x in _references(thing, (k,)) if path in self.learnt.replaced and isinstance(x, Location)]
        done: set[Location] = set()
        while waiting:
            location = waiting.pop()
            if location not in done:
                done.add(location)
                contents[location] = made = self._in_parts(contents[location], location.type)
                inner = [x for thing in things_in(made) for _, x in _references(thing, ())]
                waiting += [x for x in inner if isinstance(x, Location)]

    def _in_parts(self, content: Content, type_: Type) -> Content:
        if isinstance(content, Fields):
            made: Content = self.fields(content, type_)
        else:
            made = mapped_content(lambda thing: self.apart(thing, self.part(type_)), content)
        same = len(things_in(made)) == len(things_in(content)) and all(x is y for x, y in zip(things_in(made), things_in(content)))
        return content if same else made

    def _note_shared_starts(self) -> None:
        """Case 3, before the first turn."""
        counts = self.walk.references(self.starts)
        waiting = [((k,), thing) for k, thing in enumerate(self.starts)]
        for location, content in self.before.items():
            if location.key in self.learnt.changed:
                waiting += _parts_of_content(content, (location.key,))
        while waiting:
            for path, thing in _references(*reversed(waiting.pop())):
                if path not in self.learnt.replaced:
                    continue
                if isinstance(thing, Location):
                    waiting += _parts_of_content(self.before[thing], path)
                shared = self.shared(thing, counts)
                if shared:
                    self.walk.freeze(shared)
                    self.learnt.frozen.add(path)

    def shared(self, thing: Thing, counts: Counter[Location]) -> set[Location]:
        """What somebody else knows of that a reference leads to; all of it where the reference is no Location."""
        if isinstance(thing, Location):
            return {thing} if counts[thing] > 1 else set()
        return self.walk.reached([thing])

    def _enter(self, take: Take) -> tuple[list[Thing], State]:
        """What is carried, and the heap, where a Block begins or the loop has ended."""
        walk = self.walk
        self.walk.state = self.start
        self.state = self.start.copy()
        things = [self._slot(x, t, (k,), self.names[k], take) for k, (x, t) in enumerate(zip(self.starts, self.types))]
        for location, content in self.before.items():
            if location.key in self.learnt.changed:
                self.state.contents[location] = self._content(content, location, (location.key,), take)
            if location.key in self.learnt.frozen:
                self.state.frozen.setdefault(location, self.op)
        if self.learnt.raises:
            self.state.error = take(lambda: walk.const(0), INT, "error")
        return things, self.state

    def _slot(self, thing: Thing, type_: Type | None, path: Path, name: str, take: Take) -> Thing:
        """The thing that is carried in place of the one from before the loop."""
        walk = self.walk
        if isinstance(thing, REFERENCES):
            return thing if path not in self.learnt.replaced else self._object(thing, path, name, take)
        if isinstance(thing, Bundle):
            types = type_.elems if isinstance(type_, TupleType) else [None] * len(thing.things)
            parts = [self._slot(x, t, (*path, k), name, take) for k, (x, t) in enumerate(zip(thing.things, types))]
            return Bundle(thing.type, tuple(parts))
        if isinstance(thing, KnownSum) and has_references(thing.type):
            return self._sum(thing, path, name, take)
        kind = type_ if type_ is not None else self.learnt.types.get(path, thing.type)
        return take(lambda: walk.pure(walk.fitted(thing, kind)), walk.types.of(kind), name)

    def _sum(self, thing: KnownSum, path: Path, name: str, take: Take) -> Thing:
        walk = self.walk
        tag = take(lambda: thing.tag, INT, name)
        parts: dict[int, Thing] = {}
        for k in sorted({*thing.parts, *self.learnt.alternatives.get(path, ())}):
            type_ = thing.type.alternatives[k]
            first = thing.parts.get(k)
            if first is None:
                blank = walk.spread(walk.undef(walk.types.of(type_)), type_) if not has_references(type_) else None
                first = blank if blank is not None else self._blank(type_, (*path, k))
            parts[k] = self._slot(first, type_, (*path, k), name, take)
        return KnownSum(thing.type, tag, parts)

    def _blank(self, type_: Type, path: Path) -> Thing:
        """An object that is there only in later turns: nobody reads what it holds at first."""
        walk = self.walk
        thing = self._apart(walk.spread(walk.undef(walk.types.of(type_)), type_), type_)
        waiting = [(path, thing)]
        while waiting:
            for at, location in _references(*reversed(waiting.pop())):
                self.learnt.replaced.add(at)
                content = walk.state.contents[location]  # type: ignore[index]
                if isinstance(content, Fields):
                    waiting += [((*at, name), x) for name, x in self.fields(content, location.type).things.items()]
        return thing

    def _object(self, thing: Thing, path: Path, name: str, take: Take) -> Location:
        """Case 3."""
        type_ = self.learnt.types.get(path, thing.type)
        made = Location(type_, (self.op, path), name)
        content = self.before.get(thing) or self.walk.content(thing) if isinstance(thing, Location) else None
        self.state.contents[made] = self._content(content, made, path, take, thing)
        if path in self.learnt.frozen:
            self.state.frozen[made] = self.op
        return made

    def _content(self, content: Content | None, location: Location, path: Path, take: Take, thing: Thing | None = None) -> Content:
        """What is carried of the content of an object; `thing` leads to it at the start, where the Location itself doesn't."""
        walk, type_ = self.walk, location.type
        if isinstance(content, Listed) and path not in self.learnt.runs:
            elem = type_.elem  # type: ignore[attr-defined]
            return Listed(tuple(self._slot(x, elem, (*path, k), location.name, take) for k, x in enumerate(content.things)))
        if isinstance(content, Fields):
            held = content.things.items()
            return Fields({name: self._slot(x, self.part(type_, name), (*path, name), str(name), take) for name, x in held})
        if isinstance(content, Held):
            declared = self.part(type_)
            return Held(self._slot(content.thing, declared, (*path, "held"), location.name, take))
        if not isinstance(type_, ListType):
            raise refuse(self.op, "which object is changed in a loop follows the turn; keep its numbers in variables of their own")
        source = thing if thing is not None else location
        value = take(lambda: walk.pure(source) if not isinstance(source, Location) else walk.as_run(source).value, walk.types.of(type_), location.name)
        found = self.start.contents.get(source) if isinstance(source, Location) else None
        known = found if isinstance(found, Run) else None
        tokens = known.layouts if known is not None else tuple(object() for _ in range(levels(type_)))
        layouts = tuple(object() if (*path, "layout", d) in self.learnt.loose else token for d, token in enumerate(tokens))
        writes = known.writes if known is not None and (*path, "writes") not in self.learnt.loose else object()
        owned = (known.owned if known is not None else isinstance(source, Location)) and (*path, "owned") not in self.learnt.loose
        return Run(value, layouts, writes, owned)

    def part(self, type_: Type, name: Hashable = None) -> Type | None:
        """The declared type of what lies in an object."""
        return self.walk.types.part(type_, name)

    def apart(self, thing: Thing, declared: Type | None) -> Thing:
        """What lies in an object, in its parts."""
        kind = thing.type if declared is None else declared
        return self._apart(self.walk.fitted(thing, kind), kind) if isinstance(kind, TupleType | SumType) else thing

    def fields(self, content: Fields, type_: Type) -> Fields:
        """What an object or dict holds, in its parts."""
        held = (self.walk.all_fields(content, type_) if isinstance(type_, ClassType) else content).things
        return Fields({name: self.apart(x, self.part(type_, name)) for name, x in held.items()})

    # --- the Blocks ----------------------------------------------------------------------------------------------------

    def _condition(self, block: Block) -> Value | None:
        walk = self.walk
        cond = self.op.blocks[0]
        with walk.inside(block):
            things, walk.state = self._enter(self._from(block.args))
            self._bind(cond, things)
            error, walk.state.error = walk.state.error, None
            before = dict(walk.state.contents)

            def ask() -> list[Thing] | None:
                walk.state.error = None
                return walk.run(cond.ops, [BOOL])

            if error is None:
                found = ask()
            else:
                is_none = walk.make("py.eq", [error, walk.const(0)], BOOL)
                found = walk.branch(is_none, ask, lambda: [walk.const(False)], after=walk.live.end[cond.ops[-1]])
            if found is None or walk.state.error is not None:
                raise refuse(self.op, "the condition of this loop may raise; compute it at the end of the body")
            self._refuse_changes(before)
            value = walk.pure(found[0])
            walk.core("yield", [value])
        return value

    def _refuse_changes(self, before: dict[Location, Content]) -> None:
        after = self.walk.state.contents
        for location, content in before.items():
            if not isinstance(content, Listed) and after.get(location, content) is not content and self._is_same(content, after[location]):
                raise refuse(self.op, "the condition of this loop changes a list or object; do that in the body")

    @staticmethod
    def _is_same(a: Content, b: Content) -> bool:
        return not (isinstance(a, Run) and isinstance(b, Run) and a.value is b.value)

    def _bind(self, block: Block, things: list[Thing]) -> None:
        for value, thing in zip(block.args, things):
            self.walk.env[value] = thing

    def _turn(self, block: Block) -> list[Value]:
        """What the next turn starts from; fewer Values than are carried where this was only a trial."""
        walk = self.walk
        body = self.op.blocks[1]
        with walk.inside(block):
            things, walk.state = self._enter(self._from(block.args))
            walk.state.error = None
            self._bind(body, things)
            head = walk.state.copy()
            given = walk.run(body.ops, self.types)
            walk.at = body.ops[-1]
            return _End(self, head, things, given).values()


class _End:
    """What a turn leaves, against what it has started from."""

    def __init__(self, loop: _Loop, head: State, things: list[Thing], given: list[Thing] | None):
        self.loop, self.walk, self.learnt = loop, loop.walk, loop.learnt
        self.head, self.things, self.given = head, things, given
        self.found: list[Value] = []

    def values(self) -> list[Value]:
        """What the next turn starts from, in the order of the head."""
        loop, walk = self.loop, self.walk
        given: list[Thing | None] = [None] * len(self.things)
        if self.given is not None:
            given = [loop._apart(x, t) for x, t in zip(self.given, loop.types)]
        self.given_now = [x for x in given if x is not None]
        for k, (thing, now, type_) in enumerate(zip(self.things, given, loop.types)):
            self.slot(thing, now, type_, (k,))
        for location, content in list(self.head.contents.items()):
            if location.key in self.learnt.changed and location in loop.start.contents:
                self.content(content, walk.state.contents.get(location, content), location, (location.key,))
            elif self._has_changed(location, content):
                self.learnt.changed.add(location.key)
        self._frozen()
        if self.learnt.raises:
            self.found.append(walk.state.error if walk.state.error is not None else walk.const(0))
        elif walk.state.error is not None:
            self.learnt.raises = True
        return self.found

    def _has_changed(self, location: Location, content: Content) -> bool:
        now = self.walk.state.contents.get(location, content)
        if isinstance(content, Run) and isinstance(now, Run) and content.value is now.value:
            self._tokens(content, now, (location.key,))
            return False
        return now is not content and location in self.loop.start.contents

    def _frozen(self) -> None:
        for location in self.walk.state.frozen:
            if location in self.head.contents and location not in self.head.frozen:
                self.learnt.frozen.add(location.key if location in self.loop.start.contents else location.key[1])  # type: ignore

    # --- parts ---------------------------------------------------------------------------------------------------------

    def slot(self, thing: Thing, now: Thing | None, type_: Type | None, path: Path) -> None:
        """One part of what is carried; `now` is None where no turn comes to its end."""
        walk = self.walk
        if isinstance(thing, REFERENCES):
            self._reference(thing, now, path)
        elif isinstance(thing, Bundle):
            parts = walk.bundle(now).things if now is not None else [None] * len(thing.things)
            types = type_.elems if isinstance(type_, TupleType) else [None] * len(thing.things)
            if len(parts) != len(thing.things):
                raise refuse(self.loop.op, "a tuple has another length after a turn; use a list")
            for k, (x, y, t) in enumerate(zip(thing.things, parts, types)):
                self.slot(x, y, t, (*path, k))
        elif isinstance(thing, KnownSum) and has_references(thing.type):
            self._sum(thing, now, path)
        elif now is None:
            self.found.append(walk.undef(thing.type))
        else:
            assert isinstance(thing, Value)
            if type_ is None:
                type_ = self._type(thing, now, path)
            self.found.append(walk.pure(walk.fitted(now, type_)))

    def _type(self, thing: Thing, now: Thing, path: Path) -> Type:
        """The type of what no declaration tells: it rises with what turns leave."""
        known = self.learnt.types.get(path, thing.type)
        if has_references(now.type):
            raise refuse(self.loop.op, "a variable or attribute is a list or object after a turn, and something else before")
        risen = joined(known, now.type)
        self.learnt.types[path] = risen
        return risen

    def _sum(self, thing: KnownSum, now: Thing | None, path: Path) -> None:
        walk = self.walk
        known = None if now is None else walk.apart(walk.fitted(now, thing.type))
        self.found.append(walk.undef(INT) if known is None else known.tag)
        if known is not None and not known.parts.keys() <= thing.parts.keys():
            self.learnt.alternatives[path] = frozenset({*thing.parts, *known.parts})
        for k, part in thing.parts.items():
            other = known.parts.get(k) if known is not None else None
            self.slot(part, other, thing.type.alternatives[k], (*path, k))

    def _reference(self, thing: Thing, now: Thing | None, path: Path) -> None:
        """Cases 2 and 3."""
        if path not in self.learnt.replaced:
            if now is not None and now is not thing:
                self.learnt.replaced.add(path)
            return
        assert isinstance(thing, Location)
        content = self.head.contents[thing]
        if now is None:
            self._nothing(content)
            return
        if now is not thing:
            self._hand_over(now, path)
            self.learnt.types[path] = joined(self.learnt.types.get(path, thing.type), now.type)
            self.learnt.loose.update((*path, "layout", d) for d in range(levels(thing.type)))
            self.learnt.loose.add((*path, "writes"))
        self.content(content, self.walk.content(now) if not _is_choice(now) else None, thing, path, now)

    def _hand_over(self, now: Thing, path: Path) -> None:
        position = self.walk.live.end[self.loop.op.blocks[1].ops[-1]]
        shared = self.loop.shared(now, self.walk.references(self.given_now, position))
        if shared:
            self.learnt.frozen.add(path)
            self.walk.freeze(shared)

    def _nothing(self, content: Content) -> None:
        """No turn comes to its end."""
        if isinstance(content, Run):
            self.found.append(self.walk.undef(content.value.type))
        elif isinstance(content, Listed):
            for thing in content.things:
                self.slot(thing, None, None, ())
        elif isinstance(content, Fields):
            for thing in content.things.values():
                self.slot(thing, None, None, ())
        else:
            self.slot(content.thing, None, None, ())

    def content(self, head: Content, now: Content | None, location: Location, path: Path, thing: Thing | None = None) -> None:
        """What the next turn starts from in an object."""
        loop, walk = self.loop, self.walk
        elem = location.type.elem if isinstance(location.type, ListType) else None
        if isinstance(head, Listed):
            if isinstance(now, Listed) and len(now.things) == len(head.things):
                for k, (x, y) in enumerate(zip(head.things, now.things)):
                    self.slot(x, loop._apart(y, elem), elem, (*path, k))  # type: ignore[arg-type]
            else:
                self.learnt.runs.add(path)
        elif isinstance(head, Fields):
            held = loop.fields(now, location.type).things if isinstance(now, Fields) else {}
            if list(held) != list(head.things):
                raise refuse(loop.op, "a dict has other keys after a turn of this loop; give it all of its keys before")
            for name, x in head.things.items():
                self.slot(x, held[name], loop.part(location.type, name), (*path, name))
        elif isinstance(head, Held):
            assert isinstance(now, Held)
            declared = loop.part(location.type)
            self.slot(head.thing, loop.apart(now.thing, declared), declared, (*path, "held"))
        else:
            source = location if thing is None else thing
            if thing is not None and not isinstance(thing, Location):
                self.found.append(walk.pure(thing))
                self.learnt.loose.add((*path, "owned"))
                return
            run = walk.as_run(source, walk.live.end[loop.op.blocks[1].ops[-1]], self.given_now) if now is not head else head
            self.found.append(run.value)
            self._tokens(head, run, path)

    def _tokens(self, head: Run, now: Run, path: Path) -> None:
        loose = self.learnt.loose
        loose.update((*path, "layout", d) for d, (x, y) in enumerate(zip(head.layouts, now.layouts)) if x is not y)
        if head.writes is not now.writes:
            loose.add((*path, "writes"))
        if head.owned and not now.owned:
            loose.add((*path, "owned"))


def _references(thing: Thing, path: Path) -> list[tuple[Path, Thing]]:
    """The references among the parts of a thing, each with its path."""
    if isinstance(thing, REFERENCES):
        return [(path, thing)]
    if isinstance(thing, Bundle):
        return [found for k, x in enumerate(thing.things) for found in _references(x, (*path, k))]
    if isinstance(thing, KnownSum):
        return [found for k, x in thing.parts.items() for found in _references(x, (*path, k))]
    return []


def _parts_of_content(content: Content, path: Path) -> list[tuple[Path, Thing]]:
    """What a content holds, each with its path."""
    if isinstance(content, Listed):
        return [((*path, k), x) for k, x in enumerate(content.things)]
    if isinstance(content, Fields):
        return [((*path, name), x) for name, x in content.things.items()]
    return [((*path, "held"), content.thing)] if isinstance(content, Held) else []


def _is_choice(thing: Thing) -> bool:
    return not isinstance(thing, Location) and isinstance(thing, REFERENCES)

