"""The `try` statements that are active: what may be raised in their bodies, and what their handlers will find changed.

A body runs as plain Python until it meets an operation that may raise when the Program runs, and that a handler might catch.
From then on the body is a Block of a `try`. Before each such operation, what the body has changed is stored in cells, which
the handlers read: whatever raises, they see the values of that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ...errors import ConversionError
from ...ir.core import Value
from ...ir.types import AtomType, CellType, Type
from ..engine.exceptions import known_exception
from ..heap.frames import Frame
from ..heap.journal import Location, absent_as_unbound
from ..heap.markers import Restage
from ..joining.join import joined_type, same
from ..where.profiling import unwatched
from .unconverted_try import refuse_unconverted_try

if TYPE_CHECKING:
    from .recorder import Recorder


@dataclass
class Thrown:
    """One kind of exception that may arrive: its class, and the types of its arguments and attributes where it is known."""

    cls: type[BaseException]
    args: tuple[Type, ...] | None = None
    fields: dict[str, Type] = field(default_factory=dict)

    def may_be(self, kind: type[BaseException]) -> bool:
        """Whether an operator that is known to raise `cls` may raise `kind`, which derives from it."""
        is_ever = known_exception(kind.__name__) is kind and kind is not NotImplementedError  # which no operator raises
        return self.args is None and issubclass(kind, self.cls) and is_ever


@dataclass
class Spilled:
    """A location that the body changes, and the cell that keeps for handlers what it held when something was raised.

    No `loop.Carried`, which is an argument of a Block and gets its value where the Block before it ends: what is raised may
    arrive at a handler from anywhere in the body. So a spilled location is memory, written before whatever may raise.
    """

    location: Location
    before: object
    type: Type
    cell: Value | None = None
    known: dict[Frame, object] = field(default_factory=dict)  # what the cell holds at the end of each, so far
    is_expected: bool = False  # so far it is only known that the body changed it when it was staged before


class Attempt:
    """One `try`. `handlers`: for each handler a function that gives the classes it catches.

    passing: for a `finally`, whether it would record nothing now, so that what is raised passes it.
    """

    def __init__(
        self, rec: Recorder, site: Hashable, handlers: list[Callable[[], object]], staged: bool = False,
        passing: Callable[[], bool] | None = None,
    ):  # fmt: skip
        self.passing = passing
        self._passed_at: list[tuple] | None = None  # what was changed when it was asked last
        self.rec, self.site, self.handlers, self.staged = rec, site, handlers, staged
        self.frame = rec.frame  # of the body
        self.savepoint = rec.journal.depth
        self.spilled: dict[tuple, Spilled] = {}
        self.begin()

    def expect(self, spilled: dict[tuple, Spilled]) -> None:
        """Begin with the cells that this `try` needed when it was staged last, in a trial that has been given up."""
        for key, spill in spilled.items():
            birth = self.rec.heap.birth(spill.location.owner)
            if birth is None or birth in self.rec.frames:
                before = absent_as_unbound(spill.location, spill.location.get())
                type_ = joined_type(self.rec, spill.type, self.rec.type_of(before))
                self.spilled[key] = Spilled(spill.location, before, type_, is_expected=True)

    def end(self) -> bool:
        """The body has been staged; whether what it did stays: it isn't staged again, and nothing that it raises is caught.

        The locations that it was expected to change, and didn't, are forgotten.
        """
        for key in [key for key, spill in self.spilled.items() if spill.is_expected]:
            del self.spilled[key]
            self.stable = False
        return self.stable and not self.is_reached

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
        if self.passing is not None and self._passes():
            return thrown
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

    def _passes(self) -> bool:
        """Whether what is raised now passes the `finally`; asked anew when something has changed."""
        now = [(change.location.key, change.after) for change in self.rec.journal.changed_since(self.savepoint)]
        before, asked = self._passed_at, self.passing
        if before is not None and len(now) == len(before) and all(a == b and x is y for (a, x), (b, y) in zip(now, before)):
            return True
        self.passing = None  # what it records isn't caught by itself
        try:
            if asked is None or not asked():
                return False
        finally:
            self.passing = asked
        self._passed_at = now
        return True

    def reach(self) -> None:
        """Something that a handler may catch comes next."""
        if not self.staged:
            self.rec.facts.staged_tries.add(self.site)
            raise Restage.of_function()
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
        for spill in self.spilled.values():
            first = rec.coerce(spill.before, spill.type)
            spill.cell = rec.emit("cell.new", [first], [CellType(spill.type)]).result
            spill.cell.name = spill.location.name

    def enter_body(self) -> None:
        self.frame = self.rec.frame
        for spill in self.spilled.values():
            spill.known = {self.frame: spill.before}

    @unwatched
    def store(self) -> None:
        """Put what the body has changed into the cells."""
        for change in self.rec.journal.changed_since(self.savepoint):
            spill = self.spilled.get(change.location.key)
            if spill is not None:
                spill.is_expected = False
            elif not self._made_inside(change.location.owner):
                before = absent_as_unbound(change.location, change.before)
                self.spilled[change.location.key] = Spilled(change.location, before, self.rec.type_of(before))
        for key, spill in list(self.spilled.items()):
            if self.rec.heap.was_staged_late(spill.location):
                del self.spilled[key]
                self.stable = False
            else:
                self._store(spill, absent_as_unbound(spill.location, spill.location.get()))

    def _store(self, spill: Spilled, value: object) -> None:
        rec = self.rec
        risen = joined_type(rec, spill.type, self._type_of(spill.location, value))
        if spill.cell is None or risen != spill.type:
            spill.type, self.stable = risen, False
            return
        frames = rec.frames[rec.frames.index(self.frame) :]
        here = frames[-1]
        if here in spill.known and same(spill.known[here], value):
            return
        stored = rec.coerce(value, spill.type)
        rec.emit("cell.set", [rec.local(spill.cell), stored])
        for frame in frames:
            spill.known.pop(frame, None)
        spill.known[here] = value

    def _type_of(self, location: Location, value: object) -> Type:
        """The type of what a location holds; an object made in the body has no value that a handler could be given."""
        rec = self.rec
        type_ = rec.type_of(value)
        if isinstance(type_, AtomType) and self._made_inside(value) and not callable(value):
            raise ConversionError(
                f"{rec.here()}: this may raise when the Program runs, and a handler around it would find in {location} the "
                f"{type(value).__name__} that was made inside the 'try'; make it before the 'try'"
            )
        return type_

    def _made_inside(self, value: object) -> bool:
        """Whether an object was born in the body, so that no handler could know it."""
        rec = self.rec
        birth = rec.heap.birth(value)
        return birth in rec.frames and rec.frames.index(birth) >= rec.frames.index(self.frame)

    def restore(self) -> None:
        """In a handler: what the body had changed by then."""
        rec = self.rec
        for spill in self.spilled.values():
            assert spill.cell is not None
            held = rec.emit("cell.get", [rec.local(spill.cell)], [spill.type]).result
            held.name = spill.location.name
            rec.journal.write(spill.location, rec.wrap(held))


class RefusedAttempt(Attempt):
    """The body of something that isn't converted, and that might catch what is raised. `what` is to be read in messages."""

    def __init__(self, rec: Recorder, what: str):
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
        self.frame: Frame | None = None

    def offer(self, thrown: list[Thrown]) -> list[Thrown]:
        self.thrown += [one for one in thrown if one not in self.thrown]
        return thrown


def may_raise(rec: Recorder, thrown: list[Thrown]) -> None:
    """An operation that may raise one of `thrown` is about to be recorded."""
    for attempt in reversed(rec.handling.attempts):
        if not thrown:
            break
        if attempt.frame in rec.frames:  # else the operation goes to a Block outside of it
            thrown = attempt.offer(thrown)
    if thrown:
        refuse_unconverted_try(rec)
