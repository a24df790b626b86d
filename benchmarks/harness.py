"""Time the variants of a case against each other, interleaved: A B C A B C ..., so that a slow minute of the machine hits all."""

from __future__ import annotations

import gc
import math
import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

HAND, EAGER, STATIC, LOADED = "by hand", "dy2st eager", "dy2st static", "dy2st loaded"
REORDERED = "dy2st static, reorder_weights"
SCRIPTED, TORCH, SCRIPT, ONNXRUNTIME = "dy2st script", "torch eager", "torch.jit.script", "ONNX Runtime"
EXPORTED = "dy2st in ONNX Runtime"
PADDLE = "paddle to_static"
HAND_JAX, BY_XLA, XLA_ENGINE = "JAX by hand", "dy2st.jax.function", "dy2st, backend jax"
COMPILED, CONVERTED = "torch.compile", "to_static"


@dataclass
class Aim:
    """`variant` should take at most `factor` times as long as `reference`."""

    variant: str
    reference: str
    factor: float


@dataclass
class Limit:
    """`variant` should take at most so many seconds, on a machine of today."""

    variant: str
    seconds: float


@dataclass
class Case:
    """One thing that is measured.

    variants: name -> a callable without arguments that does the work once and returns its answer.
    The first variant is the baseline of the ratios.
    first: name of a variant -> what makes it anew and calls it once.
    sizes: where the variants are one thing in several sizes, those; the time should grow at most as size ** max_growth.
    """

    title: str
    variants: dict[str, Callable[[], Any]]
    aims: list[Aim] = field(default_factory=list)
    note: str = ""
    sizes: list[int] = field(default_factory=list)
    max_growth: float = 1.05
    limits: list[Limit] = field(default_factory=list)
    first: dict[str, Callable[[], Any]] = field(default_factory=dict)


@dataclass
class Timing:
    """Seconds for each call of a variant, in every round."""

    rounds: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def best(self) -> float:
        return min(self.rounds)

    @property
    def middle_half(self) -> tuple[float, float]:
        """What a quarter of the rounds is below, and a quarter above."""
        low, _, high = statistics.quantiles(self.rounds, n=4) if len(self.rounds) > 1 else self.rounds * 3
        return low, high

    def over(self, other: Timing) -> float:
        """The time over that of another variant: the median of the rounds' ratios, as a round sees one state of the machine."""
        return statistics.median(a / b for a, b in zip(self.rounds, other.rounds, strict=True))


FEWEST_ROUNDS = 3
NUMPY = (HAND, EAGER, STATIC, LOADED, SCRIPTED)


@dataclass
class Cost:
    """Seconds from the model to its first answer, and the most bytes of arrays that a later call holds; None: not measured."""

    first: float | None
    peak: int | None


def costs(case: Case) -> dict[str, Cost]:
    """Cost of every variant. Bytes are those that NumPy reports to tracemalloc, so only of variants that compute in NumPy."""
    first = {name: _time(function, 1) for name, function in case.first.items()}
    peaks = {name: _peak(function) for name, function in case.variants.items() if name in NUMPY}
    return {name: Cost(first.get(name), peaks.get(name)) for name in case.variants}


def _peak(function: Callable[[], Any]) -> int:
    function()
    gc.collect()
    tracemalloc.start()
    function()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def measure(case: Case, rounds: int, slice_seconds: float, limit: float = math.inf) -> dict[str, Timing]:
    """Run every variant `rounds` times in turn, each time for about `slice_seconds`, garbage collection off.

    After `limit` seconds no further round begins, but for the fewest that tell something.
    """
    counts = {name: _calls_in(function, slice_seconds) for name, function in case.variants.items()}
    samples: dict[str, list[float]] = {name: [] for name in case.variants}
    start = time.perf_counter()
    for done in range(rounds):
        if done >= FEWEST_ROUNDS and time.perf_counter() - start > limit:
            break
        for name, function in case.variants.items():
            gc.collect()
            gc.disable()
            samples[name].append(_time(function, counts[name]) / counts[name])
            gc.enable()
    return {name: Timing(values) for name, values in samples.items()}


def _calls_in(function: Callable[[], Any], seconds: float) -> int:
    """How many calls fill about `seconds`; the trial calls also warm every cache."""
    function()
    count = 1
    while (taken := _time(function, count)) < seconds / 4:
        count *= 4
    return max(1, round(count * seconds / max(taken, 1e-9)))


def _time(function: Callable[[], Any], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        function()
    return time.perf_counter() - start


def reached(aim: Aim, timings: dict[str, Timing]) -> float:
    """The ratio that the aim is about."""
    return timings[aim.variant].over(timings[aim.reference])


def growth(case: Case, timings: dict[str, Timing]) -> float:
    """The exponent of the time over the size: the slope of the line that fits their logarithms best.

    Of the best times: whatever else the machine does only adds to a time, and to the long ones most often.
    """
    times = [math.log(timing.best) for timing in timings.values()]
    return statistics.linear_regression([math.log(size) for size in case.sizes], times).slope
