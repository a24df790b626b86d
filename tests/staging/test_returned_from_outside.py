"""A list, dict or set from outside that a function returns, and doesn't change, is the caller's own, as in plain Python."""

from __future__ import annotations

import io

import pytest

import dy2st as paddle
from dy2st.static import InputSpec

X = paddle.to_tensor([1.0])
WEIGHT = paddle.to_tensor([5.0], stop_gradient=False)
HELD = {
    "numbers": lambda: [1, 2],
    "kinds": lambda: [1, "a", None, WEIGHT],
    "tensors": lambda: [WEIGHT],
    "dict": lambda: {"a": 1, 2: [3]},
    "nested": lambda: [[1], {"k": [2]}],
    "empty": list,
    "set": lambda: {1, 2},
}


class Net(paddle.nn.Layer):
    def __init__(self, held, give):
        super().__init__()
        self.held, self.give = held, give

    def forward(self, x):
        return self.give(self.held, x)


def itself(held, x):
    return held


def inside(held, x):
    return {"a": [x * 2, held]}["a"][1]


def on_both_paths(held, x):
    if x.sum() > 0:
        return held
    return held


def within(held, x):
    return x * 2, [held], {"k": held}


GIVING = [itself, inside, on_both_paths]


@pytest.mark.parametrize("give", GIVING)
@pytest.mark.parametrize("kind", HELD)
def test_the_caller_gets_its_own(kind, give):
    held = HELD[kind]()
    static = paddle.jit.to_static(Net(held, give))
    assert static(X) is held and static(X) is held


@pytest.mark.parametrize("kind", HELD)
def test_it_lies_in_a_new_result(kind):
    held = HELD[kind]()
    static = paddle.jit.to_static(Net(held, within))
    (_, row, table), (_, other, _) = static(X), static(X)
    assert row[0] is held and table["k"] is held and row is not other


def test_what_the_caller_does_to_it_is_seen():
    net = Net([1], itself)
    static = paddle.jit.to_static(net)
    static(X).append(2)
    assert net.held == [1, 2] == static(X)


@pytest.mark.parametrize("kind", HELD)
def test_a_loaded_program_gives_an_equal_one(kind):
    held, file = HELD[kind](), io.BytesIO()
    paddle.jit.save(paddle.jit.to_static(Net(held, within), input_spec=[InputSpec([1])]), file)
    file.seek(0)
    _, row, table = paddle.jit.load(file)(X)
    assert type(row[0]) is type(held) and repr(row[0]) == repr(held) == repr(table["k"])
