"""Models that train the same in plain Python, as static functions, and loaded."""

import numpy as np

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec


class Perceptron(nn.Layer):
    """Dropout and batch normalisation: random numbers, and buffers that forward writes."""

    spec = InputSpec([None, 6], "float32")

    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Linear(6, 16), nn.BatchNorm1D(16)
        self.drop, self.last = nn.Dropout(0.25), nn.Linear(16, 2)

    def forward(self, x):
        return self.last(self.drop(nn.functional.relu(self.norm(self.first(x)))))

    @staticmethod
    def batch(step):
        return np.random.RandomState(step).randn(8, 6)


class Recurrent(nn.Layer):
    """An LSTM over a length that is known only at run time."""

    spec = InputSpec([None, None, 4], "float32")

    def __init__(self):
        super().__init__()
        self.gates, self.last = nn.Linear(4 + 8, 32), nn.Linear(8, 2)

    def forward(self, x):
        h = paddle.zeros([x.shape[0], 8])
        c = paddle.zeros([x.shape[0], 8])
        outs = []
        for t in range(x.shape[1]):
            i, f, g, o = paddle.split(self.gates(paddle.concat([x[:, t], h], axis=1)), 4, axis=1)
            c = nn.functional.sigmoid(f) * c + nn.functional.sigmoid(i) * paddle.tanh(g)
            h = nn.functional.sigmoid(o) * paddle.tanh(c)
            outs.append(h)
        return self.last(paddle.stack(outs, axis=1).mean(axis=1))

    @staticmethod
    def batch(step):
        return np.random.RandomState(step).randn(3, 2 + step % 5, 4)


class EarlyExit(nn.Layer):
    """A convolutional network that stops where it is sure."""

    spec = InputSpec([None, 1, 8, 8], "float32")

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2D(1, 4, 3, padding=1), nn.Conv2D(4, 4, 3, padding=1)
        self.early, self.late = nn.Linear(64, 2), nn.Linear(16, 2)
        self.pool = nn.MaxPool2D(2)

    def forward(self, x):
        x = self.pool(nn.functional.relu(self.conv1(x)))
        out = self.early(x.flatten(1))
        if nn.functional.softmax(out, axis=-1).max(axis=-1).mean() > 0.7:
            return out
        x = self.pool(nn.functional.relu(self.conv2(x)))
        return self.late(x.flatten(1))

    @staticmethod
    def batch(step):
        return np.random.RandomState(step).randn(4, 1, 8, 8) * (1 + step % 3)
