"""Numbers of events, and how long one waits for so many, drawn by uniform and normal numbers: exact, in a few turns of a Loop.

Of all elements at once: a turn draws for each, and what is known already stays. Everything is computed in float64.
"""

from __future__ import annotations

from typing import Any

from .reductions import truth

_MOST_EVENTS = float(2**63 - 1 - int((2**63 - 1) ** 0.5) * 10)  # NumPy's limit


def standard_gamma(g: Any, x: Any) -> Any:
    """Gamma distributed numbers of the shape parameter `x`; the run fails where one is negative."""
    shape = g.cast(x, "float64")
    return g.cast(_gamma(g, g.checked(shape, g.Not(_some(g, g.Less(shape, 0))))), x.dtype)


def binomial(g: Any, count: Any, prob: Any) -> Any:
    """How many of `count` trials succeed; the run fails where that or a probability is out of range."""
    trials, chance = g.cast(g.cast(count, "int64"), "float64"), g.cast(prob, "float64")
    trials, chance = g.Add(trials, g.Sub(chance, chance)), g.Add(chance, g.Sub(trials, trials))  # of one shape
    fits = g.And(g.GreaterOrEqual(trials, 0), g.And(g.GreaterOrEqual(chance, 0), g.LessOrEqual(chance, 1)))
    trials = _all_fit(g, trials, fits)
    return g.cast(_events(g, g.Sub(trials, trials), trials, chance), "int64")


def poisson(g: Any, x: Any) -> Any:
    """How many events there are where `x` are expected; the run fails where that is out of range."""
    rate = g.cast(x, "float64")
    rate = _all_fit(g, rate, g.And(g.GreaterOrEqual(rate, 0), g.LessOrEqual(rate, _MOST_EVENTS)))
    zeros = g.Sub(rate, rate)
    return g.cast(_events(g, rate, zeros, zeros), x.dtype)


def _some(g: Any, flags: Any) -> Any:
    return truth("ReduceMax")(g, flags)


def _all_fit(g: Any, x: Any, fits: Any) -> Any:
    return g.checked(x, g.Not(_some(g, g.Not(fits))))


def _until(g: Any, turn: Any, is_open: Any, *start: Any) -> list[Any]:
    """`start` after turns, until `is_open(*values)` holds for no element."""

    def next_turn(number: Any, *values: Any) -> tuple:
        found = turn(*values)
        return _some(g, is_open(*found)), found, []

    return g.loop(None, _some(g, is_open(*start)), start, [x.type for x in start], next_turn)


def _gamma(g: Any, shape: Any) -> Any:
    """G. Marsaglia and W. Tsang, "A simple method for generating gamma variables" (2000)."""
    is_small, dims = g.Less(shape, 1), g.shape_of(shape)
    d = g.Sub(g.Where(is_small, g.Add(shape, 1), shape), 1 / 3)
    c = g.Reciprocal(g.Sqrt(g.Mul(d, 9)))

    def turn(found: Any, is_open: Any) -> list:
        x = g.draw("RandomNormal", dims, "float64")
        chance, share = (g.draw("RandomUniform", dims, "float64") for _ in range(2))
        root = g.Add(g.Mul(c, x), 1)
        v = g.Mul(g.Mul(root, root), root)
        bound = g.Add(g.Mul(g.Mul(x, x), 0.5), g.Mul(d, g.Add(g.Sub(1, v), g.Log(v))))
        rejected = g.Or(g.LessOrEqual(v, 0), g.GreaterOrEqual(g.Log(chance), bound))
        value = g.Mul(g.Mul(d, v), g.Where(is_small, g.Pow(share, g.Reciprocal(shape)), 1))
        return [g.Where(is_open, value, found), g.And(is_open, rejected)]

    start = g.Sub(shape, shape), g.Or(is_small, g.Not(is_small))
    return _until(g, turn, lambda _, is_open: is_open, *start)[0]


def _events(g: Any, rate: Any, trials: Any, chance: Any) -> Any:
    """Events that are to come at a rate, and trials that may succeed; of each element there is one of the two.

    J. Ahrens and U. Dieter (1974): the time of a late event tells how many come before it, as trials, or how much time is left.
    Where one of the trials, put in order, would have to be to succeed is a beta distributed number: it decides one half of them.
    """

    def turn(rate: Any, trials: Any, chance: Any, found: Any) -> list:
        is_waiting, is_trying = g.Greater(rate, 0), g.Greater(trials, 0)
        late, middle = g.Max(g.Floor(g.Mul(rate, 7 / 8)), 1), g.Floor(g.Div(g.Add(trials, 1), 2))
        after = g.Sub(g.Add(trials, 1), middle)
        pair = [g.Unsqueeze(x, [0]) for x in (g.Where(is_waiting, late, middle), g.Where(is_waiting, 1, after))]
        first, second = (g.Squeeze(x, [0]) for x in g.Split(_gamma(g, g.Concat(*pair, axis=0)), [1, 1], axis=0, outputs=2))
        is_beyond, is_before = (g.And(is_waiting, flag) for flag in (g.Greater(first, rate), g.LessOrEqual(first, rate)))
        place = g.Div(first, g.Add(first, second))
        is_over = g.And(is_trying, g.LessOrEqual(place, chance))
        over, under = g.Div(g.Sub(chance, place), g.Sub(1, place)), g.Div(chance, place)
        return [
            g.Where(is_before, g.Sub(rate, first), 0),
            g.Where(is_beyond, g.Sub(late, 1), g.Where(is_over, g.Sub(trials, middle), g.Where(is_trying, g.Sub(middle, 1), 0))),
            g.Where(is_beyond, g.Div(rate, first), g.Where(is_over, over, under)),
            g.Add(found, g.Where(is_before, late, g.Where(is_over, middle, 0))),
        ]

    def is_open(rate: Any, trials: Any, *_: Any) -> Any:
        return g.Or(g.Greater(rate, 0), g.Greater(trials, 0))

    return _until(g, turn, is_open, rate, trials, chance, g.Sub(rate, rate))[3]
