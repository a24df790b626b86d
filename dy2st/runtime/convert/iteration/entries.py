"""Iterations of a `for` loop: over a dict or set that may change meanwhile, a list, a tensor, a range, any Python iterable."""

from __future__ import annotations

import sys
from collections import OrderedDict, deque
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ....errors import ConversionError
from ....ops.dispatch import RECORDERS
from ....ops.registry import lookup
from ...heap.own_attributes import has_special
from ...heap.staged_objects import contents, iterates_itself, python_class
from ...library import DictView, is_overridden
from ...library.base import name_in_c
from ...proxies import StagedDict, StagedList, StagedNumber, StagedSet, StagedStr, StagedSum, StagedTuple
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.item_sources import Consumption, Iteration, Stepped, Steps, refuse_untraceable
from ..operations.ranges import RangeIteration, StagedRange
from ..operations.structures import known_class
from ..operations.sums import of_each_kind
from .watched import DequeIteration, Watched

COUNTS_CLEARING = sys.version_info >= (3, 14)  # whether an OrderedDict that is cleared counts as changed, not only as shorter
_EMPTY: OrderedDict = OrderedDict()
TABLES = (dict, set, StagedDict, StagedSet)
ORDERED = (OrderedDict, type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items()))


class Entries(Watched):
    """A dict, one of its views, or a set: its keys at the start, and what each of them maps to by the time it is met.

    A key that is taken out is noted: another in its place would keep the size, and leave the order of what is to come to the
    layout of CPython's hash table.
    """

    def __init__(self, rec: Recorder, table: Any, part: str):
        super().__init__(rec, table)
        count = self.count  # nothing here refers to the iteration itself, which is to go when the loop is over
        keys = staged_iteration(rec, table) or staged_iteration(rec, rec.new(list(table)))
        assert keys is not None

        def value(position: Any) -> Any:
            return rec.at(table)[keys._item(position)]

        ways = {"keys": keys._item, "values": value, "items": lambda i: (keys._item(i), value(i))}
        Iteration.__init__(self, lambda: count, ways[part])

    def watch(self, position: Any) -> None:
        word = "Set" if isinstance(self.table, set | StagedSet) else "dictionary"
        self.raise_if_resized(f"{word} changed size during iteration")
        self.raise_if_changed("dictionary keys changed during iteration")


class OrderedEntries(Entries):
    """An OrderedDict, or one of its views: it may change when the last item has been met."""

    def watch(self, position: Any) -> None:
        convert_ifelse(position < self.count, lambda: convert_ifelse(self._size() != 0, self._moved, self._cleared), lambda: None)

    def _moved(self) -> None:
        self.raise_if_changed("OrderedDict mutated during iteration")
        self.raise_if_resized("OrderedDict mutated during iteration")

    def _cleared(self) -> None:
        self.raise_if_resized(f"OrderedDict {'mutated' if COUNTS_CLEARING else 'changed size'} during iteration")


class ListIteration(Iteration):
    """A list, which may grow meanwhile, or become a Value."""

    def __init__(self, rec: Recorder, items: Any):
        def length() -> Any:
            proxy: Any = rec.heap.staged(items)
            return len(items) if proxy is None else proxy.length()

        super().__init__(length, lambda i: rec.at(items)[i])
        self._rec, self._items = rec, items

    @property
    def is_staged(self) -> bool:
        return self._rec.heap.staged(self._items) is not None

    def let_go(self) -> None:
        if type(self.position) is int and not self.is_staged and self.position >= len(self._items):
            ListIteration.__init__(self, self._rec, [])


class UnionIteration(Iteration):
    """A union with a dict or a set among its alternatives, whose size is to stay as it is. `items`: the list of what it holds."""

    is_watched = True
    is_steady = False

    def __init__(self, rec: Recorder, union: StagedSum, items: Iteration):
        super().__init__(items._length, items._item)
        self._rec, self._union = rec, union
        self._count = rec.on_alternatives(union, self._size)

    def _size(self, value: Any) -> Any:
        return self._rec.convert_call(len)(value) if issubclass(known_class(value), dict | set) else 0

    def watch(self, position: Any) -> None:
        self._rec.on_alternatives(self._union, self._raise_if_resized)

    def _raise_if_resized(self, value: Any) -> None:
        word = "Set" if issubclass(known_class(value), set) else "dictionary"
        error = RuntimeError(f"{word} changed size during iteration")
        convert_ifelse(self._size(value) != self._count, lambda: convert_raise(error), lambda: None)


def entries_of(rec: Recorder, iterable: Any) -> Entries | None:
    """The Entries of a dict, a view or a set, which may become a Value while a loop iterates it; None for anything else."""
    iterates_own_way = not isinstance(iterable, DictView) and iterates_itself(rec.heap.resolve(iterable))
    return None if iterates_own_way else _entries(rec, iterable)


