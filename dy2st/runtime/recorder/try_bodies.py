"""The `try` statements that are active: what may be raised in their bodies, and what their handlers will find changed.

A body runs as plain Python until it meets an operation that may raise when the Program runs, and that a handler might catch.
From then on the body is a Block of a `try`. Before each such operation, what the body has changed is stored in cells, which
the handlers read: whatever raises, they see the values of that moment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...errors import ConversionError
from ...ir.core import Value
from ...ir.join import join_types
from ...ir.types import AtomType, CellType, Type
from ..engine.exceptions import known_exception
from ..heap.journal import Location
from ..heap.markers import MISSING, Restage, Unbound
from ..joining.join import same
from .unconverted_try import refuse_unconverted_try
from .watch import unwatched


@dataclass
class Thrown:
    """One kind of exception that may arrive: its class, and the types of its arguments and attributes where it is known."""

    cls: type[BaseException]
    args: tuple[Type, ...] | None = None
    fields: dict[str, Type] = field(default_factory=dict)


    def may_be(self, kind: type[BaseException]) -> bool:
        """Whether an operator that is known to raise `cls` may raise `kind`, which derives from it."""
        return self.args is None and issubclass(kind, self.cls) and known_exception(kind.__name__) is kind


@dataclass
class Slot:
    """A location that the body changes, and the cell for what it held when something was raised."""

    location: Location
    before: Any
    type: Type
    cell: Value | None = None
    known: dict[Any, Any] = field(default_factory=dict)  # Frame -> what the cell holds there, at the end so far
    is_expected: bool = False  # so far it is only known that the body changed it when it was staged before


class Attempt:
    """One `try`. `handlers`: for each handler a function that gives the classes it catches."""

    def __init__(self, rec: Any, site: Any, handlers: list[Callable[[], Any]], staged: bool = False):
        self.rec, self.site, self.handlers, self.staged = rec, site, handlers, staged
        self.frame = rec.frame  # of the body
        self.savepoint = rec.journal.depth
        self.slots: dict[tuple, Slot] = {}
        self.begin()

    def expect(self, slots: dict[tuple, Slot]) -> None:
        """Begin with the cells that this `try` needed when it was staged last, in a trial that has been given up."""
        for key, slot in slots.items():
            birth = self.rec.heap.birth(slot.location.owner)
            if birth is None or birth in self.rec.frames:
                before = _held(slot.location, slot.location.get())
                type_ = join_types(slot.type, self.rec.type_of(before))
                self.slots[key] = Slot(slot.location, before, type_, is_expected=True)

    def drop_unneeded(self) -> None:
        """After the body: forget the locations that it was expected to change, and didn't."""
        for key in [key for key, slot in self.slots.items() if slot.is_expected]:
            del self.slots[key]
            self.stable = False

    def begin(self) -> None:
        """The body is about to be staged (again)."""
        self.thrown: list[list[Thrown]] = [[] for _ in self.handlers]  # what reaches each handler
        self.stable = True
        self.is_storing = False

    @cached_property
    def kinds(self) -> list[tuple[type[BaseException], ...]]:
        """What each handler catches, asked for when something is raised, as Python does."""
        return [kinds if isinstance(kinds := handler(), tuple) else (kinds,) for handler in self.handlers]

    @property
    def is_reached(self) -> bool:
        return any(self.thrown)

    # --- what may be raised --------------------------------------------------------------------------------------------

    def offer(self, thrown: list[Thrown]) -> list[Thrown]:
        """Something may be raised inside; what of it goes on to the `try` around this one."""
        going: list[Thrown] = []
        is_reached = False
        for one in thrown:
            for kinds, reaching in zip(self.kinds, self.thrown):
                if issubclass(one.cls, kinds):
                    reaching.append(one)
                    is_reached = True
                    break
                if any(one.may_be(kind) for kind in kinds):
                    reaching.append(one)
                    is_reached = True
            else:
                going.append(one)
        if is_reached:
            self.reach()
        return going

    def reach(self) -> None:
        """Something that a handler may catch comes next."""
        if not self.staged:
            self.rec.facts.staged_tries.add(self.site)
            raise Restage(None, lambda: None)
        if not self.is_storing:  # what converts a value for its cell may raise, too
            self.is_storing = True
            try:
                self.store()
            finally:
                self.is_storing = False

    # --- what handlers find --------------------------------------------------------------------------------------------

    def make_cells(self) -> None:
        """Before the body: cells for what it is known to change."""
        rec = self.rec
        for slot in self.slots.values():
            first = rec.coerce(slot.before, slot.type)
            slot.cell = rec.emit("cell.new", [first], [CellType(slot.type)]).result
            slot.cell.name = slot.location.name

    def enter_body(self) -> None:
        self.frame = self.rec.frame
        for slot in self.slots.values():
            slot.known = {self.frame: slot.before}

    @unwatched
    def store(self) -> None:
        """Put what the body has changed into the cells."""
        for change in self.rec.journal.changed_since(self.savepoint):
            slot = self.slots.get(change.location.key)
            if slot is not None:
                slot.is_expected = False
            elif not self._made_inside(change.location.owner):
                before = _held(change.location, change.before)
                self.slots[change.location.key] = Slot(change.location, before, self.rec.type_of(before))
        for key, slot in list(self.slots.items()):
            if self.rec.heap.was_staged_late(slot.location):
                del self.slots[key]
                self.stable = False
            else:
                self._store(slot, _held(slot.location, slot.location.get()))

    def _store(self, slot: Slot, value: Any) -> None:
        rec = self.rec
        risen = join_types(slot.type, self._type_of(slot.location, value))
        if slot.cell is None or risen != slot.type:
            slot.type, self.stable = risen, False
            return
        frames = rec.frames[rec.frames.index(self.frame) :]
        here = frames[-1]
        if here in slot.known and same(slot.known[here], value):
            return
        stored = rec.coerce(value, slot.type)
        rec.emit("cell.set", [rec.local(slot.cell), stored])
        for frame in frames:
            slot.known.pop(frame, None)
        slot.known[here] = value

    def _type_of(self, location: Location, value: Any) -> Type:
        """The type of what a location holds; an object made in the body has no value that a handler could be given."""
        rec = self.rec
        type_ = rec.type_of(value)
        if isinstance(type_, AtomType) and self._made_inside(value) and not callable(value):
            raise ConversionError(
                f"{rec.here()}: this may raise when the Program runs, and a handler around it would find in {location} the "
                f"{type(value).__name__} that was made inside the 'try'; make it before the 'try'"
            )
        return type_

    def _made_inside(self, value: Any) -> bool:
        """Whether an object was born in the body, so that no handler could know it."""
        rec = self.rec
        birth = rec.heap.birth(value)
        return birth in rec.frames and rec.frames.index(birth) >= rec.frames.index(self.frame)

    def restore(self) -> None:
        """In a handler: what the body had changed by then."""
        rec = self.rec
        for slot in self.slots.values():
            assert slot.cell is not None
            held = rec.emit("cell.get", [rec.local(slot.cell)], [slot.type]).result
            held.name = slot.location.name
            rec.journal.write(slot.location, rec.wrap(held))


