"""Functions that change objects of many kinds, in branches and loops on a tensor's value; each is a conversion to interrupt."""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np

import dy2st
from dy2st import nn

total = 0
log: list = []
w: Any = None  # the World that the functions change
setting: ContextVar[int] = ContextVar("setting", default=0)
HERE = sys.modules[__name__]


class Slots:
    __slots__ = ("size", "kept")

    def __init__(self):
        self.size = 1


class Scaled:
    def __init__(self):
        self._scale = 1.0

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, value):
        self._scale = value * 2


class Named(list):
    label = "class"


class Registry:
    count = 0


@dataclass
class Point:
    x: float = 0.0
    seen: list = field(default_factory=list)


class Model(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.steps, self.names = 0, ["start"]
        self.register_buffer("mean", dy2st.zeros([3]))
        self.extra = dy2st.ones([3])


class World:
    """New objects of every kind, for one conversion."""

    def __init__(self):
        dy2st.seed(3)
        HERE.w = self
        Registry.count, HERE.total = 0, 0
        log[:] = ["first"]
        setting.set(0)
        self.numbers, self.table, self.names = [1.0, 2.0], {"a": 1.0, "b": 2.0}, {1, 2}
        self.queue, self.ordered = deque([1.0, 2.0], maxlen=4), OrderedDict(a=1.0, b=2.0)
        self.counts, self.groups = Counter("aab"), defaultdict(list, a=[1.0])
        self.plain, self.slots, self.scaled, self.point = SimpleNamespace(n=1, m=2.0), Slots(), Scaled(), Point()
        self.named = Named([1.0])
        self.named.label = "own"
        self.nested = {"a": [[1.0], {"b": [2.0]}], "c": (1.0, [3.0])}
        self.shared = [self.numbers, self.nested]
        self.model, self.tensor, self.random = Model(), dy2st.ones([3]), Random(5)
        self.tensor.name = "given"
        self.array, self.bytes = np.arange(3.0), bytearray(b"abc")
        count, seen = 0, [1.0]

        def counted(x):
            nonlocal count
            for i in range(3):
                if x.sum() > i:
                    count += 1
                    seen.append(x[0])
            return x * count

        self.counted = counted
        counted.calls = 1


def sequences(x):
    for i in range(4):
        if x.sum() > i:
            w.numbers.append(x[0] * i)
        else:
            w.numbers[0] = x[1]
    if x[0] > 0:
        w.table["new"] = x.sum()
        w.names.add(3)
    else:
        del w.table["b"]
        w.names.discard(1)
    w.shared[1]["a"][0].append(x[2])
    return x * len(w.numbers) + w.table["a"]


def collections_(x):
    if x.sum() > 0:
        w.queue.append(x[0])
        w.ordered.move_to_end("a")
        w.ordered["c"] = x[1]
        w.counts["a"] += 1
    else:
        w.queue.popleft()
        w.groups["b"].append(x[1])
    w.groups["a"].append(x[0])
    return x * len(w.queue)


def attributes(x):
    if x.sum() > 0:
        w.plain.n = x.sum()
        w.slots.size = w.slots.size + 1
        w.slots.kept = x
        w.scaled.scale = x[0]
    else:
        w.plain.m = 4.0
        w.point.x = x[1]
    for i in range(3):
        if x[i] > 0:
            w.point.seen.append(x[i])
    del w.plain.m
    return x * w.plain.n


def names(x):
    global total
    if x.sum() > 0:
        total = total + x[0]
        log.append(x[1])
        Registry.count = Registry.count + 1
        HERE.log[0] = "second"
    else:
        total = 3.0
    y = w.counted(x)
    w.counted.calls = w.counted.calls + 1
    return y + total


def layers(x):
    model = w.model
    if x.sum() > 0:
        model.steps = model.steps + 1
        model.mean = model.mean + x
        model.names.append("branch")
    else:
        model.extra = x * 2
        model.linear.weight.set_value(model.linear.weight * 2)
    with dy2st.no_grad():
        model.linear.bias.add_(x)
    return model.linear(x) + model.mean


def numbers(x):
    token = setting.set(1)
    if x.sum() > 0:
        y = x + setting.get()
    else:
        w.named.append(x[0])
        y = x
    w.named.label = "set"
    w.tensor.stop_gradient = False
    setting.reset(token)
    return y * w.tensor + dy2st.rand([3])


def tensors(x):
    if x.sum() > 0:
        w.tensor.add_(x)
        y = w.tensor * 2
    else:
        y = w.tensor - 1
    while y.sum() > 3:
        w.numbers.append(y[0])
        y = y / 2
    try:
        w.table["tried"] = y
        if y[0] > 100:
            raise ValueError("large")
    except ValueError:
        w.numbers.pop()
    return y


CONVERSIONS: list[Callable] = [sequences, collections_, attributes, names, layers, numbers, tensors]
