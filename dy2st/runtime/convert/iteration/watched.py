"""Iterations over what must not change meanwhile: the loop asks, before each item, whether it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.registry import lookup
from ...heap.staged_objects import contents
from ...proxies import Staged, StagedContainer
from ...recorder.recorder import Recorder
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.item_sources import Iteration
from ..operations.logical import convert_logical_and, convert_logical_or


class Watched(Iteration):
    """`table`: the list, dict or set that is iterated. `note_change` is told of the changes that leave its size as it was."""

    is_watched = True
    is_watched_to_the_front = True  # whether `reversed` is asked, too, where no item is left

    def __init__(self, rec: Recorder, table: Any):
        self.rec, self.table = rec, table
        self._changed = rec.new([False])
        self.count = self._size()

    def _size(self) -> Any:
        table: Any = self.rec.heap.resolve(self.table)
        return table.length() if isinstance(table, StagedContainer) else len(table)

    @property
    def is_steady(self) -> bool:  # type: ignore[override]
        resolve, table, changed = self.rec.heap.resolve, self.table, self._changed
        is_plain = resolve(table) is table and resolve(changed) is changed
        return is_plain and not isinstance(table, Staged) and len(table) == self.count and changed == [False]

    def raise_if_resized(self, text: str) -> None:
        convert_ifelse(self._size() != self.count, lambda: convert_raise(RuntimeError(text)), lambda: None)

    def raise_if_changed(self, text: str) -> None:
        convert_ifelse(self.rec.at(self._changed)[0], lambda: convert_raise(RuntimeError(text)), lambda: None)

    def open(self) -> None:
        self.rec.iterators.iterated[id(self)] = self

    def close(self) -> None:
        self.rec.iterators.iterated.pop(id(self), None)

    def note_change(self, table: Any, is_one: Callable[[], Any]) -> None:
        """A table that may be the iterated one changes while the loop runs, if `is_one()`."""
        changed = self.rec.at(self._changed)
        own = self.rec.heap.resolve(self.table)
        is_it = True if own is table else lookup("py.is")(own, table)
        changed[0] = convert_logical_or(changed[0], lambda: convert_logical_and(is_it, is_one))


class DequeIteration(Watched):
    """A deque: one that has been changed raises, also where no item is left."""

    is_watched_to_the_front = False

    def __init__(self, rec: Recorder, of: Any):
        items = contents(of)
        super().__init__(rec, items)
        count = self.count
        Iteration.__init__(self, lambda: count, lambda i: rec.at(items)[i])

    def watch(self, position: Any) -> None:
        self.raise_if_changed("deque mutated during iteration")
        self.raise_if_resized("deque mutated during iteration")  # one that another name has changed
