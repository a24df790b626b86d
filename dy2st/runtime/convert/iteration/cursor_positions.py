"""What a resumable generator's own loops iterate: values without state, so that paths on which they differ can be joined.

    items_0 = _jst.items_of(xs)
    while items_0.has_item():
        x = items_0.item()
        items_0 = items_0.rest()
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...proxies import StagedList
from ...recorder.recorder import recorder
from ...tensors.tensor import Tensor
from ..operations.item_sources import Iteration
from ..operations.ranges import StagedRange
from .entries import convert_iter
from .pulling import Pulled, one_by_one


class Numbers(NamedTuple):
    """What is left of a range."""

    start: Any
    step: Any
    count: Any

    def has_item(self) -> Any:
        return self.count > 0

    def item(self) -> Any:
        return self.start

    def rest(self) -> Numbers:
        return Numbers(self.start + self.step, self.step, self.count - 1)


class Indexed(NamedTuple):
    """What is left of a list, tuple or tensor."""

    items: Any
    position: Any

    def _iteration(self) -> Iteration:
        return convert_iter(self.items)

    def has_item(self) -> Any:
        return self.position < self._iteration()._length()

    def item(self) -> Any:
        return self._iteration()._item(self.position)

    def rest(self) -> Indexed:
        return Indexed(self.items, self.position + 1)


class Asked(NamedTuple):
    """Something that keeps by itself how far it is."""

    items: Pulled

    def has_item(self) -> Any:
        return self.items.pull()

    def item(self) -> Any:
        return self.items.take()

    def rest(self) -> Asked:
        return self


def items_of(iterable: Any) -> Any:
    """What is left of an iterable at the start of a loop over it."""
    rec = recorder()
    if isinstance(iterable, range):
        return Numbers(iterable.start, iterable.step, len(iterable))
    if isinstance(iterable, StagedRange):
        return Numbers(iterable.start, iterable.step, iterable.end)
    if isinstance(iterable, list | tuple | StagedList | Tensor):
        return Indexed(iterable, 0)
    return Asked(one_by_one(rec, iterable))


def returned_by(items: Any) -> Any:
    """What `yield from` gives, once there is nothing left: what the generator has returned."""
    return items.items.value if isinstance(items, Asked) else None
