"""Generators of the user's, converted: their items are pushed into the loop that consumes them."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, GeneratorType
from typing import Any

from ...recorder.recorder import Recorder
from ..operations.attributes import store_attribute
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.item_sources import Iteration
from ..operations.logical import convert_logical_or
from ..operations.try_ import under_handlers
from .generation import CarriedNames, Generation, told_of
from .zip_and_enumerate import Zipped


class Generator(Generation):
    """A call of a generator function. `make(consume)` runs its body, which hands every item to `consume`."""

    stands_for: type = GeneratorType

    def __init__(self, rec: Recorder, function: FunctionType, make: Callable[[Callable], Any], site: tuple):
        super().__init__(rec, site)
        self.make = make
        vars(self).update(told_of(function))

    def describe(self) -> str:
        return f"generator '{vars(self)['__name__']}'"

    def send(self, *_: Any) -> Any:
        """`send`, `throw` and `close` are for one that can be left: it is made anew as such."""
        self.one_by_one()

    throw = close = send

    def run(self, consume: Callable[[Any], Any]) -> Any:
        return pushed(self.rec, self.site, self.make, consume)


def pushed(rec: Recorder, site: tuple, make: Callable[[Callable], Any], consume: Callable[[Any], Any]) -> Any:
    """Run the body of a generator, which hands its items on; whether the consumer stopped it."""
    held = rec.heap.born_here(CarriedNames(("stopped", "outside"), [False, False]))

    def hand(item: Any) -> Any:
        store_attribute(rec, held, "outside", True)
        stopped = consume(item)
        store_attribute(rec, held, "outside", False)
        store_attribute(rec, held, "stopped", stopped)
        return held.values(("stopped",))[0]

    run_body(site, lambda: make(hand), lambda: held.values(("outside",))[0])
    return held.values(("stopped",))[0]


def run_body(site: tuple, body: Callable[[], Any], is_outside: Callable[[], Any] = lambda: False) -> Any:
    """Run the body of a generator; a StopIteration that leaves it is a RuntimeError, but for one of what consumes its items."""

    def stopped(error: Any) -> None:
        inside = RuntimeError("generator raised StopIteration")
        convert_ifelse(is_outside(), convert_raise, lambda: convert_raise(inside, error))

    return under_handlers(("generator", *site), body, (), [(lambda: StopIteration, stopped)], None)


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
