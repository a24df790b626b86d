"""The iterators of a recording: how far they are, Python knows only while staging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from sys import getrefcount
from typing import Protocol
from weakref import WeakValueDictionary

from ...ir.core import Loc
from ..heap.heap import Heap
from ..proxies import Staged

ALONE = 3  # references: that of `made_at`, the variable of a loop, and the argument of `getrefcount`


class Loopable(Protocol):
    """A dict, a set or a deque's list that a loop runs over (`Watched`)."""

    table: object

    def note_change(self, table: object, is_one: Callable[[], object]) -> None: ...


class Closable(Protocol):
    """A generator that must have come to its end when the recording does."""

    def refuse_unless_closed(self) -> None: ...


class Iterators:
    """What loops run over, and what they leave behind."""

    def __init__(self, heap: Heap):
        self.left: dict[int, object] = {}  # that a loop may have left before their end
        self.made_at: dict[int, tuple[object, tuple]] = {}  # of Python's: by which instruction of the user's they are made
        self.iterated: WeakValueDictionary[int, Loopable] = WeakValueDictionary()  # what isn't over, nor dropped, by its id
        self.to_close: list[Closable] = []
        self.turns: Counter[Loc | None] = Counter()  # of the lines of loops that run while staging, those that record something
        self._heap = heap

    def let_go(self) -> None:
        """Forget the iterators that nobody else holds but their births, which hold those that nothing refers to weakly."""
        for key in [*self.made_at]:
            iterator, _ = self.made_at[key]
            if getrefcount(iterator) <= ALONE + (not type(iterator).__weakrefoffset__):  # type: ignore[attr-defined]
                del self.made_at[key]

    def note_change(self, table: object, is_one: Callable[[], object]) -> None:
        """A dict loses keys or a deque changes, if `is_one()`: what iterates it is told."""
        for watched in self.over(table):
            watched.note_change(self._heap.resolve(table), is_one)

    def over(self, table: object) -> list[Loopable]:
        """What iterates a dict, a set or the list of a deque, or may do so."""
        if not self.iterated:
            return []
        resolve = self._heap.resolve
        table = resolve(table)
        alike = type(table) if isinstance(table, Staged) else None  # which of these it is, the Program knows
        return [each for each in self.iterated.values() if (own := resolve(each.table)) is table or type(own) is alike]
