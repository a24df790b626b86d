"""Ranges: unrolled, or with bounds that only the Program knows."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from ....ops.registry import lookup
from ...library import ranges
from ...proxies import SpelledLate, Staged, exact_index, recorder
from .item_sources import Iteration
from .logical import convert_logical_not


def staged_range(start: Any, stop: Any, step: Any) -> StagedRange:
    """`range` with staged bounds."""
    return StagedRange(*map(exact_index, (start, stop, step)))


class StagedRange(SpelledLate):
    """A range whose bounds are known only at run time; like a range, it can be iterated more than once."""

    stands_for = range

    def __init__(self, start: Any, stop: Any, step: Any):
        self.start, self.stop, self.step = start, stop, step
        self._counts = not any(isinstance(bound, Staged) for bound in (start, step)) and (start, step) == (0, 1)
        # Where a loop over it ends: the negative stop of a `range(stop)` is as good as 0.
        self.end = stop if self._counts else lookup("range.len")(start, stop, step)

    @property
    def length(self) -> Any:
        """The number of its numbers, `len(range(...))`."""
        return lookup("range.len")(self.start, self.stop, self.step) if self._counts else self.end

    def item(self, index: Any) -> Any:
        """The number at an index that is in the range."""
        return index if self._counts else self.start + index * self.step

    def index(self, number: Any) -> Any:
        return recorder().convert_call(ranges.index_of)(self, number)

    def count(self, number: Any) -> Any:
        rec = recorder()
        return rec.convert_call(int)(rec.convert_call(operator.contains)(self, number))

    def spelled(self) -> Any:
        """Its `repr`."""
        return recorder().convert_call(ranges.spelled)(self)

    def __getitem__(self, index: Any) -> Any:
        rec = recorder()
        if isinstance(index, slice):
            by = 1 if index.step is None else index.step
            return rec.convert_call(ranges.part_of)(self.start, self.step, self.length, index.start, index.stop, by)
        return rec.convert_call(ranges.number_at)(self.start, self.step, self.length, index)

    def __iter__(self) -> Iterator:
        return iter(Iteration(lambda: self.length, self.item))

    def __bool__(self) -> Any:
        return self.length > 0

    def __eq__(self, other: Any) -> Any:
        return recorder().convert_call(ranges.are_equal)(self, other) if isinstance(other, RANGES) else NotImplemented

    def __ne__(self, other: Any) -> Any:
        equal = self.__eq__(other)
        return NotImplemented if equal is NotImplemented else convert_logical_not(equal)

    __hash__ = object.__hash__


RANGES = (range, StagedRange)


class RangeIteration(Iteration):
    """A Python range: it is unrolled, and goes on as a staged loop where that would make the Program too large."""

    is_staged = False  # type: ignore[assignment]

    def __init__(self, numbers: range):
        count, start, step = len(numbers), numbers.start, numbers.step
        super().__init__(lambda: count, lambda i: start + i * step)
        self._count = count

    def _more(self) -> Any:
        return self.position < self._count
