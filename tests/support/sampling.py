"""How much of a large family a run tries: some cases, drawn by a seed that changes from day to day, or all of them.

A generated family states its sample, by `sampled`, `amount` or `random_functions`; a listed family is a test function of several
cases. A command that names tests tries that sample, and listed families whole. A run of the whole suite, the day's run, draws a
quarter of the sample, FEW cases of each listed family, a third of the tests with the mark `by_turns`, which take long one by one,
and a third of the tests that save and load what they stage.

`DY2ST_TESTS=many` tries listed families whole and four times the sample; `DY2ST_TESTS=all` tries all.
`DY2ST_SEED=20261122` draws what that day drew.
Of random functions, `DY2ST_RANDOM=1234` tries the one of this seed, and `DY2ST_RANDOM=2000:9000` those from 2000 on.
Worker processes read the settings of the first process.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TypeVar

import pytest

Case = TypeVar("Case")

ROOT = Path(__file__).resolve().parents[2]
BATCH = 50  # random functions in one test
MANY = 4  # times the sample
DAYS = 4  # day's runs, which are as large as the sample together
FEW = 3  # cases of a listed family
ASKED = os.environ.get("DY2ST_TESTS", "sampled")
SEED = os.environ.setdefault("DY2ST_SEED", f"{date.today():%Y%m%d}")
RANDOM = os.environ.get("DY2ST_RANDOM", "")
DRAWN = f"DY2ST_SEED={SEED} DY2ST_TESTS={ASKED}" + (f" DY2ST_RANDOM={RANDOM}" if RANDOM else "")
HEADER = f"dy2st: {DRAWN} (`DY2ST_TESTS=all` tries every case)"
is_whole_suite = False  # tests/conftest.py knows the command
if ASKED not in ("sampled", "many", "all") or not SEED.isdecimal() or not re.fullmatch(r"(\d+(:\d+)?)?", RANDOM):
    got = f"{ASKED!r}, {SEED!r} and {RANDOM!r}"
    raise ValueError(f"DY2ST_TESTS is sampled, many or all, DY2ST_SEED a number, and DY2ST_RANDOM 1234 or 2000:9000; got {got}")


def is_days_run() -> bool:
    """Whether this is a run of the whole suite that tries a sample."""
    return ASKED == "sampled" and is_whole_suite


def amount(whole: int, part: int) -> int:
    """How many examples to try, of a family that has so many as a whole."""
    return min(-(-part // DAYS), whole) if is_days_run() else _sample(whole, part)


def _sample(whole: int, part: int) -> int:
    return {"sampled": min(part, whole), "many": min(MANY * part, whole), "all": whole}[ASKED]


def sampled(cases: Iterable[Case], part: int) -> list[Case]:
    """So many of the cases, in their order; all of them in a run of everything. The day's run tries some of the sample."""
    cases = list(cases)
    chosen = random.Random(int(SEED)).sample(range(len(cases)), _sample(len(cases), part))
    return [cases[k] for k in sorted(chosen[: amount(len(cases), part)])]


def is_its_turn(test: str) -> bool:
    """Whether a test is one of the third that the day's run draws; every other run tries all."""
    return not is_days_run() or random.Random(f"{SEED} {test}").random() < 1 / 3


def is_loaded_too() -> bool:
    """Whether what the current test stages is saved and loaded as well."""
    return is_its_turn(os.environ["PYTEST_CURRENT_TEST"])


def drawn(family: str, cases: list[Case]) -> list[Case]:
    """Of the cases of a listed family, those of the day's run; every other run tries all."""
    if not is_days_run() or len(cases) <= FEW:
        return cases
    return [cases[k] for k in sorted(random.Random(f"{SEED} {family}").sample(range(len(cases)), FEW))]


def names_no_test(args: Iterable[str], words: str) -> bool:
    """Whether a command names no folder, file or test to pytest, and no words of their names."""
    return not words and {Path(arg).resolve() for arg in args} <= {ROOT, ROOT / "tests"}


def random_functions(whole: int, part: int) -> pytest.MarkDecorator:
    """Parametrize a test with `seeds`: those of the random functions that the run tries, some for each test."""
    seeds = named() if RANDOM else sampled(range(whole), part)
    batches = [seeds[k : k + BATCH] for k in range(0, len(seeds), BATCH)]
    return pytest.mark.parametrize("seeds", batches, ids=lambda batch: f"{batch[0]}-{batch[-1]}")


def named() -> list[int]:
    """The seeds that DY2ST_RANDOM names."""
    first, _, end = RANDOM.partition(":")
    return list(range(int(first), int(end or int(first) + 1)))


@contextlib.contextmanager
def case_in_failure(case: str) -> Iterator[None]:
    """A failure within says which of many cases it is."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{case}: {error}") from error


@contextlib.contextmanager
def seed_in_failure(seed: int, file: str) -> Iterator[None]:
    """A failure within says which random function it is, and the command that tries this one alone."""
    with case_in_failure(f"seed {seed} (`DY2ST_RANDOM={seed} pytest {Path(file).relative_to(ROOT).as_posix()}`)"):
        yield
