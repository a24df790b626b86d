"""What random operators draw: moments, supports, and how often each number comes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from ops.samples.sample import Sample, sample

LARGE = (200, 150)
X = np.zeros(LARGE)
PROBABILITIES = np.resize([0.0, 0.25, 0.75, 1.0], LARGE)

MOMENTS = [  # operator, sample, mean, standard deviation, least, largest
    ("uniform", sample(shape=LARGE, min=-1.0, max=3.0, dtype="float32"), 1, 4 / 12**0.5, -1, 3),
    ("uniform", sample(shape=LARGE, min=-1.0, max=3.0, dtype="float64"), 1, 4 / 12**0.5, -1, 3),
    ("uniform_like", sample(X.astype("float16"), min=-1.0, max=3.0), 1, 4 / 12**0.5, -1, 3),
    ("normal", sample(shape=LARGE, mean=2.0, std=3.0, dtype="float32"), 2, 3, -np.inf, np.inf),
    ("normal_like", sample(X, mean=2.0, std=3.0), 2, 3, -np.inf, np.inf),
    ("randint", sample(shape=LARGE, low=-2, high=3, dtype="int32"), 0, 2**0.5, -2, 2),
    ("randperm", sample(n=30_000, dtype="int64"), 14_999.5, 30_000 / 12**0.5, 0, 29_999),
    ("bernoulli", sample(PROBABILITIES), 0.5, 0.5, 0, 1),
    ("dropout_mask", sample(X, p=0.25), 1, (1 / 3) ** 0.5, 0, 4 / 3),
    ("dropout_mask", sample(X, p=0.25, upscale=False), 0.75, 0.1875**0.5, 0, 1),
    ("multinomial", sample(np.array([1.0, 0.0, 3.0]), count=30_000, replacement=True), 1.5, 0.75**0.5, 0, 2),
    *(("standard_gamma", sample(X + a), a, a**0.5, 0, np.inf) for a in (0.3, 1.0, 2.5, 1e6)),
    *(("poisson", sample((X + rate).astype("float32")), rate, rate**0.5, 0, np.inf) for rate in (0.2, 3.0, 16.0, 17.0, 1000.0)),
    *(("binomial", sample(X + n, X + p), n * p, (n * p * (1 - p)) ** 0.5, 0, n) for n, p in ((1, 0.3), (7, 0.9), (1000, 0.01))),
    ("binomial", sample(np.full((200, 1), 10.0), np.full(150, 0.5)), 5, 2.5**0.5, 0, 10),
]
EDGES = [  # operator, sample, what every draw is
    ("standard_gamma", sample(np.array([0.0, np.nan])), [0, np.nan]),
    ("poisson", sample(np.array([0.0, 0.0])), [0, 0]),
    ("binomial", sample(np.array([0.0, 9.0, 9.0]), np.array([0.5, 0.0, 1.0])), [0, 0, 9]),
    ("binomial", sample(np.zeros((0, 3)), np.zeros(3)), np.zeros((0, 3))),
]
COUNTED = [  # operator, sample, the probability of each number
    ("poisson", sample(X + 2.0), lambda k: math.exp(-2.0) * 2.0**k / math.factorial(k)),
    ("poisson", sample(X + 20.0), lambda k: math.exp(-20.0) * 20.0**k / math.factorial(k)),
    ("binomial", sample(X + 6, X + 0.3), lambda k: math.comb(6, k) * 0.3**k * 0.7 ** (6 - k)),
    ("binomial", sample(X + 30, X + 0.6), lambda k: math.comb(30, k) * 0.6**k * 0.4 ** (30 - k)),
]
REFUSED = [  # operator, sample of which the kernel raises ValueError
    ("randint", sample(shape=(2,), low=3, high=3, dtype="int64")),
    ("multinomial", sample(np.array([1.0, -1.0]), count=1)),
    ("multinomial", sample(np.array([0.0, 0.0]), count=1)),
    ("multinomial", sample(np.array([1.0, 0.0, 2.0]), count=3)),
    ("standard_gamma", sample(np.array([1.0, -1.0]))),
    ("poisson", sample(np.array([1.0, -1.0]))),
    ("poisson", sample(np.array([np.nan]))),
    ("poisson", sample(np.array([1e19]))),
    ("binomial", sample(np.array([-1.0]), np.array([0.5]))),
    ("binomial", sample(np.array([5.0]), np.array([1.5]))),
    ("binomial", sample(np.array([5.0]), np.array([np.nan]))),
]


def check_moments(found: np.ndarray, mean: float, std: float, least: float, largest: float) -> None:
    """Six standard errors: once in a billion by chance."""
    found = found.astype("float64")
    error = 6 * std / found.size**0.5
    assert abs(found.mean() - mean) <= error
    assert abs(found.std() - std) <= 2 * error
    assert least <= found.min() and found.max() <= largest


def check_counts(found: np.ndarray, chance: Callable[[int], float]) -> None:
    """Each number comes as often as its probability says."""
    for k in range(41):
        p = chance(k)
        assert abs((found.astype(int) == k).mean() - p) <= 6 * (p * (1 - p) / found.size) ** 0.5 + 1 / found.size


def check_supports(drawn: Callable[[str, Sample], np.ndarray]) -> None:
    """A permutation has each number once; without replacement no place comes twice; probabilities of 0 and 1 are certain."""
    assert sorted(drawn("randperm", sample(n=50, dtype="int64"))) == [*range(50)]
    weights = np.array([[0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 0.0, 5.0]])
    picks = drawn("multinomial", sample(weights, count=3, replacement=False))
    assert [sorted(row) for row in picks.tolist()] == [[1, 2, 3], [0, 1, 3]]
    flags = drawn("bernoulli", sample(PROBABILITIES))
    assert (flags[PROBABILITIES == 0] == 0).all() and (flags[PROBABILITIES == 1] == 1).all()
