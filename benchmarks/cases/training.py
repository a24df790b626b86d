"""A training step: forward, loss, backward, and the optimizer's step. An LSTM over 50 steps, and a small ResNet."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

import dy2st as paddle
from cases.common import loaded
from dy2st import nn
from dy2st.static import InputSpec
from harness import EAGER, LOADED, STATIC, Aim, Case

_random = np.random.default_rng(3)


class LSTM(nn.Layer):
    """Input 16, hidden 32; the outputs are collected in a list."""

    def __init__(self) -> None:
        super().__init__()
        self.gates, self.last = nn.Linear(16 + 32, 4 * 32), nn.Linear(32, 2)

    def forward(self, x: Any) -> Any:
        h = paddle.zeros([x.shape[0], 32])
        c = paddle.zeros([x.shape[0], 32])
        outs = []
        for t in range(x.shape[1]):
            i, f, g, o = paddle.split(self.gates(paddle.concat([x[:, t], h], axis=1)), 4, axis=1)
            c = nn.functional.sigmoid(f) * c + nn.functional.sigmoid(i) * paddle.tanh(g)
            h = nn.functional.sigmoid(o) * paddle.tanh(c)
            outs.append(h)
        return self.last(paddle.stack(outs, axis=1).mean(axis=1))


class Block(nn.Layer):
    """Two convolutions with batch normalisation, and the way around them."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2D(channels, channels, 3, padding=1), nn.BatchNorm2D(channels)
        self.conv2, self.norm2 = nn.Conv2D(channels, channels, 3, padding=1), nn.BatchNorm2D(channels)

    def forward(self, x: Any) -> Any:
        y = nn.functional.relu(self.norm1(self.conv1(x)))
        return nn.functional.relu(x + self.norm2(self.conv2(y)))


class ResNet(nn.Layer):
    """Three blocks of 8 channels."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2D(3, 8, 3, padding=1)
        self.blocks = nn.Sequential(Block(8), Block(8), Block(8))
        self.last = nn.Linear(8, 2)

    def forward(self, x: Any) -> Any:
        return self.last(self.blocks(self.stem(x)).mean(axis=[2, 3]))


def _stepper(net: Any, x: np.ndarray, label: np.ndarray) -> Any:
    """A training step on one batch, with a learning rate so small that the loss stays what it is."""
    optimizer = paddle.optimizer.Momentum(1e-9, parameters=net.parameters())
    batch, target = paddle.to_tensor(x), paddle.to_tensor(label)

    def step() -> Any:
        loss = nn.functional.cross_entropy(net(batch), target)
        loss.backward()
        slope = float(net.parameters()[0].grad.abs().sum())
        optimizer.step()
        optimizer.clear_grad()
        return [float(loss), slope]

    return step


def _case(title: str, model: Any, spec: InputSpec, x: np.ndarray) -> Case:
    paddle.seed(0)
    net = model()
    label = _random.integers(0, 2, len(x))
    static = paddle.jit.to_static(copy.deepcopy(net), input_spec=[spec])
    variants = {
        EAGER: _stepper(net, x, label),
        STATIC: _stepper(static, x, label),
        LOADED: _stepper(loaded(static), x, label),
    }
    return Case(title, variants, [Aim(STATIC, EAGER, 1.0), Aim(LOADED, EAGER, 1.0)])


def cases() -> list[Case]:
    rows = _random.standard_normal((8, 50, 16)).astype(np.float32)
    images = _random.standard_normal((8, 3, 16, 16)).astype(np.float32)
    return [
        _case("Training step: LSTM, 50 steps", LSTM, InputSpec([None, None, 16], "float32"), rows),
        _case("Training step: small ResNet", ResNet, InputSpec([None, 3, 16, 16], "float32"), images),
    ]
