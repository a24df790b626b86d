"""The iterators of a recording: how far they are, Python knows only while staging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Protocol
from weakref import WeakValueDictionary

from ...ir.core import Loc
from ..heap.heap import Heap


class Loopable(Protocol):
    """A dict or set that a loop runs over (`Entries`)."""

    table: object

    def note_removal(self, was_there: object) -> None: ...


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

    def note_removal(self, table: object, was_there: Callable[[], object]) -> None:
        """Keys are taken out of a dict, if `was_there()`: what iterates it is told."""
        if self.iterated:
            table = self._heap.resolve(table)
            for entries in [each for each in self.iterated.values() if self._heap.resolve(each.table) is table]:
                entries.note_removal(was_there())
