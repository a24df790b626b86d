"""Training steps in plain Python, each a method of an object of its own: two objects of a class start alike."""

from __future__ import annotations

import numpy as np

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec

SPEC = [InputSpec([None, 3], "float32", "x")]
X = np.random.RandomState(0).randn(8, 3).astype("float32")


def sgd(parameters):
    return paddle.optimizer.SGD(0.05, parameters=parameters)


class Trainer:
    """A network, a head and an optimizer that `make` makes."""

    def __init__(self, make=sgd):
        paddle.seed(0)
        self.net, self.head = nn.Sequential(nn.Linear(3, 3), nn.Tanh()), nn.Linear(3, 1)
        self.opt = make([*self.net.parameters(), *self.head.parameters()])

    def update(self, loss):
        loss.backward()
        self.opt.step()
        self.opt.clear_grad()

    def step(self, x):
        loss = ((self.head(self.net(x)) - x.sum(axis=1, keepdim=True)) ** 2).mean()
        self.update(loss)
        return loss


class Rolled(Trainer):
    """The loss is that of a loop of known length."""

    def step(self, x):
        h, total = x, 0.0
        for _ in range(4):
            h = self.net(h) + x
            total = total + (self.head(h) ** 2).mean()
        self.update(total)
        return total


class Forked(Trainer):
    """Which loss it is, elements tell; one of them doesn't use the head."""

    def step(self, x):
        h = self.net(x)
        if h.mean() > 0.1:
            loss = (self.head(h) ** 2).mean()
        else:
            loss = (h.abs() - 1).abs().mean()
        self.update(loss)
        return loss


class Asked(Trainer):
    """How many turns the loss takes, elements tell."""

    def step(self, x):
        h, n = x, 0
        while h.abs().sum() > 8.0 and n < 20:
            h = self.net(h) * 0.9
            n += 1
        loss = ((self.head(h) - 1) ** 2).mean()
        self.update(loss)
        return loss


class Checked(Trainer):
    """It ends where the loss is too large."""

    def step(self, x):
        loss = ((self.head(self.net(x)) - x.sum(axis=1, keepdim=True)) ** 2).mean()
        assert loss < 50.0, f"diverged at {int(loss)}"
        self.update(loss)
        return loss


class Gathering(Trainer):
    """It adds the gradients of two calls before it steps."""

    def __init__(self, make=sgd):
        super().__init__(make)
        self.calls = 0

    def step(self, x):
        loss = ((self.head(self.net(x)) - x.sum(axis=1, keepdim=True)) ** 2).mean()
        loss.backward()
        self.calls += 1
        if self.calls % 2 == 0:
            self.opt.step()
            self.opt.clear_grad()
        return loss


class ClearsFirst(Trainer):
    """It clears the gradients before it fills them."""

    def update(self, loss):
        self.opt.clear_grad()
        loss.backward()
        self.opt.step()


class LeavesNone(Trainer):
    """It leaves None in place of gradients."""

    def update(self, loss):
        loss.backward()
        self.opt.step()
        self.opt.clear_grad(set_to_zero=False)


class NeverClears(Trainer):
    """Its gradients pile up."""

    def update(self, loss):
        loss.backward()
        self.opt.step()


class Looks(Trainer):
    """It does something else before there are gradients."""

    def step(self, x):
        scale = 2.0 if self.head.weight.grad is None else 1.0
        loss = scale * ((self.head(self.net(x)) - x.sum(axis=1, keepdim=True)) ** 2).mean()
        self.update(loss)
        return loss


class Layered(nn.Layer):
    """A Layer that trains its parts, one of which keeps statistics."""

    def __init__(self, make=sgd):
        super().__init__()
        paddle.seed(0)
        self.net, self.norm, self.head = nn.Linear(3, 4), nn.BatchNorm1D(4), nn.Linear(4, 1)
        self.opt = make(self.parameters())

    def forward(self, x):
        loss = ((self.head(self.norm(self.net(x))) - x.sum(axis=1, keepdim=True)) ** 2).mean()
        loss.backward()
        self.opt.step()
        self.opt.clear_grad()
        return loss
