"""Places: where the memory of a Value lies, as far as it is known without running the Program.

    b = a + 1          b: Root(storage of b)
    c = b[0]           c: Part(getitem of b)
    d = c.t()          d: Part(transpose of c)
    e = d if p else a  e: Choice(p, d, a)
    t = (d, 3)         t: Bundle(tuple.new of d, 3)

What a Storage holds is a Value that changes from write to write (`contents.py`); a Place says how to find it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...ir.core import Operation, Value
from ...ir.types import Type


class Storage:
    """Memory of its own.

    outside: the input or parameter whose memory it is, which sees the final contents; None for what the Program makes.
    kept: why it can't be written, "" where it can: somebody holds the present Value of it.
    row_major: whether it is known to lie in row-major order.
    in_container: whether its contents lie in a list, dict, object or cell.
    """

    in_container = False

    def __init__(self, type_: Type, name: str = "", group: Any = None, outside: Value | None = None, row_major: bool = False):
        self.type, self.name, self.group = type_, name, group
        self.outside, self.row_major = outside, row_major
        self.kept = ""
        self.shelves: dict[Any, int] = {}  # the containers it may lie in, with the writes to tensors in them that it has seen

    def before_read(self, contents: Any) -> None:
        """Called before its Value is used."""
        for shelf, seen in self.shelves.items():
            if shelf.writes != seen:
                raise contents.refusal(
                    f"{self.name or 'this tensor'} may have been written as an element of a list or variable; "
                    "put `x.clone()` into it"
                )

    def after_write(self, contents: Any) -> None:
        """Called when it holds another Value."""

    def __repr__(self) -> str:
        return f"<Storage {self.name or '?'}: {self.type}>"


class Place:
    """A way to find a value, once it is known what every Storage holds."""

    type: Type

    def storages(self) -> Iterator[Storage]:
        """The Storages on which the value depends."""
        raise NotImplementedError


class Fixed(Place):
    """A Value that no write changes."""

    def __init__(self, value: Value):
        self.value, self.type = value, value.type

    def storages(self) -> Iterator[Storage]:
        return iter(())


class Root(Place):
    """All that a Storage holds."""

    def __init__(self, storage: Storage):
        self.storage, self.type = storage, storage.type

    def storages(self) -> Iterator[Storage]:
        yield self.storage


class Part(Place):
    """A view of another Place, or the alternative of a sum in it: one operation on it, with other operands that don't change.

    shares: whether the view shares its base's memory; None: that depends on how the base lies in memory, which isn't known.
    """

    def __init__(self, base: Place, op: Operation, others: Sequence[Value], type_: Type, shares: bool | None = True):
        self.base, self.op, self.others, self.type, self.shares = base, op, list(others), type_, shares

    def storages(self) -> Iterator[Storage]:
        return self.base.storages()


class Choice(Place):
    """One Place or another, by what a condition was."""

    def __init__(self, condition: Value, then: Place, orelse: Place, type_: Type):
        self.condition, self.then, self.orelse, self.type = condition, then, orelse, type_

    def storages(self) -> Iterator[Storage]:
        yield from self.then.storages()
        yield from self.orelse.storages()


class Bundle(Place):
    """A tuple, a sum, or a list that is only returned: made of parts when it is asked for."""

    def __init__(self, op: Operation, parts: Sequence[Place], type_: Type):
        self.op, self.parts, self.type = op, list(parts), type_

    def storages(self) -> Iterator[Storage]:
        for part in self.parts:
            yield from part.storages()


def part_of(place: Place, op: Operation, others: Sequence[Value] = ()) -> Place:
    """The Place of what `tuple.get` or `sum.get` takes out of another."""
    type_ = op.result.type
    if isinstance(place, Bundle):
        return place.parts[op.attrs["index"] if place.op.name != "sum.make" else 0]
    if isinstance(place, Choice):
        reached = [p for p in (place.then, place.orelse) if _may_be_taken(p, op)]
        if len(reached) == 1:
            return part_of(reached[0], op, others)
        return Choice(place.condition, part_of(place.then, op, others), part_of(place.orelse, op, others), type_)
    return Part(place, op, others, type_)


def _may_be_taken(place: Place, op: Operation) -> bool:
    """Whether a sum may be the alternative that `op` takes."""
    if isinstance(place, Bundle) and place.op.name == "sum.make":
        return place.op.attrs["index"] == op.attrs["index"]
    if isinstance(place, Choice):
        return _may_be_taken(place.then, op) or _may_be_taken(place.orelse, op)
    return True
