"""Timings as a Markdown page."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import asdict

import numpy as np

from harness import SCRIPT, Aim, Case, Cost, Timing, growth, reached

Result = tuple[Case, dict[str, Timing], dict[str, Cost]]

INTRO = """# Benchmark results

Written by `python benchmarks/run.py{options}`. The variants of a case run in turn, A B C A B C, in one process; a figure is
the median of the rounds, and in brackets stands the middle half; growth is that of the best. *Ratio* is the time over that of
the first line of its table, the median of the rounds' ratios: smaller is better. *First answer* is the time from the model to
its first answer (conversion included), measured once; *peak* is the most bytes of arrays that NumPy holds during a later call
beyond those that stood before.

{machine}

![ratios to torch.jit.script](ratios.png)
"""
GROWTH = "\n![time against size](growth.png)\n"


def render(results: list[Result], options: str) -> str:
    parts = [INTRO.format(options=options, machine=machine())]
    parts += [GROWTH] if any(case.sizes for case, _, _ in results) else []
    parts += [_summary(results)]
    parts += [_table(*result) for result in results]
    return "\n".join(parts)


def as_json(results: list[Result]) -> str:
    """The medians in seconds with the middle half, and the ratio to torch.jit.script where that took part."""
    cases = [
        {
            "title": case.title,
            "variants": {name: _figures(t) | asdict(cost[name]) for name, t in timings.items()},
            "to_script": ratios(timings),
            "aims": [{**asdict(aim), "reached": reached(aim, timings)} for aim in measured(case.aims, timings)],
        }
        for case, timings, cost in results
    ]
    return json.dumps({"machine": machine(), "cases": cases}, indent=1) + "\n"


def _figures(timing: Timing) -> dict[str, float]:
    low, high = timing.middle_half
    return {"median": timing.median, "low": low, "high": high, "best": timing.best, "samples": len(timing.rounds)}


def ratios(timings: dict[str, Timing]) -> dict[str, float]:
    """The time of each variant over that of torch.jit.script; {} without that."""
    return {name: t.over(timings[SCRIPT]) for name, t in timings.items() if name != SCRIPT} if SCRIPT in timings else {}


def measured(aims: list[Aim], timings: dict[str, Timing]) -> list[Aim]:
    """The aims whose two variants took part."""
    return [aim for aim in aims if {aim.variant, aim.reference} <= timings.keys()]


def _ratio(value: float) -> str:
    """Two decimals, or two digits of a small one."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def machine() -> str:
    versions = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    others = ("torch", "paddle", "onnxruntime", "jax")
    versions += [f"{name} {sys.modules[name].__version__}" for name in others if name in sys.modules]
    if kernels := os.environ.get("OPENBLAS_CORETYPE"):
        versions.append(f"OPENBLAS_CORETYPE={kernels}")
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; {', '.join(versions)}."


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def _summary(results: list[Result]) -> str:
    lines = ["## Aims", "", "| case | aim | measured | |", "|---|---|---|---|"]
    for case, timings, _ in results:
        for aim in measured(case.aims, timings):
            ratio = reached(aim, timings)
            word = "reached" if ratio <= aim.factor else "**missed**"
            lines.append(f"| {case.title} | {aim.variant} at most {aim.factor:g} x {aim.reference} | {_ratio(ratio)} | {word} |")
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


def _table(case: Case, timings: dict[str, Timing], costs: dict[str, Cost]) -> str:
    head = ["| variant | time | ratio | first answer | peak |", "|---|---|---|---|---|"]
    lines = [f"## {case.title}", "", *([case.note, ""] if case.note else []), *head]
    base = next(iter(timings.values()))
    for name, timing in timings.items():
        spread = "({} to {})".format(*map(_time, timing.middle_half)) if len(timing.rounds) > 1 else ""
        cost = costs[name]
        first = "" if cost.first is None else _time(cost.first)
        peak = "" if cost.peak is None else _bytes(cost.peak)
        lines.append(f"| {name} | {_time(timing.median)} {spread} | {_ratio(timing.over(base))} | {first} | {peak} |")
    return "\n".join(lines) + "\n"


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _bytes(count: int) -> str:
    for unit, scale in (("MB", 1_000_000), ("kB", 1000)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count} B"
