"""Control flow whose Blocks write memory: what they leave in each Storage becomes a result.

    if %p:                               %b_next = if %p : float32[3]
      then:                                then:
        add_ %b, %x           ->             %0 = add %b_now, %x
        yield                                yield %0
      else:                                else:
        yield                                yield %b_now

1. Storages from outside that some Block writes: one more result each.
2. A result that is memory made in each of the Blocks is memory made by the `if`. A result at the same Place in all Blocks is at
   that Place. What differs is a Choice by the condition, so that a write reaches what the path had chosen.
3. Memory made in one Block only, and operands of views made there, come out as further results, `undef` in the other Blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.core import Operation, Value
from ...ir.join import join_all
from ...ir.types import BOOL, Type
from .arms import Arm, is_inside
from .places import Bundle, Choice, Fixed, Part, Place, Root, Storage

if TYPE_CHECKING:
    from .walk import Walk


class Merge:
    """The results of an operation with several Arms, one of which is taken."""

    def __init__(self, walk: Walk, op: Operation, arms: list[Arm]):
        self.walk, self.op = walk, op
        self.arms = [arm for arm in arms if arm.arrives]
        self.types: list[Type] = []
        self.columns: list[list[Place | Value | None]] = []
        self.made: list[Storage | Value | None] = []  # what each result stands for afterwards
        self.slots: dict[tuple[int, Storage], Storage] = {}
        self.hidden: dict[tuple[int, Value], Value] = {}
        self.flags: dict[int, Value] = {}

    def column(self, type_: Type, cells: list[Place | Value | None], made: Storage | Value | None) -> None:
        """One more result: what each Arm yields for it (None: nothing, it isn't read then)."""
        self.types.append(type_)
        self.columns.append(cells)
        self.made.append(made)

    # --- Places afterwards ---------------------------------------------------------------------------------------------

    def merged(self, places: list[Place], type_: Type) -> Place:
        """Case 2: where a result of the Arms is to be found afterwards."""
        first = places[0]
        if all(isinstance(p, Root) for p in places):
            found = self._merged_roots([p.storage for p in places], type_)  # type: ignore[attr-defined]
            if found is not None:
                return Root(found)
        if all(p is first for p in places) and self._is_outside(first):
            return first
        if all(isinstance(p, Part) for p in places) and all(_same_view(p, first) for p in places):
            bases = [p.base for p in places]  # type: ignore[attr-defined]
            others = [self._outside_value(0, v) for v in first.others]  # type: ignore[attr-defined]
            shares = None if any(p.shares is None for p in places) else True  # type: ignore[attr-defined]
            return Part(self.merged(bases, join_all(b.type for b in bases)), first.op, others, type_, shares)  # type: ignore
        if all(isinstance(p, Bundle) and p.op.name == first.op.name and p.op.attrs == first.op.attrs for p in places):  # type: ignore
            parts = zip(*(p.parts for p in places))  # type: ignore[attr-defined]
            return Bundle(first.op, [self.merged(list(ps), join_all(p.type for p in ps)) for ps in parts], type_)  # type: ignore
        return self._choice(places, type_)

    def _merged_roots(self, storages: list[Storage], type_: Type) -> Storage | None:
        keys = list(enumerate(storages))
        if all(self._is_known(s) for s in storages):
            return storages[0] if all(s is storages[0] for s in storages) else None
        slots = [self.slots.get(key) for key in keys]
        if any(self._is_known(s) for s in storages) or not all(s is slots[0] for s in slots):
            return None
        if slots[0] is not None:
            return slots[0]
        new = self._new_slot(storages, type_)
        self.slots.update((key, new) for key in keys)
        self.column(type_, [Root(s) for s in storages], new)
        return new

    def _new_slot(self, storages: Sequence[Storage], type_: Type) -> Storage:
        new = Storage(type_, storages[0].name, storages[0].group, None, all(s.row_major for s in storages))
        for storage in storages:
            self.walk.contents.succeed(new, storage)
        return new

    def _choice(self, places: list[Place], type_: Type) -> Place:
        found = self.outside(len(places) - 1, places[-1])
        for arm in reversed(range(len(places) - 1)):
            found = Choice(self._flag(arm), self.outside(arm, places[arm]), found, type_)
        return found

    def _flag(self, arm: int) -> Value:
        """A bool that says, afterwards, whether an Arm was taken."""
        if self.op.name == "if":
            return self.op.operands[0]
        if arm not in self.flags:
            self.flags[arm] = Value(BOOL)
            self.column(BOOL, [_const(a, at == arm) for at, a in enumerate(self.arms)], self.flags[arm])
        return self.flags[arm]

    def outside(self, arm: int, place: Place) -> Place:
        """Case 3: the Place of one Arm in terms of what is known afterwards."""
        if isinstance(place, Fixed):
            return Fixed(self._outside_value(arm, place.value))
        if isinstance(place, Root):
            return Root(self._outside_storage(arm, place.storage))
        if isinstance(place, Part):
            others = [self._outside_value(arm, v) for v in place.others]
            return Part(self.outside(arm, place.base), place.op, others, place.type, place.shares)
        if isinstance(place, Choice):
            condition = self._outside_value(arm, place.condition)
            return Choice(condition, self.outside(arm, place.then), self.outside(arm, place.orelse), place.type)
        assert isinstance(place, Bundle)
        return Bundle(place.op, [self.outside(arm, p) for p in place.parts], place.type)

    def _outside_storage(self, arm: int, storage: Storage) -> Storage:
        if self._is_known(storage):
            return storage
        if (arm, storage) not in self.slots:
            self.slots[arm, storage] = new = self._new_slot([storage], storage.type)
            self.column(storage.type, [Root(storage) if at == arm else None for at in range(len(self.arms))], new)
        return self.slots[arm, storage]

    def _outside_value(self, arm: int, value: Value) -> Value:
        if not is_inside(value, self.op):
            return value
        if (arm, value) not in self.hidden:
            self.hidden[arm, value] = new = Value(value.type, value.name)
            self.column(value.type, [value if at == arm else None for at in range(len(self.arms))], new)
        return self.hidden[arm, value]

    def _is_known(self, storage: Storage) -> bool:
        return storage in self.walk.contents.now

    def _is_outside(self, place: Place) -> bool:
        return all(map(self._is_known, place.storages())) and not any(is_inside(v, self.op) for v in _values(place))

    # --- the operation -------------------------------------------------------------------------------------------------

    def results(self) -> None:
        """A column for each result of the operation; those that are memory which is written become Places."""
        for k, value in enumerate(self.op.results):
            if self.arms and any(not isinstance(arm.places[k], Fixed) for arm in self.arms):
                self.walk.bind(value, self.merged([arm.places[k] for arm in self.arms], value.type))
            else:
                self.column(value.type, [arm.places[k] for arm in self.arms], value)

    def build(self) -> None:
        """End the Arms, and append the operation with its new results."""
        for at, arm in enumerate(self.arms):
            with self.walk.contents.inside(arm.block):
                cells = [column[at] for column in self.columns]
                yields = [self._undef(t) if c is None else c for c, t in zip(cells, self.types)]
            arm.finish(yields)
        op = self.op
        made = Operation(op.name, op.operands, op.attrs, self.types, op.blocks, op.loc, op.path)
        for k, stands_for in enumerate(self.made):
            if isinstance(stands_for, Value):
                made.results[k] = stands_for
                stands_for.owner = made
            elif stands_for is not None:
                made.results[k].name = stands_for.name if "." not in stands_for.name else ""
                self.walk.contents.now[stands_for] = made.results[k]
        self.walk.contents.append(made)

    def _undef(self, type_: Type) -> Value:
        return self.walk.contents.append(Operation("undef", (), {}, [type_], (), self.op.loc, self.op.path)).result


def merge_if(walk: Walk, op: Operation) -> None:
    """Rewrite an `if`."""
    op.operands = [walk.read(v) for v in op.operands]
    arms = [Arm(walk, block) for block in op.blocks]
    merge = Merge(walk, op, arms)
    merge.results()
    for storage, before in list(walk.contents.now.items()):  # case 1
        after = [arm.now[storage] for arm in merge.arms]
        if not storage.in_container and any(value is not before for value in after):
            merge.column(storage.type, list(after), storage)
    merge.build()


def _const(arm: Arm, value: bool) -> Value:
    return arm.block.append(Operation("const", (), {"value": value}, [BOOL], loc=arm.end.loc, path=arm.end.path)).result


def _values(place: Place) -> list[Value]:
    """The Values besides Storages that a Place refers to."""
    if isinstance(place, Fixed):
        return [place.value]
    if isinstance(place, Part):
        return [*place.others, *_values(place.base)]
    if isinstance(place, Choice):
        return [place.condition, *_values(place.then), *_values(place.orelse)]
    return [v for part in place.parts for v in _values(part)] if isinstance(place, Bundle) else []


def _same_view(place: Place, other: Place) -> bool:
    """Whether two views are taken in the same way."""
    assert isinstance(place, Part)
    assert isinstance(other, Part)
    return (place.op.name, place.op.attrs, place.others) == (other.op.name, other.op.attrs, other.others)
