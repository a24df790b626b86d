"""State kept on `self` between calls: it goes on after a reload, and every loaded object owns its own."""

from __future__ import annotations

import numpy as np

import dy2st as paddle
from dy2st.jit import to_static
from dy2st.static import InputSpec

X = np.array([1.0, -2.0], np.float32)
SPEC = [InputSpec([2], "float32", "x")]


class Counter(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * self.calls


class Average(paddle.nn.Layer):
    """A tensor that is replaced on one path only."""

    def __init__(self):
        super().__init__()
        self.mean = paddle.zeros([2])

    def forward(self, x):
        if x.sum() > 0:
            self.mean = 0.5 * self.mean + 0.5 * x
        return self.mean


def test_a_counter_over_three_calls(agree):
    agree(Counter, SPEC, [X], [X], [X])


def test_the_python_attribute_follows_the_staged_calls():
    net = to_static(Counter(), input_spec=SPEC)
    for _ in range(3):
        net(paddle.to_tensor(X))
    assert int(net.calls) == 3


def test_a_counter_goes_on_after_a_reload(tmp_path, fresh, same):
    net = to_static(Counter(), input_spec=SPEC)
    for expected in (1, 2, 3):
        same(X * expected, net(paddle.to_tensor(X)))
    path = str(tmp_path / "counter")
    paddle.jit.save(net, path)
    first, second = paddle.jit.load(path), paddle.jit.load(path)
    same(X * 4, first(paddle.to_tensor(X)))
    same(X * 5, first(paddle.to_tensor(X)))
    same(X * 4, second(paddle.to_tensor(X)), "a second loaded object owns its own state")
    same(X * 4, net(paddle.to_tensor(X)), "the saved model is untouched by what was loaded from it")
    same([X * 4, X * 5], fresh(path, [X], [X]))


def test_a_tensor_attribute_replaced_on_one_path(agree):
    agree(Average, SPEC, [-X], [X], [-X], [X])


class Log:
    def __init__(self):
        self.entries = []


class Renewing(paddle.nn.Layer):
    """Appends to a list that it then replaces."""

    def __init__(self):
        super().__init__()
        self.log = Log()

    def forward(self, x):
        old = self.log.entries
        old.append(x.sum())
        self.log.entries = []
        self.log.entries.append(x.max())
        return len(old), len(self.log.entries), x


def test_a_list_on_an_attribute_is_changed_and_then_replaced(agree):
    agree(Renewing, [InputSpec([None])], [X], [X], [X * 2])
