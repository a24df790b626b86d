"""Random functions give the same bits with passes and without, with reused buffers and with fresh memory."""

from __future__ import annotations

import pytest
from property.compare import compare
from property.generate import write_module
from support.every_form import every_form
from support.sampling import random_functions, seed_in_failure


@pytest.mark.long
@random_functions(2000, 25)
def test_every_form_of_a_random_function_gives_the_same_bits(seeds):
    calls = 0
    for seed in seeds:
        with seed_in_failure(seed, __file__), every_form() as compared:
            report = compare(write_module(seed), loaded=False)
            assert not report.difference
            calls += len(compared)
    assert calls >= len(seeds)
