"""R-07: training loops as people write them, put together at random: ten steps give what the plain layer gives."""

import random

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn

PARTS = ["average", "in_place", "count", "cache", "exit", "table", "best"]
SCHEDULES = [
    lambda: 0.05, lambda: paddle.optimizer.lr.StepDecay(0.1, 2), lambda: paddle.optimizer.lr.LinearWarmup(0.1, 3, 0.0, 0.1),
]  # fmt: skip
OPTIMIZERS = [paddle.optimizer.SGD, paddle.optimizer.Adam, paddle.optimizer.Momentum]


class Model(nn.Layer):
    """State of many kinds, each switched on by a name in `parts`."""

    def __init__(self, parts, chance):
        super().__init__()
        self.parts = parts
        self.first, self.last = nn.Linear(3, 4), nn.Linear(4, 3)
        self.norm = chance.choice([nn.BatchNorm1D, nn.LayerNorm])(4)
        self.register_buffer("mean", paddle.zeros([4]))
        self.decay, self.steps, self.cache, self.table, self.best = chance.choice([0.5, 0.9]), 0, [], {}, None

    def forward(self, x, limit=2.0):
        h = nn.functional.relu(self.norm(self.first(x)))
        if "average" in self.parts and self.training:
            with paddle.no_grad():
                self.mean = self.decay * self.mean + (1 - self.decay) * h.mean(0)
            h = h - self.mean
        if "in_place" in self.parts and self.training:
            self.mean.set_value(self.mean * 0.5 + h.detach().mean(0))
            h = h + self.mean
        if "count" in self.parts:
            self.steps += 1
            if self.steps > 4:
                h = h + self.steps
        if "cache" in self.parts:
            self.cache.append(h.detach().mean(0))
            if len(self.cache) > 3:
                self.cache.pop(0)
            h = h + paddle.stack(self.cache).mean(0)
        if "exit" in self.parts:
            for _ in range(4):
                h = h * 1.1
                if h.abs().mean() > limit:
                    break
            else:
                h = h - 1
        if "table" in self.parts:
            key = "big" if h.sum() > 0 else "small"
            self.table[key] = self.table.get(key, 0) + 1
            h = h / self.table[key]
        if "best" in self.parts:
            most = h.detach().max()
            if self.best is None or most > self.best:
                self.best = most
            h = h / (self.best.abs() + 1)
        return self.last(h)


def trained(convert, seed):
    """The numbers of ten steps, and what the layer holds at the end."""
    chance = random.Random(seed)
    paddle.seed(seed)
    parts = [part for part in PARTS if chance.random() < 0.5]
    net = convert(Model(parts, chance))
    schedule = chance.choice(SCHEDULES)()
    optimizer = chance.choice(OPTIMIZERS)(learning_rate=schedule, parameters=net.parameters())
    every, limit, numbers = chance.choice([1, 2, 3]), chance.choice([0.5, 2.0]), []
    for step in range(10):
        x = paddle.to_tensor(np.random.default_rng([seed, step]).normal(size=(chance.choice([2, 5]), 3)).astype("float32"))
        loss = (net(x, limit) ** 2).mean() / every
        loss.backward()
        if (step + 1) % every == 0:
            optimizer.step()
            optimizer.clear_grad()
        if not isinstance(schedule, float):
            schedule.step()
        numbers.append(loss.item())
        if step % 4 == 3:
            net.eval()
            numbers.append(net(x).sum().item())
            net.train()
        if step == 5:
            net.decay, net.cache, net.steps = chance.choice([0.1, net.decay]), chance.choice([[], net.cache]), 0
    numbers += [net.steps, len(net.cache), *net.table.values(), -1.0 if net.best is None else net.best.item()]
    return list(net.table), [*numbers, net.mean.sum().item(), *(p.abs().sum().item() for p in net.parameters())]


def assert_trains_alike(seed):
    (keys, plain), (static_keys, static) = trained(lambda net: net, seed), trained(paddle.jit.to_static, seed)
    assert static_keys == keys
    np.testing.assert_allclose(static, plain, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("seed", [0])
def test_r_07_a_training_loop_gives_what_the_plain_layer_gives(seed):
    assert_trains_alike(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(1, 30), 5))
def test_r_07_more_training_loops(seed):
    assert_trains_alike(seed)
