"""Random functions: `jax.grad` gives the gradients of eager code."""

from __future__ import annotations

import pytest

pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

from on_jax.random_functions import written
from on_jax.random_gradients import compare
from support.rates import fewest
from support.sampling import random_functions, seed_in_failure

AGREES = 0.1  # of all random functions have a gradient that is compared, and isn't zero


@pytest.mark.long
@random_functions(600, 60)
def test_gradients_of_random_functions(seeds):
    found = []
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            found.append(compare(written(seed)))
            assert not found[-1].startswith("differs"), found[-1]
    print({told: found.count(told) for told in found})
    assert found.count("agrees") >= fewest(AGREES, len(seeds))
