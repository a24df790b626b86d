"""Timings as a Markdown page."""

from __future__ import annotations

import os
import platform
import sys

import numpy as np

from harness import Case, Timing, growth, reached

INTRO = """# Benchmark results

Written by `python benchmarks/run.py{options}`. The variants of a case run in turn, A B C A B C, in one process; a figure is
the median of the rounds, and in brackets stands the middle half; growth is that of the best. *Ratio* is the time over that of
the first line of its table: smaller is better.

{machine}
"""


def render(results: list[tuple[Case, dict[str, Timing]]], options: str) -> str:
    parts = [INTRO.format(options=options, machine=_machine())]
    parts += [_summary(results)]
    parts += [_table(case, timings) for case, timings in results]
    return "\n".join(parts)


def _machine() -> str:
    versions = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    if "torch" in sys.modules:
        versions.append(f"torch {sys.modules['torch'].__version__}")
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; {', '.join(versions)}."


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def _summary(results: list[tuple[Case, dict[str, Timing]]]) -> str:
    lines = ["## Aims", "", "| case | aim | measured | |", "|---|---|---|---|"]
    for case, timings in results:
        for aim in case.aims:
            ratio = reached(aim, timings)
            word = "reached" if ratio <= aim.factor else "**missed**"
            lines.append(f"| {case.title} | {aim.variant} at most {aim.factor:g} x {aim.reference} | {ratio:.2f} | {word} |")
        for limit in case.limits:
            median = timings[limit.variant].median
            word = "reached" if median <= limit.seconds else "**missed**"
            name, most = limit.variant, f"{limit.seconds * 1e3:g} ms"
            lines.append(f"| {case.title} | {name} at most {most} | {median * 1e3:.2f} ms | {word} |")
        if case.sizes:
            exponent = growth(case, timings)
            word = "reached" if exponent <= case.max_growth else "**missed**"
            lines.append(f"| {case.title} | growth exponent at most {case.max_growth:g} | {exponent:.2f} | {word} |")
    return "\n".join(lines) + "\n"


def _table(case: Case, timings: dict[str, Timing]) -> str:
    lines = [f"## {case.title}", "", *([case.note, ""] if case.note else []), "| variant | time | ratio |", "|---|---|---|"]
    base = next(iter(timings.values())).median
    for name, timing in timings.items():
        spread = f"({_time(timing.low)} to {_time(timing.high)})" if timing.samples > 1 else ""
        lines.append(f"| {name} | {_time(timing.median)} {spread} | {timing.median / base:.2f} |")
    return "\n".join(lines) + "\n"


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
