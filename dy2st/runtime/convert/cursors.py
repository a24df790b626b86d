"""`iter(xs)` and `next(it)`: a position in something that can be indexed; a generator that is advanced by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ...errors import ConversionError
from ..blocks import user_instruction
from ..markers import Restage
from ..static import current_recorder
from .access import store_attribute
from .generation import Generation, Held
from .generators import Generator
from .ifelse import convert_ifelse
from .iteration import Consumption, Iteration, convert_iter, refuse_untraceable, steps
from .logical import convert_logical_and, convert_logical_not
from .loops import convert_while_loop


class Cursor(Generation):
    """What `iter(xs)` gives; its position is a location of the journal, so that staged control flow may move it."""

    def __init__(self, rec: Any, items: Iteration):
        super().__init__(rec)
        self.items = items
        self.index: Any = 0

    def describe(self) -> str:
        return "iterator"

    def has_more(self) -> Any:
        return self.index < self.items._length()

    def take(self) -> Any:
        item = self.items._item(self.index)
        store_attribute(self.rec, self, "index", self.index + 1)
        return item

    def drive(self, consume: Callable[[Any], Any]) -> None:
        def more(stopped: Any) -> Any:
            return convert_logical_and(convert_logical_not(stopped), self.has_more)

        convert_while_loop(more, lambda stopped: consume(self.take()), [False], None, user_instruction())


class Stepped(Generation):
    """A generator that is advanced by `next` more than once: it runs as plain Python, while staging."""

    def __init__(self, rec: Any, native: Iterator):
        super().__init__(rec)
        self.native = native

    def describe(self) -> str:
        return "generator"

    def drive(self, consume: Callable[[Any], Any]) -> None:
        raise ConversionError(
            f"{self.rec.here()}: this generator is advanced by next(), and then by a loop; make a list of it first, list(...)"
        )

    def step(self, *default: Any) -> Any:
        if not self.rec.heap.is_local(self):
            raise ConversionError(
                f"{self.rec.here()}: next() inside staged control flow, on a generator from outside of it, can't be taken back; "
                "loop over the generator, or make a list of it first, list(...)"
            )
        return next(self.native, *default)


def builtin_iter(iterable: Any, *sentinel: Any) -> Any:
    """`iter(xs)`"""
    rec = current_recorder()
    if rec is not None and sentinel:
        raise ConversionError(f"{rec.here()}: iter(function, sentinel) isn't converted; write 'while True' with a break")
    if rec is None or (isinstance(iterable, Iterator) and not isinstance(iterable, Iteration)):
        return iter(iterable, *sentinel)
    found = convert_iter(iterable)
    if isinstance(found, Generation):
        return found
    return Cursor(rec, convert_iter(rec.new(list(found))) if isinstance(found, Consumption) else found)


def convert_next(iterator: Any, *default: Any) -> Any:
    """`next(it)`: of a generator the first item, for what would come after it can't be known."""
    rec = current_recorder()
    if isinstance(iterator, Stepped):
        return iterator.step(*default)
    if isinstance(iterator, Cursor):
        return convert_ifelse(iterator.has_more(), iterator.take, lambda: _exhausted(default))
    if isinstance(iterator, Generation):
        return _first(iterator, default)
    step = getattr(type(iterator), "__next__", None)
    if rec is not None and isinstance(step, FunctionType):
        return next(steps(rec, iterator, step), *default)
    if rec is not None:
        refuse_untraceable(rec, iterator)
    return next(iterator, *default)


def _first(generation: Generation, default: tuple) -> Any:
    rec = generation.rec
    if isinstance(generation, Generator) and generation.progress == "left":
        rec.facts.stepped.add(generation.site)
        raise Restage(None, lambda: None)
    held = rec.new(Held(("found", "item"), [False, default[0] if default else None]))

    def take(item: Any) -> bool:
        store_attribute(rec, held, "found", True)
        store_attribute(rec, held, "item", item)
        return True

    generation.drive(take)
    found, item = held.values(("found", "item"))
    return item if default else convert_ifelse(found, lambda: item, lambda: _exhausted(default))


def _exhausted(default: tuple) -> Any:
    if not default:
        raise StopIteration
    return default[0]
