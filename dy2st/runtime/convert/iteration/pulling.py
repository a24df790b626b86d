"""Items that are asked for one at a time: `next(it)`, `zip` of two generators, a loop that goes on where another was left.

What gives items is made in this form where a first staging has found that it is asked for them so (`Generation.one_by_one`).
"""

from __future__ import annotations

import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

from ....errors import ConversionError
from ...heap.markers import no_value
from ...proxies import Staged, StagedStr, StagedSum, StagedTuple, recorder
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor
from ...where.user_code import user_instruction
from ..operations.attributes import store_attribute
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.item_sources import Consumption, Iteration
from ..operations.logical import convert_logical_and, convert_logical_not, convert_logical_or
from ..operations.ranges import StagedRange
from ..operations.structures import known_class
from .entries import Entries, convert_iter
from .gathering import fold
from .generation import Generation
from .loops import convert_while_loop

ENDED = sys.maxsize  # the position of an iterator that has come to its end
ITERATORS: dict[type, type] = {
    **{cls: type(iter(cls())) for cls in (list, tuple, str, bytes, bytearray, dict, set, frozenset, deque)},
    **{type(x): type(iter(x)) for x in ({}.keys(), {}.values(), {}.items(), range(0))},  # type: ignore[var-annotated]
}
REVERSED: dict[type, type] = {  # type: ignore[var-annotated]
    type(x): type(reversed(x))
    for x in ([], {}, {}.keys(), {}.values(), {}.items(), range(0), deque(), OrderedDict())
}


def is_pulled(rec: Recorder | None) -> TypeGuard[Recorder]:
    """Whether what the user's code makes here is asked for its items one at a time."""
    return rec is not None and user_instruction() in rec.facts.pulled


class Pulled(Generation):
    """`pull()` says whether there is another item, which `take()` then gives, once. What it keeps can be taken back."""

    value: Any = None  # what a generator returned, for `yield from`

    def one_by_one(self) -> Pulled:
        return self

    def __iter__(self) -> Iterator:
        """For code that isn't converted: an item each time that it asks for one."""
        self.rec.convert_unpackings()
        while (more := self.pull()) is not False:
            if isinstance(more, Staged):
                self.refuse_handing_on()
            yield self.take()

    def pull(self) -> Any:
        raise NotImplementedError

    def stop(self) -> Any:
        """There is no next item."""
        raise StopIteration(*(() if self.value is None else (self.value,)))

    def take(self) -> Any:
        item = self.item
        self.store("item", no_value)  # so that it isn't joined with the next one
        return item

    def store(self, name: str, value: Any) -> None:
        """Keep something, where that can be taken back."""
        if self.rec.heap.birth(self) not in self.rec.frames:
            raise ConversionError(
                f"{self.rec.here()}: this {self.describe()} is made inside control flow that tensors decide, and goes on after "
                "it; make it before, or make a list of it, list(...)"
            )
        store_attribute(self.rec, self, name, value)

    def keep(self, item: Any) -> bool:
        """Have an item ready to be taken."""
        self.store("item", item)
        return True

    def drive(self, consume: Callable[[Any], Any]) -> None:
        def more(stopped: Any) -> Any:
            return convert_logical_and(convert_logical_not(stopped), self.pull)

        convert_while_loop(more, lambda stopped: consume(self.take()), [False], None, (type(self), *user_instruction()))


class Cursor(Pulled):
    """What `iter(xs)` gives: a position in something that can be indexed. `of`: that, if it may change meanwhile."""

    def __init__(self, rec: Recorder, items: Iteration, stands_for: Any = Iterator, of: Any = None):
        super().__init__(rec)
        self.items, self.stands_for, self.of = items, stands_for, of
        self.index: Any = 0
        items.open()

    def describe(self) -> str:
        return "iterator"

    def pull(self) -> Any:
        if isinstance(self.items, Entries):
            return convert_logical_and(self.index < ENDED, self._has_item)
        return self._has_item()

    def _has_item(self) -> Any:
        if self.items.is_watched:
            self.items.watch(self.index)
        more = self.index < self.items._length()
        return more if self.of is None else convert_logical_or(more, self._end)

    def _end(self) -> bool:
        """There is no next item, and there won't be one, however long what it iterates gets."""
        self.store("index", ENDED)
        return False

    def __length_hint__(self) -> Any:
        return self.rec.convert_call(max)(self.items._length() - self.index, 0)

    def take(self) -> Any:
        item = self.items._item(self.index)
        self.store("index", self.index + 1)
        return item