def _entries(rec: Recorder, iterable: Any) -> Entries | None:
    if isinstance(iterable, DictView):
        return _entries_class(python_class(iterable) or type(iterable))(rec, iterable._table, iterable._part)
    table = contents(rec.heap.resolve(iterable))
    known = type(table) in (dict, set) or isinstance(table, StagedDict | StagedSet)
    return _entries_class(python_class(rec.heap.resolve(iterable)) or type(table))(rec, table, "keys") if known else None


def entries_to_reverse(rec: Recorder, table: Any) -> Entries | None:
    """The Entries of a dict or a view; None for anything else, and where a class of the user's has its own `__reversed__`."""
    cls = python_class(table) or type(table)
    return _entries(rec, table) if hasattr(cls, "__reversed__") and not is_overridden(cls, "__reversed__") else None


def _entries_class(cls: type) -> type[Entries]:
    """How a dict of this class of Python's, or a view of this class, is iterated."""
    return OrderedEntries if issubclass(cls, ORDERED) else Entries


def convert_iter(iterable: Any) -> Any:
    """The Iteration that a `for` loop drives."""
    if not RECORDERS or (rec := current_recorder()) is None:
        return Steps(iterable)
    if type(iterable) is range:
        return RangeIteration(iterable)
    if type(iterable) is list and rec.heap.resolve(iterable) is iterable:
        return ListIteration(rec, iterable)
    iterable = rec.lifted(iterable)
    refuse_untraceable(rec, iterable)
    if isinstance(iterable, Iteration):
        return iterable
    found = entries_of(rec, iterable) or staged_iteration(rec, iterable)
    if found is not None:
        return found
    iterable = rec.heap.spoken_for(iterable)
    method = getattr(type(iterable), "__iter__", None)
    if isinstance(method, FunctionType):
        found = rec.convert_call(method)(iterable)
        step = None if issubclass(type(found), Iteration) else getattr(type(found), "__next__", None)
        return Stepped(steps(rec, found, step), type(found)) if isinstance(step, FunctionType) else convert_iter(found)
    if isinstance(iterable, range):
        return RangeIteration(iterable)
    if isinstance(iterable, list | tuple):
        base: Any = list if isinstance(iterable, list) else tuple  # a subclass's own methods aren't asked
        # A path of a generator that is left and goes on, which no run takes, may be past the end.
        return Iteration(lambda: base.__len__(iterable), lambda i: as_the_user(base.__getitem__, iterable, i))
    return Consumption(as_the_user(iter, iterable))


def refuse_uniterable(rec: Recorder, value: Any, words: str, method: str = "__iter__") -> None:
    """TypeError in these words where a value can't be iterated, also on one path only. method: another that Python asks for."""
    if isinstance(value, StagedSum | StagedNumber):
        of_each_kind(rec, value, lambda x: refuse_uniterable(rec, x, words, method))
        return
    cls: Any = known_class(value)
    if not (has_special(cls, method) or has_special(cls, "__getitem__")) or (method == "__reversed__" and issubclass(cls, set)):
        raise TypeError(words.format(name_in_c(cls)))


def steps(rec: Recorder, iterator: Any, step: FunctionType) -> Iterator:
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


def _items_of_kind(rec: Recorder, value: Any) -> Any:
    """The list that a loop over one alternative of a union reads: a list itself, which may change meanwhile; else a copy."""
    return value if known_class(value) is list else rec.convert_call(list)(value)


def staged_iteration(rec: Recorder, iterable: Any) -> Iteration | None:
    """The Iteration over something whose length or items are staged; None for what Python iterates by itself."""
    if iterates_itself(rec.heap.resolve(iterable)):
        return None
    if python_class(rec.heap.resolve(iterable)) is not None and (found := entries_of(rec, iterable)) is not None:
        return found
    items = contents(rec.heap.resolve(iterable))
    if (cls := python_class(rec.heap.resolve(iterable))) is not None and issubclass(cls, deque):
        return DequeIteration(rec, rec.heap.resolve(iterable))
    iterable = rec.heap.resolve(items)
    if type(iterable) is list:
        return ListIteration(rec, items)
    if isinstance(iterable, StagedSum):
        union = iterable
        iterable = rec.on_alternatives(union, lambda x: rec.heap.resolve(_items_of_kind(rec, x)))
        if any(issubclass(cls, TABLES) for cls in rec.classes_of(union)):
            return UnionIteration(rec, union, convert_iter(iterable))
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
        return Iteration(lambda: iterable.end, iterable.item)
    if isinstance(iterable, Tensor):
        if iterable.type.rank == 0:
            raise TypeError("iteration over a 0-d tensor")
        return Iteration(lambda: iterable.shape[0], lambda i: iterable[i])
    return None