class RefusedAttempt(Attempt):
    """The body of something that isn't converted, and that might catch what is raised. `what` is to be read in messages."""

    def __init__(self, rec: Any, what: str):
        super().__init__(rec, None, [lambda: BaseException])
        self.what = what

    def reach(self) -> None:
        raise ConversionError(
            f"{self.rec.here()}: this may raise when the Program runs, where {self.what} around it can't act on it; "
            "write it as a class with __enter__ and __exit__"
        )


class Passage:
    """The body of a Function of the Program: what is raised in it, and passes on to whoever calls it."""

    def __init__(self) -> None:
        self.thrown: list[Thrown] = [Thrown(RecursionError)]
        self.frame: Any = None

    def offer(self, thrown: list[Thrown]) -> list[Thrown]:
        self.thrown += [one for one in thrown if one not in self.thrown]
        return thrown


def may_raise(rec: Any, thrown: list[Thrown]) -> None:
    """An operation that may raise one of `thrown` is about to be recorded."""
    for attempt in reversed(rec.attempts):
        if not thrown:
            break
        if attempt.frame in rec.frames:  # else the operation goes to a Block outside of it
            thrown = attempt.offer(thrown)
    if thrown:
        refuse_unconverted_try(rec)


def _held(location: Location, value: Any) -> Any:
    return Unbound(str(location)) if value is MISSING else value