class Native(Pulled):
    """An iterator of Python's, or of the user's with a `__next__`: what it has given can't be taken back."""

    def __init__(self, rec: Recorder, items: Consumption, stands_for: type):
        super().__init__(rec)
        self.items, self.stands_for = items, stands_for

    def describe(self) -> str:
        return "iterator"

    def pull(self) -> Any:
        self._refuse_outside()
        return self.items._more()

    def _refuse_outside(self) -> None:
        if not self.rec.heap.is_local(self):
            self.rec.act(
                f"{self.rec.here()}: how far this iterator has been consumed is known only when the Program runs; make a list of "
                "it where it is made, list(...), or make it where it is used"
            )

    def drive(self, consume: Callable[[Any], Any]) -> None:
        self._refuse_outside()
        fold(self.items, False, lambda stopped, item: consume(item), convert_logical_not)

    def take(self) -> Any:
        item = self.items.next()
        self.items.advance()
        return item


class Together(Pulled):
    """`zip` or `enumerate` of what is asked one after another, until one has no more."""

    def __init__(self, rec: Recorder, parts: list[Pulled], stands_for: type = zip):
        super().__init__(rec)
        self.parts, self.stands_for = parts, stands_for

    def describe(self) -> str:
        return self.stands_for.__name__

    def pull(self) -> Any:
        return self._from(())

    def _from(self, items: tuple) -> Any:
        if len(items) == len(self.parts):
            return self.keep(items)
        part = self.parts[len(items)]
        return convert_ifelse(part.pull(), lambda: self._from((*items, part.take())), lambda: self._ended(len(items)))

    def _ended(self, position: int) -> Any:
        """The iterator at this position has no more; those before it have given an item."""
        return False


class Equally(Together):
    """`zip(..., strict=True)`."""

    def _ended(self, position: int) -> Any:
        if position:
            raise_unequal(position, "shorter")
        for other, part in enumerate(self.parts[1:], 1):
            convert_ifelse(part.pull(), lambda other=other: raise_unequal(other, "longer"), lambda: None)
        return False


def raise_unequal(position: int, word: str) -> None:
    """Raise what Python raises where one of `zip(..., strict=True)` is shorter or longer than those before it."""
    others = "argument 1" if position == 1 else f"arguments 1-{position}"
    convert_raise(ValueError(f"zip() argument {position + 1} is {word} than {others}"))


class Sifted(Pulled):
    """`map`, `filter` or a generator expression: `handle(item, keep)` keeps what becomes of an item, or drops it."""

    def __init__(self, made: Generation, items: Pulled, handle: Callable[[Any, Callable], Any]):
        super().__init__(made.rec)
        self.kind, self.stands_for = made.describe(), made.stands_for
        self.items, self.handle = items, handle

    def describe(self) -> str:
        return self.kind

    def pull(self) -> Any:
        def more(found: Any) -> Any:
            return convert_logical_and(convert_logical_not(found), self.items.pull)

        mark = (self.handle, *user_instruction())
        return convert_while_loop(more, lambda found: self.handle(self.items.take(), self.keep), [False], None, mark)


def position_in(rec: Recorder, iterable: Any, iteration: Iteration) -> Pulled:
    """The iterator over something that is no generator; `iteration`: the one over it."""
    if isinstance(iteration, Consumption) and (iteration is iterable or _may_change(iterable)):
        return Native(rec, iteration, iterator_class(iterable))
    if isinstance(iteration, Consumption):
        return Cursor(rec, convert_iter(rec.new(list(iteration))), iterator_class(iterable))
    return Cursor(rec, iteration, iterator_class(iterable), iterable if _may_change(iterable) else None)


def iterator_class(iterable: Any) -> Any:
    """The class of `iter(iterable)`; of a union, a union of classes."""
    if isinstance(iterable, Iteration):
        return iterable.stands_for
    return type(iterable) if isinstance(iterable, Iterator) else _class_by_base(iterable, ITERATORS, Iterator)


def reversed_class(sequence: Any) -> Any:
    """The class of `reversed(sequence)`; of a union, a union of classes."""
    return _class_by_base(sequence, REVERSED, reversed)


def _class_by_base(iterable: Any, classes: dict[type, type], otherwise: type) -> Any:
    if isinstance(iterable, StagedSum):
        return recorder().on_alternatives(iterable, lambda x: _class_by_base(x, classes, otherwise))
    return next((classes[base] for base in known_class(iterable).__mro__ if base in classes), otherwise)


def _may_change(iterable: Any) -> bool:
    fixed = tuple | str | bytes | range | frozenset | StagedTuple | StagedStr | StagedRange | Tensor | Iteration
    return not isinstance(iterable, fixed)


def one_by_one(rec: Recorder, iterable: Any) -> Pulled:
    """Any iterable, to be asked for its items one at a time."""
    found = convert_iter(iterable)
    return found.one_by_one() if isinstance(found, Generation) else position_in(rec, iterable, found)


def numbered(rec: Recorder, iterable: Any, start: Any) -> Pulled:
    """`enumerate(iterable, start)`"""
    numbers = Iteration(lambda: sys.maxsize, lambda i: i + start)
    return Together(rec, [Cursor(rec, numbers), one_by_one(rec, iterable)], enumerate)
