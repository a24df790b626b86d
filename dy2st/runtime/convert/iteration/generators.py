"""Generators of the user's, converted: their items are pushed into the loop that consumes them."""

from __future__ import annotations

from collections.abc import Callable
from types import GeneratorType
from typing import Any

from ...recorder.recorder import Recorder
from ..operations.attributes import store_attribute
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Iteration
from ..operations.logical import convert_logical_or
from .generation import CarriedNames, Generation
from .zip_and_enumerate import Zipped


class Generator(Generation):
    """A call of a generator function. `make(consume)` runs its body, which hands every item to `consume`."""

    stands_for: type = GeneratorType

    def __init__(self, rec: Recorder, name: str, make: Callable[[Callable], Any], site: tuple):
        super().__init__(rec, site)
        self.name, self.make = name, make

    def describe(self) -> str:
        return f"generator '{self.name}'"

    def send(self, *_: Any) -> Any:
        """`send`, `throw` and `close` are for one that can be left: it is made anew as such."""
        self.one_by_one()

    throw = close = send

    def run(self, consume: Callable[[Any], Any]) -> Any:
        held = self.rec.heap.born_here(CarriedNames(("stopped",), [False]))
        of_consumer: list[StopIteration] = []

        def hand(item: Any) -> Any:
            try:
                stopped = consume(item)
            except StopIteration as error:
                of_consumer.append(error)
                raise
            store_attribute(self.rec, held, "stopped", stopped)
            return held.values(("stopped",))[0]

        try:
            self.make(hand)
        except StopIteration as error:
            if error in of_consumer:
                raise
            raise stopped_inside() from error
        return held.values(("stopped",))[0]


def stopped_inside() -> RuntimeError:
    """What Python raises in place of a StopIteration that leaves the body of a generator."""
    return RuntimeError("generator raised StopIteration")


class Numbered(Generation):
    """`enumerate` of a Generation."""

    stands_for = enumerate

    def __init__(self, inner: Generation, start: Any):
        super().__init__(inner.rec)
        self.inner, self.start = inner, start

    def describe(self) -> str:
        return f"enumerate of a {self.inner.describe()}"

    def run(self, consume: Callable[[Any], Any]) -> Any:
        number = RunningNumber(self.rec, self.start)
        self.inner.drive(lambda item: consume((number.next(), item)))
        return self.inner.progress != "used"


class Alongside(Generation):
    """`zip` of one Generation with what can be indexed: `before` and `after` it in the call, as Python asks them in turn."""

    stands_for = zip

    def __init__(self, before: list[Iteration], inner: Generation, after: list[Iteration]):
        super().__init__(inner.rec)
        self.before, self.inner, self.after = before, inner, after

    def describe(self) -> str:
        return f"zip of a {self.inner.describe()}"

    def run(self, consume: Callable[[Any], Any]) -> Any:
        number = RunningNumber(self.rec, 0)
        before, after = Zipped(self.before), Zipped(self.after)

        def take(item: Any) -> Any:
            i = number.next()

            def together() -> Any:
                stopped = consume((*before._item(i), item, *after._item(i)))
                return convert_logical_or(stopped, lambda: i + 1 >= before._length()) if self.before else stopped

            return convert_ifelse(i < after._length(), together, lambda: True) if self.after else together()

        begins = before._length() > 0 if self.before else True
        convert_ifelse(begins, lambda: self.inner.drive(take), lambda: None)
        return True


class RunningNumber:
    """A number that goes up by one; a location of the journal."""

    def __init__(self, rec: Recorder, start: Any):
        self.rec, self.value = rec, start
        rec.new(self)

    def next(self) -> Any:
        value = self.value
        store_attribute(self.rec, self, "value", value + 1)
        return value
