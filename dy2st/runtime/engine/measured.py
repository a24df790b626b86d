"""Time and memory of each line of the generated source.

    at(3)
    v4 = a0.dot(v0)
    while at(4) or v1 < 100:

`at` books what has passed since it was called last on the line before. It costs about as much as one small operation, so it is
counted, and taken off.
"""

from __future__ import annotations

import re
import statistics
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter_ns

from ...ir.core import Operation

Line = tuple[str, Operation | None]
_CONTINUES = re.compile(r" *(else|elif|except|finally)\b")
_ASKS = re.compile(r"( *(?:while|elif) )(?!True:)(.*):")
_OUTSIDE = 0


class Meter:
    """What the lines of all generated sources that were written under `measuring` took.

    ops: the Operation of each mark, the first one None: what isn't in generated source. nanoseconds, runs, nbytes: of each mark
    the time of all its runs, their number, and the most memory that one run newly took.
    """

    def __init__(self) -> None:
        self.ops: list[Operation | None] = [None]
        self.watches_memory = False
        self.reset()

    def reset(self) -> None:
        """Forget what was measured, and begin to measure here."""
        self.nanoseconds, self.runs, self.nbytes = ([0] * len(self.ops) for _ in range(3))
        self._current, self._since, self._held = _OUTSIDE, perf_counter_ns(), 0
        if tracemalloc.is_tracing():
            tracemalloc.reset_peak()
            self._held = tracemalloc.get_traced_memory()[0]

    def at(self, mark: int) -> None:
        """The line behind this mark begins."""
        now = perf_counter_ns()
        if self.watches_memory:
            held, peak = tracemalloc.get_traced_memory()
            self.nbytes[self._current] = max(self.nbytes[self._current], peak - self._held)
            tracemalloc.reset_peak()
            self._held = held
        self.nanoseconds[self._current] += now - self._since
        self.runs[mark] += 1
        self._current = mark
        self._since = perf_counter_ns()

    def now(self) -> int:
        """The mark of the line that runs."""
        return self._current

    def back(self, mark: int, result: object) -> object:
        """A function returns its result to the line behind this mark."""
        self.at(mark)
        self.runs[mark] -= 1
        return result

    @contextmanager
    def watching(self, memory: bool = False) -> Iterator[None]:
        """Measure what runs in this context, from its start to its end: its memory, or its time."""
        self.watches_memory = memory
        starts = memory and not tracemalloc.is_tracing()  # the caller may trace, and goes on then
        if starts:
            tracemalloc.start()
        try:
            self.reset()
            yield
            self.at(_OUTSIDE)
        finally:
            if starts:
                tracemalloc.stop()

    def own_cost(self) -> float:
        """Nanoseconds that a call of `at` adds to the line that it ends."""
        trial, samples = Meter(), []
        for _ in range(1000):
            trial.at(_OUTSIDE)
            before = trial.nanoseconds[_OUTSIDE]
            trial.at(_OUTSIDE)
            samples.append(trial.nanoseconds[_OUTSIDE] - before)
        return statistics.median(samples)

    def marked(self, lines: list[Line]) -> list[Line]:
        """Generated lines with calls of `at`."""
        return [line for text, op in lines for line in self._marked(text, op)]

    def _marked(self, text: str, op: Operation | None) -> Iterator[Line]:
        if text.startswith("def "):
            yield from ((text, op), ("    came_from = meter.now()", None))
            return
        mark, indent = self._mark(op), " " * (len(text) - len(text.lstrip()))
        if asks := _ASKS.fullmatch(text):
            yield f"{asks[1]}meter.at({mark}) or ({asks[2]}):", op
            return
        if op is not None and not _CONTINUES.match(text):
            yield f"{indent}meter.at({mark})", op
        if text.startswith(f"{indent}return "):
            text = f"{indent}return meter.back(came_from, ({text.strip().removeprefix('return').lstrip() or None}))"
        yield text, op

    def _mark(self, op: Operation | None) -> int:
        self.ops.append(op)
        for column in (self.nanoseconds, self.runs, self.nbytes):
            column.append(0)
        return len(self.ops) - 1


meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def measuring() -> Iterator[Meter]:
    """Programs that are compiled in this context are measured when they run, then or later."""
    made = Meter()
    token = meter.set(made)
    try:
        yield made
    finally:
        meter.reset(token)
