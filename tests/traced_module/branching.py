"""Models whose control flow tensors decide, and the inputs that take each of their paths."""

import numpy as np
from traced_module.models import layer

import dy2st
import dy2st.nn.functional as F
from dy2st import nn
from dy2st import traced_module as tm

ROWS = ([1.0, -2.0, 3.0], [-1.0, -2.0, -3.0], [9.0, 9.0, 9.0], [0.0, 0.0, 0.0], [-1.0, 5.0, -3.0])


def inputs(width=4):
    """Batches of one to five rows, positive, negative, large, zero and mixed."""
    rng = np.random.default_rng(5)
    for k, row in enumerate(ROWS):
        yield dy2st.to_tensor((rng.normal(size=(k + 1, width)) * 0.1 + np.resize(row, (k + 1, width))).astype("float32"))


def branch(self, x):
    if x.sum() > 0:
        return F.relu(self.fc(x))
    return x - 1


def nested(self, x):
    y = self.fc(x)
    if y.mean() > 0:
        if y.max() > 2:
            y = y / y.max()
        else:
            y = -y
    elif y.min() < -3:
        return y * 0
    return y + 1


def loop(self, x):
    i = 0
    while x.abs().max() < 20:
        x = x * 2 + self.fc(x) + 1
        i += 1
        if i > 6:
            break
    return x, i


def rows(self, x):
    total = dy2st.zeros([4])
    for row in x:
        if row.sum() < 0:
            continue
        total = total + F.relu(row)
    return total


def listed(self, x):
    outs = []
    while x.sum() < 30:
        x = x.abs() * 2 + 1
        outs.append(self.fc(x))
    if len(outs) == 0:
        return x
    return dy2st.concat([x, dy2st.stack(outs, 0).sum(0)], 0)


def optional(self, x):
    y = None
    if x.sum() > 0:
        y = x * 2
    if y is None:
        return x
    return y + 1


def in_place(self, x):
    y = x * 1
    if x.sum() > 0:
        y[0] = 7
    while y.sum() > 20:
        y *= 0.5
    return y


def several(self, x):
    if x.mean() > 1:
        a, b = x * 2, 3
    else:
        a, b = x, 4
    return {"a": a * b, "b": [b, a]}


def numbers(self, x):
    n = 0
    for k in range(4):
        if x.sum() > k:
            n += k
    return x * n


@tm.wrap
def gate(x):
    """A wrapped function with control flow of its own."""
    if x.sum() > 0:
        return x
    return -x


def wrapped(self, x):
    if x.max() > 5:
        return gate(x) * 2
    return gate(x - 1)


class Gate(nn.Layer):
    """A sublayer with a branch."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, scale=1):
        if x.sum() > 0:
            return F.relu(self.fc(x)) * scale
        return x * scale


def sublayers(self, x):
    x = self.gate(self.gate(x), 2)
    while x.sum() < 4:
        x = self.gate(x, 3).abs() + 1
    return x


def norms(self, x):
    x = x.reshape([x.shape[0], 1, 2, 2])
    if x.sum() > 0:
        y = self.bn(self.conv(x)) * 2
    else:
        y = self.conv(x)
    for _ in range(2):
        if y.mean() < 1:
            y = self.bn(self.conv(y)) + 1
    return y


def no_gradient(self, x):
    with dy2st.no_grad():
        scale = x.abs().max()
    if scale > 4:
        x = x / scale
    return x


def made(forward):
    """A layer with this forward, and the parts that it needs."""
    dy2st.seed(3)
    parts = {"sublayers": {"gate": Gate}, "norms": {"conv": lambda: nn.Conv2D(1, 1, 1), "bn": lambda: nn.BatchNorm2D(1)}}
    return layer(forward, **{name: make() for name, make in parts.get(forward.__name__, {"fc": lambda: nn.Linear(4, 4)}).items()})


MODELS = [branch, nested, loop, rows, listed, optional, in_place, several, numbers, wrapped, sublayers, norms, no_gradient]


class Decoder(nn.Layer):
    """A branch, and a loop with a branch and a sublayer in it; `act` is what the edits replace."""

    def __init__(self, act=F.relu):
        super().__init__()
        self.act = act
        self.first, self.step, self.last = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x):
        h = self.act(self.first(x)) if x.sum() > 0 else self.first(x) * 2
        for _ in range(3):
            if h.abs().max() > 8:
                break
            h = self.act(self.step(h)) + x
        return self.last(h)


def decoder(act=F.relu):
    """A Decoder whose weights are always the same."""
    dy2st.seed(11)
    net = Decoder(act)
    net.eval()
    return net
