"""The heap of the walk: what lies where, who may still know it, and what may not be changed any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator

from ...ir.core import Block, Operation, Program, Value
from ...ir.types import CellType, Type
from ..functionalize.emission import Emission
from .liveness import Liveness
from .pure_types import PureTypes
from .refusals import CopiedError, refuse
from .state import Content, Run, State, things_in
from .things import Element, Location, OpenSum, Place, Thing, parts_of

_FROZEN = (
    "{} is changed here, after its {} were copied at {}, where another name for it stays in use; change it before that, or "
    "put a copy there: {}.{}()"
)
_NOT_OWNED = (
    "a list or object that lies in a list is changed here, and may be known by another name, too; put copies into the list, or "
    "store the changed one anew"
)
_MOVED = "a list or object that lay in a list is used here after the items of that list were moved; take it out of the list again"


class Environment(dict[Value, Thing]):
    """The things for which the Values of the original Program stand. leading: the few of them that lead to Locations."""

    def __init__(self, known: Environment | None = None):
        super().__init__(known or {})
        self.leading: dict[Value, Thing] = dict(known.leading) if known is not None else {}

    def __setitem__(self, value: Value, thing: Thing) -> None:
        super().__setitem__(value, thing)
        if isinstance(thing, Value):
            self.leading.pop(value, None)
        else:
            self.leading[value] = thing

    def bind(self, values: Iterable[Value], things: Iterable[Thing]) -> None:
        """Let each value stand for the thing beside it."""
        for value, thing in zip(values, things):
            self[value] = thing


class Heap(Emission):
    """state: what the heap holds now. env: what the Values of the original Program stand for. roots: what outlives the call.

    read_at_raise: those of the roots that are read where something was raised.
    telling: loops that tell their own objects from those that others know (case 4 of `loops.py`).
    made, merged: the Locations that operations have made, and those for which another one stands after some join.
    """

    def __init__(self, program: Program, telling: Collection[Operation] = ()):
        super().__init__()
        self.telling = telling
        self.program, self.types, self.live = program, PureTypes(program), Liveness(program)
        self.state = State()
        self.env = Environment()
        self.roots: list[Location] = []
        self.read_at_raise: list[Location] = []
        self.made: set[Location] = set()
        self.merged: set[Location] = set()
        self._keys: Counter[Operation | None] = Counter()

    def at_operation(self, op: Operation) -> None:
        """The walk has reached an operation."""
        self.at = op
        self._keys[op] = 0

    def mark(self) -> tuple[Block, int]:
        """Where the next operation is appended."""
        return self._blocks[-1], len(self._blocks[-1].ops)

    def back_to(self, mark: tuple[Block, int]) -> None:
        """Take back what was appended since."""
        block, count = mark
        del block.ops[count:]

    def fresh_key(self) -> Hashable:
        """A key for a Location that the operation makes; the same one where the walk comes again."""
        self._keys[self.at] += 1
        return self.at, self._keys[self.at]

    def new(self, type_: Type, content: Content, key: Hashable = None) -> Location:
        """A new object."""
        made = Location(type_, self.fresh_key() if key is None else key)
        self.made.add(made)
        self.state.contents[made] = content
        return made

    def whole(self) -> list[Location]:
        """The Locations of which all is there that they hold; nobody knows the others any more."""
        found = dict(self.state.contents)
        while gone := [x for x, content in found.items() if any(part not in found for part in self.named(things_in(content)))]:
            for location in gone:
                del found[location]
        return list(found)

    # --- who knows what ------------------------------------------------------------------------------------------------

    def reached(self, things: Iterable[Thing], state: State | None = None, besides: Location | None = None) -> set[Location]:
        """The Locations that things lead to; the contents of `besides` aren't looked at."""
        contents = (state or self.state).contents
        found: set[Location] = set()
        waiting = list(things)
        while waiting:
            thing = waiting.pop()
            waiting += parts_of(thing)
            for location in _directly(thing):
                if location not in found:
                    found.add(location)
                    if location in contents and location is not besides:
                        waiting += things_in(contents[location])
        return found

    def known(
        self, after: int | None = None, things: Iterable[Thing] = (), state: State | None = None, besides: Location | None = None
    ) -> set[Location]:
        """The Locations that something uses after a position, the present one if None, or that `things` lead to."""
        return self.reached([*self.used(after), *things], state, besides)

    def used(self, position: int | None) -> list[Thing]:
        """What is used after a position, or outlives the call."""
        assert self.at is not None
        after = self.live.start[self.at] if position is None else position
        used = [thing for value, thing in self.env.leading.items() if self.live.is_used_after(value, after)]
        return [*used, *self.roots]

    @staticmethod
    def named(things: Iterable[Thing]) -> Iterator[Location]:
        """The Locations among things and their parts, without what their contents lead to."""
        waiting = list(things)
        while waiting:
            thing = waiting.pop()
            waiting += parts_of(thing)
            yield from _directly(thing)

    def references(self, things: Iterable[Thing], position: int | None = None) -> Counter[Location]:
        """How many references there are to each Location: of what is used after a position, of `things`, of contents."""
        return self._count([*self.used(position), *things])

    def _count(self, things: Iterable[Thing]) -> Counter[Location]:
        counts: Counter[Location] = Counter()
        waiting = list(things)
        while waiting:
            thing = waiting.pop()
            waiting += parts_of(thing)
            for location in _directly(thing):
                if location not in counts:
                    waiting += things_in(self.state.contents[location]) if location in self.state.contents else ()
                counts[location] += 1
        return counts

    def shared(self, thing: Thing, counts: Counter[Location]) -> set[Location]:
        """What a reference may lead to that is known by another name, too. counts: how many references there are to each."""
        own = Counter(self.named([thing]))
        return {location for location, count in own.items() if counts[location] > count}

    def has_twins(self, things: Iterable[Thing]) -> bool:
        """Whether some Location is reached in more than one way."""
        return any(count > 1 for count in self._count(things).values())

    def freeze(self, locations: Iterable[Location], by: Operation | None = None) -> None:
        """They may not be changed any more: what they hold has been copied, by this operation unless another one is named."""
        for location in locations:
            self.state.frozen.setdefault(location, by or self.at)

    def give_away(self, thing: Thing, besides: Location | None = None) -> bool:
        """The contents of a thing are copied: what somebody still knows is frozen. Whether nobody does."""
        reached = self.reached([thing])
        shared = reached & self.known(besides=besides)
        self.freeze(shared)
        runs = [self.state.contents[x] for x in reached]
        for location in shared:
            self.disown(location)
        return not shared and not self.has_twins([thing]) and all(run.owned for run in runs if isinstance(run, Run))

    def disown(self, location: Location) -> None:
        """Somebody else knows the lists and objects in a sequence."""
        content = self.state.contents[location]
        if isinstance(content, Run):
            self.state.contents[location] = Run(content.value, content.layouts, content.writes, owned=False)

    # --- reading and writing -------------------------------------------------------------------------------------------

    def store(self, location: Location, content: Content) -> None:
        """The user's code gives an object another content."""
        if location in self.state.frozen:
            copied = self.state.frozen[location]
            where = copied.loc if copied is not None and copied.loc else "another operation"
            is_tensor = isinstance(location.type, CellType)
            what, items, copy = ("a tensor", "elements", "clone") if is_tensor else ("a list or object", "items", "copy")
            text = _FROZEN.format(location.name or what, items, where, location.name or "it", copy)
            raise CopiedError(copied, refuse(self.at, text))
        self.state.contents[location] = content

    def run_of(self, place: Place) -> Run:
        """What the Location holds in which a Place is."""
        content = self.state.contents[place.root]
        if not isinstance(content, Run):
            raise refuse(self.at, _MOVED)
        return content

    def has_moved(self, place: Place) -> bool:
        """Whether what is at a Place now needn't be what was read there."""
        return self.run_of(place).layouts[: place.depth] != place.run.layouts[: place.depth]

    def check_owned(self, place: Place) -> Run:
        """The content of a Place that may be changed through it."""
        run = self.run_of(place)
        if self.has_moved(place):
            raise refuse(self.at, _MOVED)
        if not run.owned or place.root in self.state.frozen:
            raise refuse(self.at, _NOT_OWNED)
        return run


def _directly(thing: Thing) -> Iterator[Location]:
    if isinstance(thing, Location):
        yield thing
    elif isinstance(thing, Element) or (isinstance(thing, OpenSum) and thing.place is not None):
        assert thing.place is not None
        yield thing.place.root
