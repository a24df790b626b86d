"""Loops that leave early, start in Python and go on staged, or nest deeply."""

from __future__ import annotations

import numpy as np

import dy2st as paddle
from dy2st.jit import to_static
from dy2st.ops import registry
from dy2st.static import InputSpec

X = np.array([[0.5, -0.25, 1.0, 0.125]], np.float32)


class Layers(paddle.nn.Layer):
    """Different layers in one LayerList, left by a break that a tensor decides."""

    def __init__(self):
        super().__init__()
        paddle.seed(11)
        nn = paddle.nn
        self.layers = nn.LayerList([nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.ReLU())])

    def forward(self, x, limit):
        used = 0
        for layer in self.layers:
            x = layer(x)
            used += 1
            if paddle.abs(x).max() > limit:
                break
        return x, used


def while_true(x):
    steps = 0
    while True:
        x = x * 2.0
        steps += 1
        if x.sum() > 10.0:
            break
    return x, steps


def while_true_with_a_return(x):
    while True:
        x = x * 0.5
        if paddle.abs(x).max() < 0.1:
            return x


def eight_loops(x):
    n = paddle.shape(x)[0]
    count = 0
    for a in range(n):
        for b in range(n):
            for c in range(n):
                for d in range(n):
                    for e in range(n):
                        for f in range(n):
                            for g in range(n):
                                for h in range(n):
                                    x = paddle.tanh(x + 0.001)
                                    count += 1
    return x, count


def test_a_layer_list_of_different_layers_with_a_tensor_break(agree):
    specs = [InputSpec([None, 4], "float32", "x"), InputSpec([], "float32", "limit")]
    agree(Layers, specs, *[[X, np.array(limit, np.float32)] for limit in (0.0, 0.3, 0.6, 1e9)])


def test_while_true_with_a_tensor_break(agree):
    agree(lambda: while_true, [InputSpec([None, 4], "float32", "x")], [X], [X * 100.0])


def test_while_true_with_a_return(agree):
    agree(lambda: while_true_with_a_return, [InputSpec([None, 4], "float32", "x")], [X], [X * 0.01])


def test_eight_nested_loops(agree):
    agree(lambda: eight_loops, [InputSpec([None, 4], "float32", "x")], [X], [np.repeat(X, 2, axis=0)], [X[:0]])


def test_eight_nested_loops_are_staged_a_bounded_number_of_times():
    """The innermost body is staged 1 + (all raises of a type) times: each of the 9 counters rises once, far from 2 ** 8."""
    tanh = registry.lookup("tanh")
    infer, stagings = tanh.infer, []

    def counted(*types, **attrs):
        stagings.append(types)
        return infer(*types, **attrs)

    object.__setattr__(tanh, "infer", counted)
    try:
        to_static(eight_loops, input_spec=[InputSpec([None, 4], "float32", "x")]).concrete_program  # noqa: B018
    finally:
        object.__setattr__(tanh, "infer", infer)
    assert 1 <= len(stagings) <= 40
