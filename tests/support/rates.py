"""How many random cases may come out one way, of as many as a run tries, where a share of the whole family does."""

from __future__ import annotations

from math import exp, lgamma, log

CHANCE = 1e-6  # that a run fails though its family is as it should be


def most(share: float, tried: int) -> int:
    """The number of cases that chance exceeds so seldom, where each is one of the share (binomial distribution)."""
    beyond, count = 0.0, tried
    while count and beyond + _chance(share, tried, count) < CHANCE:
        beyond += _chance(share, tried, count)
        count -= 1
    return count


def fewest(share: float, tried: int) -> int:
    """The number of cases that chance falls short of so seldom."""
    return tried - most(1 - share, tried)


def _chance(share: float, tried: int, count: int) -> float:
    """That so many of them come out this way."""
    ways = lgamma(tried + 1) - lgamma(count + 1) - lgamma(tried - count + 1)
    return exp(ways + count * log(share) + (tried - count) * log(1 - share))
