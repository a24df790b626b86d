"""Random functions mean the same as plain Python, as a static function, and as a saved and loaded Program.

DY2ST_RANDOM_FUNCTIONS sets how many there are (2000), DY2ST_RANDOM_SEED where the seeds start (0).
"""

from __future__ import annotations

import os
import re
from collections import Counter

import pytest
from property.compare import TOO_LONG, compare
from property.coverage import Tracer
from property.generate import write_module
from property.shrink import shrink
from support.sampling import sampled

COUNT = int(os.environ.get("DY2ST_RANDOM_FUNCTIONS", "2000"))
START = int(os.environ.get("DY2ST_RANDOM_SEED", "0"))
PART = 100  # of them in one test
SEEDS = sampled(range(START, START + COUNT), PART)
TRACED = 2  # every how many of them its paths are watched, which takes as long again as the function
COVERAGE_FLOOR = 0.78  # of the sides of the forks that some call reaches
REFUSED_AT_MOST = 0.1  # of one part

# What may be refused, and why. Anything else is a failure.
REFUSALS = {
    TOO_LONG: "a function that takes too long as plain Python",
    r"is known only when the Program run": "an object that is one of several on different paths, and is changed there",
    r"are known only when the Program run": "a list of the Program as the bound of a slice, which Python itself asks",
    r"this generator '.*' is handed to": "a generator that a function of C reads",
    r"where it was made can't be seen": "a list that unconverted code made, changed on one path",
    r"holds itself, or is nested without end": "a list that is put into itself",
    r"a value of more than \d+ kinds": "a loop that makes a new object at each turn and keeps all of them apart",
    r"is used outside of it": "an object made on one path, where another path has something of another kind",
    r"which a file can't hold": "a result that is one of several objects",
    r"bool\(x\) needs a value": "a comprehension or a list method of C that compares staged items",
}


@pytest.mark.parametrize("start", range(0, len(SEEDS), PART))
def test_random_functions_mean_the_same(start):
    tracer = Tracer()
    refused: Counter[str] = Counter()
    seeds = SEEDS[start : start + PART]
    for seed in seeds:
        text = write_module(seed)
        report = compare(text, tracer if seed % TRACED == 0 else None)
        assert not report.difference, explain(seed, text)
        if report.refusal:
            reason = next((why for pattern, why in REFUSALS.items() if re.search(pattern, report.refusal)), None)
            assert reason, f"seed {seed}: refused for no known reason: {report.refusal}\n{text}"
            refused[reason] += 1
    share = tracer.done()
    print(f"\n{len(seeds)} functions; paths of every {TRACED}nd: {share:.1%} of forks taken, {tracer.reached:.1%} of the reached")
    print(f"refused: {sum(refused.values()) / len(seeds):.1%}", *(f"\n  {n} x {why}" for why, n in refused.most_common()))
    assert tracer.reached >= COVERAGE_FLOOR
    assert sum(refused.values()) <= REFUSED_AT_MOST * len(seeds)


def explain(seed: int, text: str) -> str:
    """The failure of a seed, made small."""
    small = shrink(text, lambda candidate: bool(compare(candidate).difference), seconds=60)
    function = small[small.index("def f(") :]
    return f"seed {seed}, made small:\n\n{function}\n{compare(small).difference}\n\n(original)\n{text[text.index('def f(') :]}"


def test_the_same_seed_writes_the_same_text():
    assert write_module(7) == write_module(7) != write_module(8)
