"""A run tries a sample of what is generated: the day's, that of a given seed, or everything."""

import re
from pathlib import Path
from random import Random

import pytest
from support import sampling
from support.rates import fewest, most
from support.sampling import amount, drawn, is_loaded_too, names_no_test, sampled


@pytest.fixture
def seed(monkeypatch):
    """seed(n): a run with DY2ST_SEED=n."""
    monkeypatch.setattr(sampling, "ASKED", "sampled")
    monkeypatch.setattr(sampling, "is_whole_suite", False)
    return lambda number: monkeypatch.setattr(sampling, "SEED", number)


@pytest.fixture
def days_run(seed, monkeypatch):
    """days_run(n): a run of the whole suite with DY2ST_SEED=n."""
    monkeypatch.setattr(sampling, "is_whole_suite", True)
    return seed


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


def test_the_days_run_tries_a_quarter_of_the_sample_and_each_case_some_day(days_run, monkeypatch):
    drawn_some_day = set()
    for day in range(20261101, 20261231):
        days_run(str(day))
        of_the_day = sampled(range(30), 12)
        assert len(of_the_day) == 3 == amount(30, 12) and of_the_day == sorted(set(of_the_day))
        drawn_some_day.update(of_the_day)
        with monkeypatch.context() as patch:
            patch.setattr(sampling, "is_whole_suite", False)
            assert set(of_the_day) < set(sampled(range(30), 12))  # so a command that names a test tries what failed
    assert drawn_some_day == {*range(30)} and amount(30, 1) == amount(30, 4) == 1


def test_the_days_run_saves_and_loads_in_a_third_of_the_tests_and_in_each_some_day(days_run, monkeypatch):
    def loaded():
        for case in range(300):
            monkeypatch.setenv("PYTEST_CURRENT_TEST", f"tests/test_a.py::test_b[{case}] (call)")
            if is_loaded_too():
                yield case

    some_day = set()
    for day in range(20261101, 20261131):
        days_run(str(day))
        of_the_day = {*loaded()}
        assert fewest(1 / 3, 300) <= len(of_the_day) <= most(1 / 3, 300)
        some_day |= of_the_day
    monkeypatch.setattr(sampling, "is_whole_suite", False)
    assert some_day == {*loaded()} == {*range(300)}


def test_a_few_cases_of_a_listed_family_are_drawn_and_each_some_day(days_run, seed, monkeypatch):
    found = set()
    for day in range(20261101, 20261231):
        days_run(str(day))
        of_the_day = drawn("tests/test_a.py::test_b", [*range(21)])
        assert len(of_the_day) == 3 and of_the_day == sorted(set(of_the_day)) != drawn("tests/test_a.py::test_c", [*range(21)])
        found.update(of_the_day)
    assert found == {*range(21)} and drawn("tests/test_a.py::test_b", [*range(3)]) == [*range(3)]


@pytest.mark.parametrize("asked", ["many", "all"])
def test_a_listed_family_is_tried_whole_in_a_longer_run(monkeypatch, asked):
    monkeypatch.setattr(sampling, "ASKED", asked)
    monkeypatch.setattr(sampling, "is_whole_suite", True)
    assert drawn("tests/test_a.py::test_b", [*range(300)]) == [*range(300)]


def test_a_command_that_names_tests_tries_listed_families_whole():
    tests = Path(__file__).parent
    assert names_no_test([str(tests)], "") and names_no_test([str(tests.parent)], "")
    assert not names_no_test([str(tests)], "quickstart")
    for named in (tests / "passes", f"{__file__}::test_a_small_family_is_tried_as_a_whole"):
        assert not names_no_test([str(named)], "")


def test_a_run_of_everything_leaves_nothing_out(monkeypatch):
    monkeypatch.setattr(sampling, "ASKED", "all")
    assert sampled("abcdefgh", 2) == list("abcdefgh") and amount(5, 3) == 5


def test_a_run_of_many_tries_four_times_as_many(monkeypatch):
    monkeypatch.setattr(sampling, "ASKED", "many")
    assert len(sampled(range(1000), 5)) == 20 and amount(1000, 5) == 20 and amount(15, 5) == 15
    monkeypatch.setattr(sampling, "RANDOM", "")
    assert len(sampling.random_functions(2000, 5).args[1]) == 1


def test_the_seed_of_a_random_function_can_be_named(monkeypatch):
    monkeypatch.setattr(sampling, "RANDOM", "1234")
    assert sampling.named() == [1234]
    monkeypatch.setattr(sampling, "RANDOM", "20:120")
    assert [len(seeds) for seeds in sampling.random_functions(2000, 5).args[1]] == [50, 50]


def test_a_failure_names_the_seed_and_the_command_that_tries_it_alone():
    with pytest.raises(AssertionError) as caught, sampling.seed_in_failure(1234, __file__):
        raise KeyError("k")
    assert str(caught.value) == "seed 1234 (`DY2ST_RANDOM=1234 pytest tests/test_sampling.py`): 'k'"
    assert isinstance(caught.value.__cause__, KeyError)


def test_each_file_that_tries_a_sample_marks_it_as_long():
    for path in Path(__file__).parent.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if path != Path(__file__) and re.search(r"\b(sampled|amount|random_functions)\(", text):
            assert re.search(r"^(@|pytestmark = )pytest\.mark\.long$", text, re.MULTILINE), path


@pytest.mark.parametrize("share", [0.01, 0.3, 0.88])
def test_chance_alone_passes_no_bound(share):
    """A family of which this share comes out one way is always within; a large one with half as many again isn't."""
    random = Random(0)
    for tried in (0, 1, 10, 50, 600, 2000):
        for _ in range(40):
            count = sum(random.random() < share for _ in range(tried))
            assert fewest(share, tried) <= count <= most(share, tried)
    assert most(share, 20_000) < 30_000 * share and fewest(share, 20_000) > 13_000 * share


def test_the_header_says_how_to_repeat_the_run():
    assert f"DY2ST_SEED={sampling.SEED} DY2ST_TESTS={sampling.ASKED}" in sampling.HEADER
