"""What a saved file does not hold, such as an object of the user's: a call leaves it out, and gives no other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import pytest

import dy2st as paddle
from dy2st import nn


class Mode(Enum):
    FAST = 1.0
    SLOW = 2.0


@dataclass(frozen=True)
class Scale:
    by: float


class Batch:
    def __init__(self, x, scale):
        self.x, self.scale = x, scale


def factor(option):
    if isinstance(option, Scale):
        return option.by
    if isinstance(option, Mode):
        return option.value
    if isinstance(option, complex):
        return option.imag
    if isinstance(option, float):
        return 1.0 if option > 0 else 2.0
    if isinstance(option, nn.Linear):
        return option.weight.sum()
    return len(option)


PAIRS = {
    "object": (Scale(2.0), Scale(3.0)),
    "enum": (Mode.FAST, Mode.SLOW),
    "set of texts": ({"a"}, {"a", "b"}),
    "frozenset": (frozenset("a"), frozenset("ab")),
    "bytes": (b"a", b"ab"),
    "complex": (1j, 2j),
    "inf": (float("inf"), float("-inf")),
    "range": (range(2), range(3)),
    "layer": (nn.Linear(2, 2), nn.Linear(2, 2)),
}
X = paddle.to_tensor([1.0, 2.0])


def loaded(function, path, *args):
    static = paddle.jit.to_static(function)
    static(*args)
    paddle.jit.save(static, path / "net")
    return paddle.jit.load(path / "net")


@pytest.mark.parametrize("first, second", PAIRS.values(), ids=PAIRS)
def test_an_argument_that_the_file_does_not_hold(first, second, tmp_path):
    def scaled(x, option, y):
        return x * factor(option) + y

    model = loaded(scaled, tmp_path, X, first, X)
    assert model(X, None, X).tolist() == model(X, y=X).tolist() == scaled(X, first, X).tolist()
    for other in (first, second):
        with pytest.raises(ValueError, match="argument option can't be given, .*: leave it out, or give None"):
            model(X, other, X)


@pytest.mark.parametrize("first, second", PAIRS.values(), ids=PAIRS)
def test_the_same_beside_a_tensor_in_an_argument(first, second, tmp_path):
    def scaled(batch, pair):
        return batch.x * factor(batch.scale) + pair[0] * factor(pair[1])

    model = loaded(scaled, tmp_path, Batch(X, first), [X, first])
    assert model(Batch(X, None), [X, None]).tolist() == scaled(Batch(X, first), [X, first]).tolist()
    for batch, pair, where in ((Batch(X, second), [X, None], "batch.scale"), (Batch(X, None), [X, second], r"pair\[1\]")):
        with pytest.raises(ValueError, match=f"argument {where} can't be given"):
            model(batch, pair)


class Scaled(list):
    def __init__(self, items, by):
        super().__init__(items)
        self.by = by


def test_the_attributes_of_a_container(tmp_path):
    model = loaded(lambda xs, held: xs[0] * getattr(xs, "by", 1) + held["xs"][0], tmp_path, Scaled([X], 5), {"xs": [X]})
    assert model([X], {"xs": [X]}).tolist() == [6.0, 12.0]
    for by in (5, 6):
        with pytest.raises(ValueError, match=r"argument xs can't have attributes \(by\), .*: give a list without any"):
            model(Scaled([X], by), {"xs": [X]})
        with pytest.raises(ValueError, match=r"argument held\['xs'\] can't have attributes"):
            model([X], {"xs": Scaled([X], by)})


def test_a_dict_with_other_keys(tmp_path):
    model = loaded(lambda held: held["a"], tmp_path, {"a": X})
    with pytest.raises(ValueError, match=r"argument held is a dict with the keys \['a'\], not \[1, 'a'\]"):
        model({1: X, "a": X})


def test_a_constant_that_the_file_tells_is_compared(tmp_path):
    model = loaded(lambda x, n: x * n, tmp_path, X, 3)
    assert model(X, 3).tolist() == model(X).tolist() == [3.0, 6.0]
    with pytest.raises(ValueError, match="argument n is 4; the model was saved with the constant 3"):
        model(X, 4)
