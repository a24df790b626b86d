"""Random functions on tensors give what torch gives, static and loaded: values and their kinds, aliases, exceptions, state."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from from_torch.random_functions import compare, written  # noqa: E402
from property.shrink import explain  # noqa: E402
from support.rates import fewest, most  # noqa: E402
from support.sampling import random_functions, seed_in_failure  # noqa: E402

# Shares of all random functions.
REFUSED = 0.01
ANSWER = 0.85  # give values in some call


@pytest.mark.long
@random_functions(10_000, 100)
def test_random_functions_give_what_torch_gives(seeds):
    refused = answer = 0
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            text = written(seed)
            report = compare(text)
            assert not report.difference, explain(text, compare)
            refused += bool(report.refusal)
            answer += report.answers
    print(f"{len(seeds)} functions, {refused} refused, {answer} answer")
    assert refused <= most(REFUSED, len(seeds))
    assert answer >= fewest(ANSWER, len(seeds))
