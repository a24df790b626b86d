"""What a `for` loop iterates over: Python iterables as they are, staged ranges, tensors and lists by a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ...errors import ConversionError
from ...ops.registry import lookup
from ..blocks import user_instruction, user_loc
from ..library import View
from ..markers import Restage
from ..proxies import Staged, StagedDict, StagedInt, StagedList, StagedSet, StagedStr, StagedSum, StagedTuple, as_index, recorder
from ..staged_objects import contents, python_class
from ..static import current_recorder
from ..tensor import Tensor
from .ifelse import convert_ifelse, convert_raise
from .logical import convert_logical_and, convert_logical_not, convert_logical_or


class Iteration:
    """A position in something that can be indexed: `more()` and `next()` look at it, `advance()` moves on."""

    is_traced = False  # whether what has been consumed is a location of the journal

    def __init__(self, length: Callable[[], Any], item: Callable[[Any], Any]):
        self.position: Any = 0
        self._length, self._item = length, item

    @property
    def is_staged(self) -> bool:
        return isinstance(self._length(), Staged)

    def more(self, unless: Any = False) -> Any:
        """Whether the loop goes on: there is another item, and no break or return has set the flag `unless`."""
        return self._goes_on() if unless is False else convert_logical_and(convert_logical_not(unless), self._goes_on)

    def _goes_on(self) -> Any:
        self.watch()
        return self._more()

    def watch(self) -> None:
        """Raise what Python raises where the loop has changed what it iterates."""

    def open(self) -> None:
        """A loop over it begins."""

    def close(self) -> None:
        """The loop is over: what it iterated may change again."""

    def _more(self) -> Any:
        return self.position < self._length()

    def next(self) -> Any:
        return self._item(self.position)

    def advance(self) -> None:
        self.position = self.position + 1

    def leave(self) -> None:
        """A loop may have left it before its end, which only the Program knows."""
        recorder().left[id(self)] = self

    def __iter__(self) -> Iterator:
        if self.is_staged:
            recorder().convert_unpackings()
            raise ConversionError(
                f"{user_loc()}: how many items there are is known only when the Program runs, and code that isn't "
                "converted has to know it while staging: pass the list itself, or take its items by index"
            )
        while self.more():
            yield self.next()
            self.advance()


def refuse_untraceable(rec: Any, iterator: Any) -> None:
    """ConversionError where an iterator was, or would be, consumed in a way that a trial can't take back."""
    known = isinstance(iterator, Iteration)
    if not known and (not isinstance(iterator, Iterator) or isinstance(getattr(type(iterator), "__next__", None), FunctionType)):
        return
    is_outside = not rec.heap.is_local(iterator) and (rec.heap.birth(iterator) is not None or not known)
    if id(iterator) in rec.left or (len(rec.frames) > 1 and is_outside and not getattr(iterator, "is_traced", False)):
        make_pulled(rec, iterator)
        raise ConversionError(
            f"{rec.here()}: how far this iterator has been consumed is known only when the Program runs; make a list of it where "
            "it is made, list(...), or make it where it is used"
        )


def note_made(iterator: Any) -> Any:
    """An iterator is made here, by a built-in: if a Program can't tell how far it is, it can be made in another form."""
    rec = current_recorder()
    if rec is None:
        return iterator
    rec.made_at[id(iterator)] = iterator, user_instruction()
    return rec.new(iterator)


def make_pulled(rec: Any, iterator: Any) -> None:
    """Stage again, with an iterator made so that the Program keeps how far it is."""
    _, site = rec.made_at.get(id(iterator), (None, None))
    if site is not None and site not in rec.facts.pulled:
        rec.facts.pulled.add(site)
        raise Restage(None, lambda: None)


class Consumption(Iteration):
    """A Python iterator, read one item ahead."""

    _END = object()

    def __init__(self, iterator: Iterator):
        self._iterator = iterator
        self._ahead: Any = None
        self._read = False
        self.position = 0

    is_staged = False  # type: ignore[assignment]

    def _more(self) -> bool:
        if not self._read:
            self._ahead, self._read = next(self._iterator, self._END), True
        return self._ahead is not self._END

    def next(self) -> Any:
        return self._ahead

    def advance(self) -> None:
        self._ahead, self._read = None, False
        self.position += 1

    def leave(self) -> None:
        recorder().left[id(self._iterator)] = self._iterator


