"""Ranges: unrolled, or with bounds that only the Program knows."""

from __future__ import annotations

from typing import Any

from ...ops.registry import lookup
from ..proxies import Staged, as_index, recorder
from .iteration import Iteration


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
