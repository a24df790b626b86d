"""Attributes of a container that lies in another one, which is state: each call finds what the last one left."""

from __future__ import annotations

from collections import OrderedDict, deque

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn


class Items(list):
    pass


class Row(tuple):
    pass


class Table(dict):
    pass


class Ordered(OrderedDict):
    pass


class Window(deque):
    pass


class Thing:
    pass


X = paddle.to_tensor([1.0, 2.0])
CLASSES = (Items, Row, Table, Ordered, Window, Thing)


def made(cls):
    held = cls() if cls is Thing else cls(p=X) if issubclass(cls, dict) else cls([X])
    held.k = 3
    return held


def net(around, body):
    """A layer that holds a container of each class in others, and runs `body` on itself at each call."""

    class Net(nn.Layer):
        def __init__(self, cls):
            super().__init__()
            self.head = made(cls)
            self.vs = around(self.head, cls)

        forward = body

    Net.__name__ = body.__name__
    return Net


def listed(head, cls):
    return [head]


def apart(head, cls):
    return [made(cls)]


def adds_and_appends(self, y):
    self.vs[0].k = self.vs[0].k + 1
    self.vs.append(y)
    return y * self.vs[0].k


def adds_a_tensor(self, y):
    held = self.vs[0]
    held.k = held.k + y.sum()
    self.vs.append(y)
    return y * held.k


def appends_itself(self, y):
    self.vs[0].k = self.vs[0].k + 1
    self.vs.append(self.vs[0])
    return y * self.vs[-1].k


def on_one_path(self, y):
    if y.sum() > 0:
        self.vs[0].k = self.vs[0].k + 1
    else:
        self.vs.append(y)
    return y * self.vs[0].k


def new_attribute(self, y):
    self.vs[0].fresh = y * 2
    self.vs[0].k = self.vs[0].k + 1
    self.vs.append(y)
    return self.vs[0].fresh + self.vs[0].k


def by_two_ways(self, y):
    self.head.k = self.head.k + 1
    self.vs[0].k = self.vs[0].k * 2
    self.vs.append(y)
    return y * self.head.k + self.vs[0].k


def written_by_one_read_by_the_other(self, y):
    self.vs[0].k = self.vs[0].k + 1
    self.vs.append(y)
    return y * self.head.k


def the_other_way_round(self, y):
    self.head.k = self.head.k + 1
    self.vs = [self.head, y]
    return y * self.vs[0].k


def in_a_dict(self, y):
    self.vs["a"][0].k = self.vs["a"][0].k + 1
    self.vs["n"] = y
    return y * self.vs["a"][0].k


def in_a_tuple(self, y):
    self.vs[0].k = self.vs[0].k + 1
    self.vs = (self.vs[0], y)
    return y * self.vs[0].k


def in_an_attribute(self, y):
    self.vs.inner.k = self.vs.inner.k + 1
    self.vs.k = self.vs.k * 2
    return y * self.vs.inner.k + self.vs.k


def inside(head, cls):
    held = made(cls)
    held.inner = head
    return held


ALONE = (adds_and_appends, adds_a_tensor, appends_itself, on_one_path, new_attribute)
SHARED = (by_two_ways, written_by_one_read_by_the_other, the_other_way_round)
NETS = [
    *(net(apart, body) for body in ALONE),
    net(lambda head, cls: {"a": [made(cls)]}, in_a_dict),
    net(lambda head, cls: (made(cls), X), in_a_tuple),
    net(inside, in_an_attribute),
]
CASES = [
    *((model, cls) for model in NETS for cls in CLASSES),
    *((net(listed, body), cls) for body in SHARED for cls in CLASSES if cls is not Row),
]


@pytest.mark.long
@pytest.mark.parametrize("model, cls", sampled(CASES, 8), ids=lambda one: one.__name__)
def test_each_call_finds_what_the_last_one_left(model, cls):
    plain, static = model(cls), paddle.jit.to_static(model(cls))
    for x in (X, X, X * -1, X):
        assert static(x).tolist() == plain(x).tolist()
        assert float(static.head.k) == float(plain.head.k)
