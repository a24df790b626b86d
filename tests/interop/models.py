"""Models that other processes import."""

from __future__ import annotations

import numpy as np

import dy2st as paddle
from dy2st import Tensor, nn
from dy2st.static import InputSpec

SPEC = [InputSpec([None, 2], "float32")]


class Net(nn.Layer):
    """Takes a path by the data, and counts its calls in training."""

    def __init__(self):
        super().__init__()
        self.fc, self.norm = nn.Linear(2, 3), nn.BatchNorm1D(3)
        self.calls = 0

    def forward(self, x):
        y = self.norm(self.fc(x))
        if self.training:
            self.calls = self.calls + 1
        if y.sum() > 0:
            y = y * 2
        return y


class Decorated(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)

    @paddle.jit.to_static
    def forward(self, x):
        return self.fc(x)

    @paddle.jit.to_static(input_spec=SPEC)
    def doubled(self, x):
        return self.fc(x) * 2


class Scripted(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)

    def forward(self, x: Tensor):
        return self.fc(x)


class Counter:
    step = 3

    @paddle.jit.to_static
    def method(self, x):
        return x * self.step

    @staticmethod
    @paddle.jit.to_static
    def alone(x):
        return x + 1

    @classmethod
    @paddle.jit.to_static
    def of_class(cls, x):
        return x + cls.step


@paddle.jit.to_static
def function(x, times=2):
    y = x * times
    if y.sum() > 3:
        y = y - 1
    return y


def plain(x):
    return x * 5


quick = paddle.jit.to_static(plain, input_spec=SPEC)  # beside the plain function, under another name
again = paddle.jit.to_static(function, input_spec=SPEC)  # of a name that leads to another static function


def added_hook(layer, inputs, outputs):
    return outputs + 1


def result_and_kind(model, batch):
    """What the model gives, and the class of the array that its weight's memory belongs to."""
    with paddle.no_grad():
        base = model.weight.numpy()
        while not isinstance(base, np.memmap) and isinstance(base.base, np.ndarray):
            base = base.base
        return model(batch).numpy(), type(base).__name__
