"""Layers through to_static: hooks, buffers written in training, dropout drawn at run time, containers, recurrent cells."""

from __future__ import annotations

import numpy as np

import dy2st
from dy2st import nn
from dy2st.static import InputSpec

IMAGE = np.random.default_rng(0).standard_normal((4, 3, 8, 8)).astype("float32")


def static(layer, *shapes):
    return dy2st.jit.to_static(layer, input_spec=[InputSpec(list(s), "float32", f"x{i}") for i, s in enumerate(shapes)])


def test_a_net_of_many_layers_gives_the_eager_answer():
    net = nn.Sequential(
        nn.Conv2D(3, 6, 3, padding=1), nn.BatchNorm2D(6), nn.ReLU(), nn.MaxPool2D(2), nn.Dropout(0.3), nn.AdaptiveAvgPool2D(2),
        nn.Flatten(), nn.Linear(24, 5), nn.LayerNorm(5), nn.GELU(), nn.Softmax(),
    )  # fmt: skip
    net.eval()
    x = dy2st.to_tensor(IMAGE)
    expected = net(x).numpy()
    np.testing.assert_allclose(static(net, [None, 3, 8, 8])(x).numpy(), expected, rtol=1e-5, atol=1e-6)


def test_batch_norm_moves_its_buffers_while_running_a_program():
    eager, staged = nn.BatchNorm2D(3), nn.BatchNorm2D(3)
    program = static(staged, [None, 3, 8, 8])
    for step in range(3):
        x = dy2st.to_tensor(IMAGE + step)
        np.testing.assert_allclose(program(x).numpy(), eager(x).numpy(), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(staged._mean.numpy(), eager._mean.numpy(), rtol=1e-5)
    np.testing.assert_allclose(staged._variance.numpy(), eager._variance.numpy(), rtol=1e-5)


def test_dropout_is_drawn_at_each_run():
    program = static(nn.Dropout(0.5), [None, 50])
    ones = dy2st.ones([4, 50])
    dy2st.seed(1)
    first, second = program(ones).numpy(), program(ones).numpy()
    assert (first != second).any()
    dy2st.seed(1)
    np.testing.assert_array_equal(program(ones).numpy(), first)


def test_hooks_become_part_of_the_program():
    layer = nn.Linear(2, 2)
    layer.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 2,))
    layer.register_forward_post_hook(lambda layer, inputs, outputs: outputs + inputs[0])
    x = dy2st.ones([1, 2])
    expected = layer(x).numpy()
    np.testing.assert_allclose(static(layer, [None, 2])(x).numpy(), expected, rtol=1e-6)


class Recurrent(nn.Layer):
    def __init__(self):
        super().__init__()
        self.cells = nn.LayerList([nn.LSTMCell(3, 4), nn.LSTMCell(4, 4)])

    def forward(self, x):
        states = [None, None]
        outs = []
        for t in range(x.shape[1]):
            step = x[:, t]
            for i, cell in enumerate(self.cells):
                step, states[i] = cell(step, states[i])
            outs.append(step)
        return dy2st.stack(outs, axis=1)


def test_cells_over_a_known_length():
    net, x = Recurrent(), dy2st.to_tensor(IMAGE[:, 0, :5, :3].copy())
    expected = net(x).numpy()
    np.testing.assert_allclose(static(net, [None, 5, 3])(x).numpy(), expected, rtol=1e-5, atol=1e-6)
