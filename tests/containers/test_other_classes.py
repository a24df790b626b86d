"""What a function finds at a place is a container of another class than when it was staged: the answer is plain Python's."""

from __future__ import annotations

import itertools
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn

Pair = namedtuple("Pair", "p q")
Other = namedtuple("Other", "q p")
Twin = namedtuple("Pair", "p q")


class Items(list):
    pass


class Row(tuple):
    pass


class Table(dict):
    pass


class Bag(set):
    pass


def held():
    """One container of each class; those that can hold tensors do."""
    a, b = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([4.0, 5.0])
    rows = [[a, b], (a, b), Items([a, b]), Row((a, b)), Pair(a, b), Other(a, b), Twin(a, b), deque([a, b]), deque([a, b], 2)]
    tables = [{"p": a, "q": b}, OrderedDict(p=a, q=b), defaultdict(list, p=a, q=b), Table(p=a, q=b), Counter(p=1, q=2)]
    return [*rows, *tables, {1, 2}, frozenset((1, 2)), Bag((1, 2)), a, None, 3]


def answer(v, x):
    """What tells the classes apart, and takes a part where there is one."""
    kind = type(v).__name__
    if kind in ("Pair", "Other"):
        return kind, v.p + x, isinstance(v, Twin)
    if kind in ("list", "tuple", "Items", "Row", "deque"):
        return kind, v[0] + x, len(v)
    if kind in ("dict", "OrderedDict", "defaultdict", "Table"):
        return kind, v["p"] + x, len(v)
    return kind, x


class Reads(nn.Layer):
    def __init__(self, v):
        super().__init__()
        self.v = v

    def forward(self, x):
        return answer(self.v, x)


class Keeps(Reads):
    """The container is state: the function stores it, and takes another on one path."""

    def forward(self, x):
        found, self.v = self.v, None
        told = answer(found, x)
        self.v = found
        return told


class Deeper(Reads):
    def __init__(self, v):
        super().__init__([v])

    def forward(self, x):
        self.n = x
        return answer(self.v[0], x)


def shown(result):
    return [x.tolist() if isinstance(x, paddle.Tensor) else x for x in result]


def put(net, v):
    if isinstance(net, Deeper):
        net.v[0] = v
    else:
        net.v = v


CASES = [(cls, i, j) for cls in (Reads, Keeps, Deeper) for i, j in itertools.permutations(range(len(held())), 2)]


@pytest.mark.long
@pytest.mark.parametrize("cls, before, after", sampled(CASES, 20))
def test_a_container_of_another_class_in_state(cls, before, after):
    x = paddle.to_tensor(np.float32([10.0, 20.0]))
    plain, static = cls(held()[before]), paddle.jit.to_static(cls(held()[before]))
    for turn in (before, after, before):
        put(plain, held()[turn])
        put(static, held()[turn])
        assert shown(static(x)) == shown(plain(x))
