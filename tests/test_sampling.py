"""A run tries a sample of what is generated: the day's, that of a given seed, or everything."""

import pytest
from support import sampling
from support.sampling import amount, sampled


@pytest.fixture
def seed(monkeypatch):
    """seed(n): a run with DY2ST_SEED=n."""
    monkeypatch.setattr(sampling, "ASKED", "sampled")
    return lambda number: monkeypatch.setattr(sampling, "SEED", number)


def test_a_seed_draws_the_same_cases_each_time_in_their_order(seed):
    seed("20261122")
    first = sampled(range(1000), 50)
    assert first == sampled(iter(range(1000)), 50) == sorted(set(first)) and len(first) == 50
    seed("20261123")
    assert sampled(range(1000), 50) != first


def test_every_case_is_drawn_some_day(seed):
    drawn = set()
    for day in range(20261101, 20261131):
        seed(str(day))
        drawn.update(sampled("abcdefgh", 2))
    assert drawn == set("abcdefgh")


def test_a_small_family_is_tried_as_a_whole(seed):
    assert sampled("abc", 5) == ["a", "b", "c"] and amount(3, 5) == 3 and amount(5, 3) == 3


def test_a_run_of_everything_leaves_nothing_out(monkeypatch):
    monkeypatch.setattr(sampling, "ASKED", "all")
    assert sampled("abcdefgh", 2) == list("abcdefgh") and amount(5, 3) == 5


def test_the_header_says_how_to_repeat_the_run():
    assert f"DY2ST_SEED={sampling.SEED} DY2ST_TESTS={sampling.ASKED}" in sampling.HEADER
