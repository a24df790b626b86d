"""How many random cases may come out one way, of as many as a run tries, where a share of the whole family does."""

from __future__ import annotations

from math import exp, lgamma, log

CHANCE = 1e-6  # that a run fails though its family is as it should be


def most(share: float, tried: int) -> int:
    """The largest count that is no failure: of cases that each belong to the share, chance gives more only so seldom."""
    beyond, count = 0.0, tried
    while count and beyond + _chance(share, tried, count) < CHANCE:
        beyond += _chance(share, tried, count)
        count -= 1
    return count


def fewest(share: float, tried: int) -> int:
    """The smallest count that is no failure."""
    return tried - most(1 - share, tried)


def _chance(share: float, tried: int, count: int) -> float:
    """That so many of them belong to the share: the binomial distribution."""
    ways = lgamma(tried + 1) - lgamma(count + 1) - lgamma(tried - count + 1)
    return exp(ways + count * log(share) + (tried - count) * log(1 - share))