class Entries(Iteration):
    """A dict, one of its views, or a set: its keys at the start, and what each of them maps to by the time it is met."""

    def __init__(self, rec: Any, table: Any, part: str):
        self.rec, self.table = rec, table
        self._lost_key = rec.new([False])
        keys = staged_iteration(rec, table) or staged_iteration(rec, rec.new(list(table)))
        assert keys is not None
        count = self.count = self._size()

        def value(position: Any) -> Any:
            return rec.at(table)[keys._item(position)]

        ways = {"keys": keys._item, "values": value, "items": lambda i: (keys._item(i), value(i))}
        super().__init__(lambda: count, ways[part])

    def _size(self) -> Any:
        table = self.rec.heap.resolve(self.table)
        return table.length() if isinstance(table, StagedDict | StagedSet) else len(table)

    def watch(self) -> None:
        word = "Set" if isinstance(self.table, set | StagedSet) else "dictionary"
        error = RuntimeError(f"{word} changed size during iteration")
        convert_ifelse(self._size() != self.count, lambda: convert_raise(error), lambda: None)
        error = RuntimeError("dictionary keys changed during iteration")
        convert_ifelse(self.rec.at(self._lost_key)[0], lambda: convert_raise(error), lambda: None)

    def open(self) -> None:
        self.rec.iterated.append(self)

    def close(self) -> None:
        self.rec.iterated.remove(self)

    def note_removal(self, was_there: Any) -> None:
        """A key is taken out while the loop runs.

        Another in its place would keep the size, and leave the order of what is to come to the layout of CPython's hash table.
        """
        lost = self.rec.at(self._lost_key)
        lost[0] = convert_logical_or(lost[0], lambda: was_there)


def entries_of(rec: Any, iterable: Any) -> Entries | None:
    """The Entries of a dict, a view or a set, which may become a Value while a loop iterates it; None for anything else."""
    if isinstance(iterable, View):
        return Entries(rec, iterable._table, iterable._part)
    table = contents(rec.heap.resolve(iterable))
    known = type(table) in (dict, set) or isinstance(table, StagedDict | StagedSet)
    return Entries(rec, table, "keys") if known else None


def convert_iter(iterable: Any) -> Iteration:
    """The Iteration that a `for` loop drives."""
    rec = current_recorder()
    if rec is not None:
        refuse_untraceable(rec, iterable)
    if isinstance(iterable, Iteration):
        return iterable
    if rec is not None:
        found = entries_of(rec, iterable) or staged_iteration(rec, iterable)
        if found is not None:
            return found
        method = getattr(type(iterable), "__iter__", None)
        if isinstance(method, FunctionType):
            found = rec.convert_call(method)(iterable)
            step = getattr(type(found), "__next__", None)
            return Consumption(steps(rec, found, step)) if isinstance(step, FunctionType) else convert_iter(found)
    if isinstance(iterable, range):
        return RangeIteration(iterable)
    if isinstance(iterable, list | tuple):
        return Iteration(lambda: len(iterable), lambda i: iterable[i])
    return Consumption(iter(iterable))


def steps(rec: Any, iterator: Any, step: FunctionType) -> Iterator:
    """The items of an object of the user's with a `__next__`, which must know while staging when to end."""
    while True:
        ended_before = "StopIteration" in rec.exceptions
        try:
            item = rec.convert_call(step)(iterator)
        except StopIteration:
            return
        if "StopIteration" in rec.exceptions and not ended_before:
            raise ConversionError(
                f"{rec.here()}: when '{type(iterator).__name__}' ends is known only when the Program runs; write its __iter__ as "
                "a generator"
            )
        yield item


