"""The iterators of a recording: how far they are, Python knows only while staging."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import CodeType
from typing import Protocol

from ...errors import Dy2stWarning
from ..heap.heap import Heap
from ..where.lines import SourceLoc
from ..where.warn import warn_at

MANY_TURNS = 1000  # of one loop, after which a warning says that each is in the Program


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
        self.iterated: list[Loopable] = []  # the dicts and sets that loops run over
        self.to_close: list[Closable] = []
        self._turns: Counter[CodeType] = Counter()  # of the bodies of loops that run while staging, those that record something
        self._heap = heap

    def note_turn(self, body: CodeType) -> None:
        """A turn of a loop has been recorded by itself; many are told, once."""
        self._turns[body] += 1
        if self._turns[body] == MANY_TURNS:
            text = (
                f"this loop has been unrolled: {MANY_TURNS} of its turns, each by itself, are part of the Program by now, which "
                "takes time to stage, save and load; iterate over a tensor, or over a range whose end is one, to keep the loop"
            )
            warn_at(SourceLoc(body.co_filename, body.co_firstlineno, body.co_name), text, Dy2stWarning)

    def note_removal(self, table: object, was_there: Callable[[], object]) -> None:
        """Keys are taken out of a dict, if `was_there()`: what iterates it is told."""
        for entries in self.iterated:
            if self._heap.resolve(entries.table) is self._heap.resolve(table):
                entries.note_removal(was_there())
