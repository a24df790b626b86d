"""Where a saved model spends its time, by the user's line and by the part of the model."""

from __future__ import annotations

import linecache
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ...ir.core import Operation
from ...runtime.engine.measured import Meter, measuring
from ...runtime.tensors.grad_mode import no_grad
from .load import load

FIGURES = ("time", "share", "steps", "new bytes")  # the names of a row's


@dataclass(frozen=True)
class Row:
    """One line, or one part of a model with the parts in it.

    where: `net.py:7`, or a path such as `encoder.linear`. source: the text of the line where its file is at hand, else "".
    seconds: of one call of the model. steps: lines of generated source that a call runs for it, those of a loop once for each
    turn. nbytes: the most memory that one of them newly takes.
    """

    where: str
    source: str
    seconds: float
    steps: float
    nbytes: int

    def figures(self, whole: float) -> tuple[str, str, str, str]:
        """Time, its share of `whole` seconds, steps and bytes, as texts."""
        share = self.seconds / whole if whole else 0.0
        return _duration(self.seconds), f"{share:.1%}", f"{self.steps:g}", f"{self.nbytes:,}"


@dataclass(frozen=True)
class Profile:
    """What `profile` found: rows, the slowest first.

    seconds: the median call of the model as it is; measured: that of the model with the clock in it, its cost taken off.
    outside: the part of `measured` that is spent around the Program, in checking arguments and wrapping results.
    lines, parts: by the user's line; by the path of the Layer, "" for the model itself. A line that the engine has put into the
    expression of another line counts there.
    """

    seconds: float
    measured: float
    outside: float
    lines: list[Row]
    parts: list[Row]

    def as_dict(self) -> dict[str, Any]:
        """Everything, as JSON takes it."""
        return asdict(self)

    @property
    def summary(self) -> str:
        """One line: how long a call takes."""
        around = f"of which {_duration(self.outside)} around the Program"
        return f"one call: {_duration(self.seconds)}; measured line by line: {_duration(self.measured)}, {around}"

    def table(self, rows: list[Row]) -> list[tuple[str, ...]]:
        """`rows` as texts: the place, the figures, the source."""
        return [(row.where or "(the model)", *row.figures(self.measured), row.source) for row in rows]

    def __str__(self) -> str:
        lines, parts = self._aligned("line", self.lines), self._aligned("part, with what is in it", self.parts)
        return "\n".join([self.summary, "", *lines, "", *parts])

    def _aligned(self, title: str, rows: list[Row]) -> Iterator[str]:
        texts = [(title, *FIGURES, ""), *self.table(rows)]
        widths = [max(map(len, column)) for column in zip(*texts)]
        for where, *figures, source in texts:
            right = (text.rjust(width) for text, width in zip(figures, widths[1:]))
            yield "  ".join([where.ljust(widths[0]), *right, source]).rstrip()


def profile(path: str, *inputs: Any, repeat: int = 20) -> Profile:
    """Run a saved model and tell what each of the user's lines, and each part of the model, takes in time and memory.

    path: what `load` takes. inputs: arrays or Tensors, as the model's call takes them. repeat: calls that are timed, without
    gradients; one more warms up, and one counts memory, both of copies of the model.

    The result is a Profile. ValueError: `repeat` is no positive int; otherwise what `load` and the call raise.

    >>> dy2st.jit.save(dy2st.nn.Linear(3, 2), "net", input_spec=[dy2st.static.InputSpec([None, 3])])
    >>> [part.where for part in dy2st.jit.profile("net", np.ones([4, 3], "float32")).parts]
    ['']
    """
    if type(repeat) is not int or repeat < 1:
        raise ValueError(f"repeat is an int of at least 1, not {repeat!r}")
    plain = load(path)
    with measuring() as meter:
        marked = load(path)
    with no_grad():
        seconds = np.median([_seconds(plain, inputs) for _ in range(repeat + 1)][1:])
        marked(*inputs)
        calls = [_measured(marked, inputs, meter) for _ in range(repeat)]
        with meter.watching(memory=True):
            marked(*inputs)
    times, runs = np.median([taken for taken, _ in calls], axis=0), np.mean([counts for _, counts in calls], axis=0)
    own = (np.maximum(times - meter.own_cost() * runs, 0.0) * 1e-9).tolist()
    table = _Table(meter, own, runs.tolist())
    return Profile(float(seconds), sum(own), own[0], table.rows(_lines_of), table.rows(_parts_of))


def _measured(model: Callable, inputs: tuple, meter: Meter) -> tuple[list[int], list[int]]:
    """Nanoseconds and runs of each mark in one call."""
    with meter.watching():
        model(*inputs)
    return meter.nanoseconds, meter.runs


def _seconds(model: Callable, inputs: tuple) -> float:
    start = time.perf_counter()
    model(*inputs)
    return time.perf_counter() - start


def _lines_of(op: Operation) -> Iterable[str]:
    return [str(op.loc)] if op.loc is not None else ["(no line)"]


def _parts_of(op: Operation) -> Iterable[str]:
    """The path, and those of all that hold it."""
    names = op.path.split(".") if op.path else []
    return [".".join(names[:count]) for count in range(len(names) + 1)]


class _Table:
    """Measurements of generated lines, to be added up."""

    def __init__(self, meter: Meter, seconds: list[float], runs: list[float]):
        rows = zip(meter.ops, seconds, runs, meter.nbytes)
        self._marks = [(op, figures) for op, *figures in rows if op is not None and figures[1]]

    def rows(self, keys: Callable[[Operation], Iterable[str]]) -> list[Row]:
        """One row for each key of an Operation, the slowest first."""
        found: dict[str, list[tuple]] = defaultdict(list)
        texts: dict[str, str] = {}
        for op, figures in self._marks:
            for key in keys(op):
                found[key].append(tuple(figures))
            texts.setdefault(str(op.loc), _text_of(op))
        rows = [_row(key, texts.get(key, ""), figures) for key, figures in found.items()]
        return sorted(rows, key=lambda row: -row.seconds)


def _row(where: str, source: str, figures: list[tuple]) -> Row:
    seconds, steps, nbytes = zip(*figures)
    return Row(where, source, sum(seconds), sum(steps), max(nbytes))


def _text_of(op: Operation) -> str:
    return linecache.getline(op.loc.file, op.loc.line).strip() if op.loc is not None else ""


def _duration(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"