def staged_iteration(rec: Any, iterable: Any) -> Iteration | None:
    """The Iteration over something whose length or items are staged; None for what Python iterates by itself."""
    if python_class(rec.heap.resolve(iterable)) is not None and (found := entries_of(rec, iterable)) is not None:
        return found
    items = contents(rec.heap.resolve(iterable))
    iterable = rec.heap.resolve(items)
    if type(iterable) is list:
        return Iteration(lambda: _length(rec, items), lambda i: rec.at(items)[i])
    if isinstance(iterable, StagedSum):
        iterable = rec.on_alternatives(iterable, lambda x: rec.heap.resolve(rec.convert_call(list)(x)))
        if type(iterable) is list:
            return staged_iteration(rec, iterable)
    if isinstance(iterable, StagedDict):
        iterable = lookup("dict.keys")(iterable)
    if isinstance(iterable, StagedSet):
        iterable = lookup("set.to_list")(iterable)
    if isinstance(iterable, StagedList | StagedTuple):
        return Iteration(iterable.length, lambda i: iterable[i])
    if isinstance(iterable, StagedStr):
        return Iteration(lambda: lookup("str.len")(iterable), lambda i: iterable[i])
    if isinstance(iterable, StagedRange):
        return Iteration(lambda: iterable.length, iterable.item)
    if isinstance(iterable, Tensor):
        if iterable.type.rank == 0:
            raise TypeError("iteration over a 0-d tensor")
        return Iteration(lambda: iterable.shape[0], lambda i: iterable[i])
    return None


def _length(rec: Any, items: list) -> Any:
    proxy = rec.heap.staged(items)
    return len(items) if proxy is None else proxy.length()


def staged_range(start: Any, stop: Any, step: Any) -> StagedRange:
    """`range` with staged bounds."""
    start, stop, step = as_index(start), as_index(stop), as_index(step)
    if not isinstance(start, Staged) and not isinstance(step, Staged) and start == 0 and step == 1:
        return StagedRange(stop, 0, 1)
    return StagedRange(lookup("range.len")(start, stop, step), start, step)


class StagedRange:
    """A range whose bounds are known only at run time; like a range, it can be iterated more than once."""

    def __init__(self, length: Any, start: Any, step: Any):
        self.length, self.start, self.step = length, start, step

    def item(self, index: Any) -> Any:
        """The number at an index that is in the range."""
        return index if self._counts else self.start + index * self.step

    @property
    def _counts(self) -> bool:
        """Whether it is `range(stop)`."""
        return isinstance(self.start, int) and isinstance(self.step, int) and (self.start, self.step) == (0, 1)

    def __getitem__(self, index: Any) -> Any:
        rec = recorder()
        return rec.at(rec.convert_call(list)(self))[index]


class RangeIteration(Iteration):
    """A Python range: it is unrolled, and goes on as a staged loop where that would make the Program too large."""

    def __init__(self, numbers: range):
        super().__init__(lambda: len(numbers), lambda i: numbers.start + i * numbers.step)


class Enumeration(Iteration):
    """`enumerate` of an Iteration."""

    def __init__(self, inner: Iteration, start: Any = 0):
        super().__init__(inner._length, lambda i: (i + start, inner._item(i)))
        self.watch, self.open, self.close = inner.watch, inner.open, inner.close  # type: ignore[method-assign]


class Zipped(Iteration):
    """`zip` of Iterations: as long as the shortest."""

    def __init__(self, parts: list[Iteration]):
        def length() -> Any:
            shortest = parts[0]._length()
            for part in parts[1:]:
                other = part._length()
                shortest = (
                    min(shortest, other)
                    if isinstance(shortest, int) and isinstance(other, int)
                    else lookup("py.min")(shortest, other)
                )
            return shortest

        super().__init__(length, lambda i: tuple(part._item(i) for part in parts))
        self._parts = parts

    def watch(self) -> None:
        """Each part is asked for its next item as long as those before it have one."""
        entries = [i for i, part in enumerate(self._parts) if isinstance(part, Entries)]
        if entries:
            self._watch(0, entries[-1])

    def _watch(self, i: int, last: int) -> None:
        part = self._parts[i]
        part.watch()
        if i < last:
            convert_ifelse(self.position < part._length(), lambda: self._watch(i + 1, last), lambda: None)

    def open(self) -> None:
        for part in self._parts:
            part.open()

    def close(self) -> None:
        for part in self._parts:
            part.close()


class Backwards(Iteration):
    """`reversed` of an Iteration."""

    def __init__(self, inner: Iteration):
        length = inner._length()
        super().__init__(lambda: length, lambda i: inner._item(length - 1 - i))


__all__ = [
    "Iteration",
    "Consumption",
    "Enumeration",
    "Zipped",
    "Backwards",
    "StagedInt",
    "convert_iter",
    "entries_of",
    "staged_iteration",
    "staged_range",
]
