"""Random functions in static PyTorch code: torch.manual_seed makes runs repeat, and numbers lie as torch's do."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402

COUNT = 20000


def draws(x):
    return (
        torch.rand(3) + x,
        torch.randn_like(x),
        torch.bernoulli(x * 0.5),
        torch.randint(0, 9, (4,)),
        torch.empty(3).exponential_(),
    )


def moments(x):
    normal, even, heads = torch.randn(COUNT), torch.rand_like(x), torch.bernoulli(torch.full_like(x, 0.3))
    counts, waits = torch.empty_like(x).geometric_(0.25), torch.empty_like(x).exponential_(2.0)
    shifted, whole = torch.normal(3.0, 0.5, (COUNT,)), torch.randint(2, 7, (COUNT,)).float()
    complex_ = torch.view_as_real(torch.randn(COUNT, dtype=torch.complex64))
    found = [normal, even, heads, counts, waits, shifted, whole, complex_, torch.empty_like(x).log_normal_(0.0, 0.25)]
    return torch.stack([x.mean() for x in found]), torch.stack([x.std() for x in found])


def test_a_seed_makes_calls_repeat_and_calls_after_it_differ():
    static = dy2st.torch.to_static(draws)
    x = torch.ones(3)
    torch.manual_seed(5)
    first, second = static(x), static(x)
    torch.manual_seed(5)
    again = static(x)
    assert all(torch.equal(a, b) for a, b in zip(first, again))
    assert not torch.equal(first[0], second[0])


def test_a_function_that_draws_nothing_leaves_torchs_generator_alone():
    static = dy2st.torch.to_static(lambda x: x * 2)
    torch.manual_seed(5)
    static(torch.ones(3))
    found = torch.rand(3)
    torch.manual_seed(5)
    assert torch.equal(found, torch.rand(3))


def test_means_and_deviations_are_those_of_torchs_numbers():
    torch.manual_seed(1)
    expected = moments(torch.zeros(COUNT))
    found = dy2st.torch.to_static(moments)(torch.zeros(COUNT))
    for ours, theirs in zip(found, expected):
        torch.testing.assert_close(ours, theirs, rtol=0.05, atol=0.05)


def seeded(x):
    torch.manual_seed(3)
    return torch.rand(3) + x


def drawn_from_another(x):
    return torch.rand(3, generator=torch.default_generator) + x


@pytest.mark.parametrize(("function", "words"), [(seeded, "call it before"), (drawn_from_another, "generator=")])
def test_what_would_not_repeat_is_refused(function, words):
    with pytest.raises(ConversionError, match=words):
        dy2st.torch.to_static(function)(torch.ones(3))
