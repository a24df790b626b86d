"""Classes of named tuples that have one name are several classes: results, state and conditions tell which is which."""

from __future__ import annotations

from collections import namedtuple

import pytest

import dy2st as paddle


def scaled_by(factor):
    class Pair(namedtuple("Pair", "a b")):
        def total(self):
            return self.a * factor + self.b

    return Pair


First, Second = scaled_by(2), scaled_by(3)
Other = namedtuple("Pair", "b a c")
X = paddle.to_tensor([1.0, 2.0])


def both(x):
    return [First(x, x * 2), Second(x, x * 3), Other(x, x, x)]


def carried(x):
    first, second, other = First(x, x), Second(x, x), Other(x, x * 2, x)
    for _ in range(3):
        if x.sum() > 0:
            first, second = First(first.b, first.a), Second(second.total(), second.b)
            other = Other(other.a, other.b, other.c)
    return first, second, other, first.total(), second.total()


def one_of_two(x):
    pair = First(x, x)
    if x.sum() > 0:
        pair = Second(x, x)
    return pair, pair.a * 2


def one_of_two_by_length(x):
    pair = First(x, x)
    if x.sum() > 0:
        pair = Other(x, x, x)
    return pair, pair.a + len(pair)


def told_as_text(x):
    number = int(x.sum())
    first, other = First(number, 1), Other(number, 2, 3)
    return x * len(f"{first} {other!r}") + (1 if first == other[:2] else 0)


def made_by_each_call(x):
    pair_of = namedtuple("Pair", "a b")
    pair = pair_of(x, x)
    while pair.a.sum() < 50:
        pair = pair_of(pair.a * 2, pair.b)
    return pair.a, First(x, pair.b)


class Keeps(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.pairs = [First(X, X), Other(X, X, X)]
        self.last = Second(X, X)

    def forward(self, x):
        self.last = Second(self.last.b, x)
        self.pairs = [First(x, self.pairs[0].total()), Other(x, self.pairs[1].a, x)]
        return self.last.total() + self.pairs[0].total() + self.pairs[1].c


def shown(value):
    if isinstance(value, list | tuple):
        return [type(value), *map(shown, value)]
    return value.tolist() if isinstance(value, paddle.Tensor) else value


@pytest.mark.parametrize("function", [both, carried, one_of_two, one_of_two_by_length, told_as_text, made_by_each_call])
def test_the_classes_are_told_apart(function):
    static = paddle.jit.to_static(function)
    for x in (X, X * -1 if function is not made_by_each_call else X):
        assert shown(static(x)) == shown(function(x))


def test_the_classes_in_state_are_told_apart():
    plain, static = Keeps(), paddle.jit.to_static(Keeps())
    for x in (X, X * 2, X * 3):
        assert shown(static(x)) == shown(plain(x))
        assert shown([static.pairs, static.last]) == shown([plain.pairs, plain.last])


def test_a_saved_model_gives_their_fields(tmp_path):
    static = paddle.jit.to_static(carried)
    static(X)
    paddle.jit.save(static, tmp_path / "net")
    found, plain = paddle.jit.load(tmp_path / "net")(X), carried(X)
    assert [pair._asdict().keys() for pair in found[:3]] == [pair._asdict().keys() for pair in plain[:3]]
    assert [list(map(shown, pair)) for pair in found[:3]] == [list(map(shown, pair)) for pair in plain[:3]]
