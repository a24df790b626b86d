"""The variants of a benchmark case compute the same thing; how fast is never asserted."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from support.sampling import sampled

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(FOLDER))

from cases import NAMES, build  # noqa: E402
from harness import Aim, Case, Limit, Timing, costs, growth, measure  # noqa: E402
from memory import MOST, needed_and_held, workloads  # noqa: E402
from report import render  # noqa: E402


def arrays(answer):
    if answer is None:
        return []
    if isinstance(answer, list | tuple):
        return [array for item in answer for array in arrays(item)]
    return [np.asarray(answer.detach() if hasattr(answer, "detach") else answer)]


@pytest.mark.long
@pytest.mark.parametrize("name", sampled([n for n in NAMES if n not in ("source", "curves")], 4))
def test_the_variants_of_a_case_agree(name):
    for case in build(name):
        answers = {variant: arrays(function()) for variant, function in case.variants.items()}
        expected = next(iter(answers.values()))
        for variant, given in answers.items():
            assert len(given) == len(expected), f"{case.title}, {variant}"
            for a, b in zip(expected, given):
                np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-5, err_msg=f"{case.title}, {variant}")


@pytest.mark.long
@pytest.mark.by_turns
def test_the_source_cases_convert():
    functions = [function for case in build("source") for function in case.variants.values()]
    functions += [function for case in build("curves") for function in sampled(case.variants.values(), 1)]  # one size
    for function in functions:
        function()


def test_the_growth_of_a_quadratic_thing_is_two():
    timings = {str(n): Timing([n * n * 1e-6]) for n in (10, 30, 70)}
    case = Case("Squares", dict.fromkeys(timings, lambda: None), sizes=[10, 30, 70])
    assert growth(case, timings) == pytest.approx(2)
    assert "| Squares | growth exponent at most 1.05 | 2.00 | **missed** |" in render([(case, timings, costs(case))], "")


def test_a_limit_in_seconds_is_reached_or_missed():
    case = Case("Sum", {"quick": lambda: None, "slow": lambda: None}, limits=[Limit("quick", 0.002), Limit("slow", 0.002)])
    page = render([(case, {"quick": Timing([0.001]), "slow": Timing([0.003])}, costs(case))], "")
    assert "| Sum | quick at most 2 ms | 1.00 ms | reached |" in page
    assert "| Sum | slow at most 2 ms | 3.00 ms | **missed** |" in page


def test_a_slow_minute_of_the_machine_leaves_ratios_as_they_are():
    assert Timing([1.0, 5.0, 5.0]).over(Timing([2.0, 10.0, 2.0])) == 0.5


def test_the_limit_ends_the_rounds_but_for_the_fewest():
    timings = measure(Case("Sum", {"by hand": lambda: sum(range(100))}), rounds=50, slice_seconds=0.001, limit=0.0)
    assert len(timings["by hand"].rounds) == 3


def test_a_page_shows_ratios_and_aims():
    variants = {"by hand": lambda: sum(range(100)), "twice": lambda: sum(range(100)) + sum(range(100))}
    case = Case("Sum", variants, [Aim("twice", "by hand", 50.0)])
    page = render([(case, measure(case, rounds=2, slice_seconds=0.001), costs(case))], "")
    assert "| Sum | twice at most 50 x by hand |" in page and "reached" in page
    assert "| by hand |" in page and "| 1.00 |" in page


@pytest.mark.parametrize("title", ["20 elementwise operations on 4M float32", "Transformer block x 4, width 256, length 128"])
def test_a_run_holds_little_more_than_its_operations_need(title):
    target, arrays = workloads()[title]
    needed, held = needed_and_held(target, arrays)
    assert 0.5 * needed < held <= MOST * needed
