"""A named tuple or frozenset of a subclass may have attributes: they are read as they are, or refused, and never lost."""

from __future__ import annotations

from collections import namedtuple

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError


class Pair(namedtuple("Pair", "a b")):
    scale = 1


def pair_of(x, scale):
    pair = Pair(x, x * 2)
    pair.scale = scale
    return pair


X = paddle.to_tensor([1.0, 2.0])


def made(x):
    return pair_of(x, 3)


def in_a_list(x):
    return [x, pair_of(x, 3)]


def joined(x):
    pair = pair_of(x, 3)
    if x.sum() > 0:
        pair = pair_of(x, 4)
    return pair.a * pair.scale


def carried(x):
    pair = pair_of(x, 3)
    while x.sum() > 0:
        pair, x = pair_of(pair.b, 3), x - 1
    return pair.a * pair.scale


def given_back(x, pair):
    return pair


def in_a_staged_list(x):
    pairs = []
    for _ in range(3):
        if x.sum() > 0:
            pairs.append(pair_of(x, 3))
    return pairs[0].a * pairs[0].scale


class Keeps(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.pair = pair_of(X, 3)

    def forward(self, x):
        self.pair = pair_of(self.pair.b + x, 4)
        return self.pair.a * self.pair.scale


@pytest.mark.parametrize("function", [made, in_a_list, joined, carried, in_a_staged_list, Keeps()])
def test_attributes_that_a_program_would_lose(function):
    with pytest.raises(ConversionError, match=r"this Pair has attributes besides its fields \(scale\)"):
        paddle.jit.to_static(function)(X)


class Frozen(frozenset):
    pass


KEPT = Frozen((3, 4))
KEPT.scale = 2


def frozen_of(scale):
    held = Frozen((1, 2))
    held.scale = scale
    return held


def made_frozen(x):
    return x, frozen_of(3)


def joined_frozen(x):
    held = frozen_of(3)
    if x.sum() > 0:
        held = frozen_of(4)
    return held


@pytest.mark.parametrize("function", [made_frozen, joined_frozen])
def test_attributes_of_a_frozenset_that_a_program_would_lose(function):
    with pytest.raises(ConversionError, match="the function makes a Frozen with attributes, which a Program would lose"):
        paddle.jit.to_static(function)(X)


def test_a_frozenset_from_outside_keeps_its_attributes():
    held, scale = paddle.jit.to_static(lambda x: (KEPT, KEPT.scale))(X)
    assert held is KEPT and held.scale == int(scale) == 2


def test_attributes_of_an_argument():
    with pytest.raises(ConversionError, match=r"this Pair has attributes besides its fields \(scale\)"):
        paddle.jit.to_static(given_back)(X, pair_of(X, 3))
    read = paddle.jit.to_static(lambda x, pair: pair.a * pair.scale + x)
    for scale in (3, 4):
        assert read(X, pair_of(X, scale)).tolist() == (X * (scale + 1)).tolist()


def test_named_tuples_without_attributes_of_their_own():
    static = paddle.jit.to_static(given_back)
    assert type(static(X, Pair(X, X))) is Pair and static(X, Pair(X, X)).scale == 1
