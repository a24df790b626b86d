"""Random functions mean the same as plain Python, as a static function, and as a saved and loaded Program."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from property.compare import TOO_LONG, compare
from property.coverage import Tracer
from property.generate import write_module
from property.shrink import explain
from support.rates import fewest, most
from support.sampling import random_functions, seed_in_failure

TRACED = 2  # of every how many functions the paths are watched
# Shares of all random functions.
REFUSED = 0.01
ANSWER = 0.88  # give values for some call; the others raise in every one
COVERED = 0.8  # take, of the sides of the forks that some call reaches, at least so many:
SIDES = 0.75

# What may be refused, and why. Anything else is a failure.
REFUSALS = {
    TOO_LONG: "a function that takes too long as plain Python",
    r"is known only when the Program run": "an object that is one of several on different paths, and is changed there",
    r"are known only when the Program run": "a list of the Program as the bound of a slice, which Python itself asks",
    r"this generator '.*' is handed to": "a generator that a function of C reads",
    r"where it was made can't be seen": "a list that unconverted code made, changed on one path",
    r"holds itself, is nested without end": "a list that is put into itself",
    r"a value of more than \d+ kinds": "a loop that makes a new object at each turn and keeps all of them apart",
    r"is used outside of it": "an object made on one path, where another path has something of another kind",
    r"is beyond int64": "a number that outgrows int64, and is returned",
    r"which a file can't hold": "a result that is one of several objects",
    r"gets an attribute, a default or a keyword of its own": "a function made on one path, whose variable is stored anew",
    r"depends on the path, and uses \w+, which only the Program knows later on": "a function made on one path, of another one",
    r"bool\(x\) needs a value": "a comprehension or a list method of C that compares staged items",
}


@pytest.mark.long
@random_functions(2000, 80)
def test_random_functions_mean_the_same(seeds):
    refused: Counter[str] = Counter()
    answer, covered = 0, []
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            text = write_module(seed)
            tracer = Tracer() if seed % TRACED == 0 else None
            report = compare(text, tracer)
            assert not report.difference, explain(text, compare)
            if report.refusal:
                refused[reason_of(report.refusal, text)] += 1
            answer += report.answers
            if tracer is not None:
                covered.append(tracer.covers(SIDES))
    print(f"{len(seeds)} functions, {sum(covered)} of {len(covered)} covered, {answer} answer; refused: {dict(refused)}")
    assert sum(refused.values()) <= most(REFUSED, len(seeds))
    assert answer >= fewest(ANSWER, len(seeds))
    assert sum(covered) >= fewest(COVERED, len(covered))


def reason_of(refusal: str, text: str) -> str:
    reason = next((why for pattern, why in REFUSALS.items() if re.search(pattern, refusal)), "")
    assert reason, f"refused for no known reason: {refusal}\n{text}"
    return reason


def test_the_same_seed_writes_the_same_text():
    assert write_module(7) == write_module(7) != write_module(8)
