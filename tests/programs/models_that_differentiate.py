"""Programs that ask for gradients themselves, in Paddle's names; `tests/from_torch/test_gradients_inside.py` has them in torch's.

Each class has the shapes of its arguments.
"""

from __future__ import annotations

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import nn


class Pinn(nn.Layer):
    """The residual of Burgers' equation."""

    arguments = [(6, 1), (6, 1)]

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(2, 8), nn.Linear(8, 1)

    def forward(self, x, t):
        x.stop_gradient = False
        t.stop_gradient = False
        u = self.last(paddle.tanh(self.first(paddle.concat([x, t], axis=1))))
        ut = paddle.grad(u, t, create_graph=True)[0]
        ux = paddle.grad(u, x, create_graph=True)[0]
        uxx = paddle.grad(ux, x, create_graph=True)[0]
        return ((ut + u * ux - 0.01 * uxx) ** 2).mean()


class Wgan(nn.Layer):
    """The loss of a critic with a gradient penalty."""

    arguments = [(4, 2), (4, 2), (4, 1)]

    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))

    def forward(self, real, fake, t):
        between = t * real + (1 - t) * fake
        between.stop_gradient = False
        scores = self.critic(between)
        slopes = paddle.grad(scores, between, paddle.ones_like(scores), create_graph=True)[0]
        penalty = ((paddle.norm(slopes, p=2, axis=1) - 1) ** 2).mean()
        return self.critic(fake).mean() - self.critic(real).mean() + 10 * penalty


class Energy(nn.Layer):
    """Forces of an energy; a path depends on how near the particles are."""

    arguments = [(4, 3)]

    def __init__(self):
        super().__init__()
        self.own = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, places):
        places.stop_gradient = False
        apart = ((places.unsqueeze(1) - places.unsqueeze(0)) ** 2).sum(axis=-1)
        energy = self.own(places).sum()
        if apart.max() > 3:
            energy = energy + paddle.exp(-apart).sum()
        force = -paddle.grad(energy, places, create_graph=True)[0]
        return energy, force


class Maml(nn.Layer):
    """Some steps on a task, and the loss of what they give."""

    arguments = [(5, 1)] * 4

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(1, 8), nn.Linear(8, 1)

    def forward(self, x, y, other_x, other_y):
        weights = [self.first.weight, self.first.bias, self.last.weight, self.last.bias]
        for _ in range(3):
            found = paddle.grad(F.mse_loss(self.call(weights, x), y), weights, create_graph=True)
            weights = [w - 0.1 * g for w, g in zip(weights, found)]
        return F.mse_loss(self.call(weights, other_x), other_y)

    def call(self, weights, x):
        return F.linear(paddle.tanh(F.linear(x, weights[0], weights[1])), weights[2], weights[3])


class HessianTimesVector(nn.Layer):
    arguments = [(2,), (2,)]

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x, v):
        x.stop_gradient = False
        slope = paddle.grad(self.net(x).sum(), x, create_graph=True)[0]
        return paddle.grad((slope * v.detach()).sum(), x, create_graph=True)[0]


class Newton(nn.Layer):
    """Newton's method by coordinate, until the slope is small."""

    arguments = [(3,)]

    def __init__(self):
        super().__init__()
        self.curve = self.create_parameter([3], default_initializer=nn.initializer.Assign([2.0, 3.0, 4.0]))

    def forward(self, x):
        x = x * self.curve
        slope = paddle.ones_like(x)
        while slope.abs().max() > 1e-3:
            value = self.curve * x * x + paddle.exp(x)
            slope = paddle.grad(value.sum(), x, create_graph=True)[0]
            x = x - slope / paddle.grad(slope.sum(), x, create_graph=True)[0]
        return x


class Langevin(nn.Layer):
    """Samples of an energy by its slopes; each turn of the loop begins with a leaf of its own."""

    arguments = [(4, 2)]

    def __init__(self):
        super().__init__()
        self.energy = nn.Sequential(nn.Linear(2, 8), nn.Softplus(), nn.Linear(8, 1))

    def forward(self, x):
        for _ in range(4):
            x = x.detach()
            x.stop_gradient = False
            x = x - 0.1 * paddle.grad(self.energy(x).sum(), [x])[0]
        return self.energy(x), x.detach()


PROGRAMS = [Pinn, Wgan, Energy, Maml, HessianTimesVector, Newton, Langevin]
