"""What every Storage holds at the point that the walk has reached, and the operations that read and write it.

    read(Part(getitem of b))        %v = getitem %b_now                  (once per Value that b holds)
    write(Part(getitem of b), %n)   %b_next = setitem_copy %b_now, %n    b holds %b_next from here on

What was read in a Block is known in it and in the Blocks inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...ir.core import Block, Loc, Operation, Ref, Value, map_leaves
from ...ir.join import is_subtype
from ...ir.spoken import spoken_operator
from ...ir.types import TensorType, Type
from ...ops.registry import View, view_of
from .emission import Emission
from .places import Bundle, Choice, Fixed, Part, Place, Root, Storage
from .refusals import refuse, unclear

MAY_COPY = (
    "{0} gives a view or a copy, by how its operand lies in memory, which isn't known here, and one of the two is written in "
    "place; write `x.clone()` in place of x, before the {0}"
)
_STALE = "{0} may have been written under another name, at {1}, and may not; give the two memory of their own with `x.clone()`"
_TWINS = "{0} may be the memory of {1} or not, by the path taken; give it memory of its own with `x.clone()` before it is written"


class StorageContents(Emission):
    """The present Values of Storages.

    copies: whether views give way to the operators that copy.
    twins: Storages that may be one memory, in pairs; a write to one makes the other `stale`.
    """

    def __init__(self, copies: bool):
        super().__init__()
        self.copies = copies
        self.now: dict[Storage, Value] = {}
        self.stamps: dict[Storage, tuple[int, int]] = {}  # of elements of containers: when they were taken out
        self.written: set[Storage] = set()  # since the start of the innermost loop or `try` around
        self.used: set[Storage] = set()
        self.twins: dict[Storage, set[Storage]] = {}
        self.stale: dict[Storage, Loc | None] = {}
        self.listeners: list[Callable[[Storage], None]] = []
        self.computed: set[Value] = set()  # what was written into a part, which lies in memory of its own
        self._seen: list[dict[Any, Value]] = []

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Append to `block`; what was found out inside about Storages is forgotten afterwards."""
        now, stamps = dict(self.now), dict(self.stamps)
        self._seen.append({})
        try:
            with super().inside(block):
                yield
        finally:
            self._seen.pop()
            self.now, self.stamps = now, stamps

    # --- reading -------------------------------------------------------------------------------------------------------

    def read(self, place: Place) -> Value:
        """The Value that is at `place` now."""
        if isinstance(place, Fixed):
            return place.value
        if isinstance(place, Root):
            return self.holds(place.storage)
        key = self._key(place)
        for seen in reversed(self._seen):
            if key in seen:
                return seen[key]
        value = self._make(place)
        self._seen[-1][key] = value
        return value

    def holds(self, storage: Storage) -> Value:
        """The Value that a Storage holds now."""
        if storage in self.stale:
            raise unclear(self.at, _STALE.format(storage.name or "this tensor", self.stale[storage]))
        storage.before_read(self)
        self.used.add(storage)
        return self.now[storage]

    def refusal(self, message: str) -> Exception:
        """The error of what the walk has reached."""
        return unclear(self.at, message)

    def twin(self, a: Storage, b: Storage) -> None:
        """The two may be one memory, by the path taken."""
        self.twins.setdefault(a, set()).add(b)
        self.twins.setdefault(b, set()).add(a)

    def remember(self, place: Place, value: Value) -> None:
        """`value` is at `place` until one of its Storages is written."""
        self._seen[-1][self._key(place)] = value

    def wrote(self, place: Place, value: Value) -> None:
        """`value`, which was computed apart, is at `place`."""
        self.computed.add(value)
        self.remember(place, value)

    def take_anew(self, storage: Storage) -> None:
        """From now on, views of a Storage are taken of what it holds, though parts of that were computed apart."""
        for seen in self._seen:
            known = {key: value for key, value in seen.items() if storage in key[0].storages()}
            if not self.computed.isdisjoint(known.values()):
                for key in known:
                    del seen[key]

    def succeed(self, new: Storage, old: Storage) -> None:
        """What is known of the memory of `old` holds for `new`, which is that memory seen from outside a Block."""
        new.kept = new.kept or old.kept or ("it was taken out of a list or variable on one path" if old.in_container else "")
        new.shelves.update(old.shelves)
        for twin in tuple(self.twins.get(old, ())):
            self.twin(new, twin)

    def _key(self, place: Place) -> Any:
        return (place, *(self.holds(storage) for storage in place.storages()))

    def _make(self, place: Place) -> Value:
        if isinstance(place, Part):
            return self._view(place)
        if isinstance(place, Bundle):
            return self.emit(place.op.name, [self.read(p) for p in place.parts], place.op.attrs, place.type)
        assert isinstance(place, Choice)
        then, orelse = place.then, place.orelse
        return self.branch(place.condition, lambda: [self.read(then)], lambda: [self.read(orelse)], [place.type])[0]

    def _view(self, place: Part) -> Value:
        if place.shares is None:
            raise refuse(self.at, MAY_COPY.format(place.op.name))
        operands = [self.read(place.base), *place.others]
        return self.emit(self.viewing(place.op.name), operands, place.op.attrs, place.type, place.op.n_positional)

    def viewing(self, name: str) -> str:
        """The operator that takes the part of contents which the view operator `name` takes of memory."""
        view = view_of(name)
        return view.copy if view is not None and (self.copies or view.of_memory) else name

    def branch(
        self, condition: Value, then: Callable[[], list[Value]], orelse: Callable[[], list[Value]], types: list[Type]
    ) -> list[Value]:
        """An `if` whose Blocks are what `then` and `orelse` append, and yield what they give."""
        blocks = [Block(), Block()]
        for block, arm in zip(blocks, (then, orelse)):
            with self.inside(block):
                self.append(Operation("yield", arm()))
        return self.core("if", [condition], {}, types, blocks).results

    # --- writing -------------------------------------------------------------------------------------------------------

    def make(self, storage: Storage, value: Value) -> None:
        """A Storage holds `value` from its start."""
        self.now[storage] = value

    def write(self, place: Place, value: Value) -> None:
        """`value` is at `place` from here on, and every other Place that shares memory with it shows so."""
        if isinstance(place, Root):
            self._write_storage(place.storage, value)
        elif isinstance(place, Part):
            self._write_part(place, value)
        elif isinstance(place, Choice):
            self._write_choice(place, value)
        else:
            raise unclear(self.at, f"a {place.type} can't be written in place")

    def _write_storage(self, storage: Storage, value: Value) -> None:
        if storage in self.stale:
            raise unclear(self.at, _STALE.format(storage.name or "this tensor", self.stale[storage]))
        if storage.kept:
            name = storage.name or "this tensor"
            raise unclear(self.at, f"{name} can't be written in place here: {storage.kept}; write into a clone()")
        for twin in self.twins.get(storage, ()):
            if twin.outside is not None or twin.kept:
                raise unclear(self.at, _TWINS.format(storage.name or "this tensor", twin.name or "another"))
            self.stale[twin] = self.at.loc if self.at is not None else None
        self.now[storage] = self._shaped(value, storage.type)
        self.written.add(storage)
        storage.after_write(self)
        for listen in self.listeners:
            listen(storage)

    def _shaped(self, value: Value, type_: Type) -> Value:
        """The value narrowed to the shape of the tensor that it is written into."""
        if not isinstance(type_, TensorType) or type_.shape is None or is_subtype(value.type, type_):
            return value
        shape = [-1 if n is None else n for n in type_.shape]
        return self.emit("expect", [value], {"shape": shape, "what": "what is written into a tensor"}, type_)

    def _write_part(self, place: Part, value: Value) -> None:
        view = view_of(place.op.name)
        if place.shares is None:
            raise refuse(self.at, MAY_COPY.format(place.op.name))
        if place.op.name == "sum.get":
            self.write(place.base, self.emit("sum.make", [value], place.op.attrs, place.base.type))
        elif view is None or view.scatter is None:
            found = spoken_operator(place.op.name)
            raise refuse(self.at, f"what {found} gives can't be written in place; write into `x.clone()`")
        else:
            self.write(place.base, self._whole(place, view, value))
        self.wrote(place, value)

    def _whole(self, place: Part, view: View, value: Value) -> Value:
        """The base of a view whose contents are now `value`."""
        restored = view.restore(place.base.type, place.op.attrs) if view.restore is not None else None
        if restored is not None:
            name, attrs = restored
            return self.emit(self.viewing(name), [value], attrs, place.base.type)
        attrs = map_leaves(place.op.attrs, lambda leaf: Ref(leaf.index + 1) if isinstance(leaf, Ref) else leaf)
        operands = [self.read(place.base), value, *place.others]
        assert view.scatter is not None
        return self.emit(view.scatter, operands, attrs, place.base.type, place.op.n_positional + 1)

    def _write_choice(self, place: Choice, value: Value) -> None:
        changed = list(dict.fromkeys(place.storages()))

        def arm(taken: Place) -> list[Value]:
            self.write(taken, value)
            return [self.now[s] for s in changed]

        types = [s.type for s in changed]
        found = self.branch(place.condition, lambda: arm(place.then), lambda: arm(place.orelse), types)
        self.now.update(zip(changed, found))
        self.wrote(place, value)
