"""Random functions have the flags, gradients and exceptions of torch's autograd, in torch's names and in Paddle's."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from from_torch.random_gradients import DIFFERENCES, Outcome, compare, written  # noqa: E402
from property.shrink import explain  # noqa: E402
from support.rates import fewest, most  # noqa: E402
from support.sampling import random_functions, seed_in_failure  # noqa: E402

# Shares of all random functions.
REFUSED = 0.03
FLOWS = 0.5  # have a gradient that isn't zero


@pytest.mark.long
@random_functions(2000, 60)
def test_gradients_of_random_functions_are_those_of_torch(seeds):
    refused = flows = 0
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            text = written(seed)
            report = compare(text, seed)
            assert not report.difference, explain(text, lambda candidate: compare(candidate, seed))
            refused += report.refusal not in ("", *DIFFERENCES)
            flows += any(map(_flows, report.expected))
    print(f"{len(seeds)} functions, {refused} refused, gradients flow in {flows}")
    assert refused <= most(REFUSED, len(seeds))
    assert flows >= fewest(FLOWS, len(seeds))


@pytest.mark.parametrize("seed", [3772, 13315, 14610])
def test_functions_that_have_failed_before(seed):
    assert not compare(written(seed), seed).difference


def _flows(outcome: Outcome) -> bool:
    found = [g for gradients in outcome.gradients if isinstance(gradients, list) for g in gradients]
    return any(g is not None and g.any() for g in found)
