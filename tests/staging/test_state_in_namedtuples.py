"""A namedtuple on an object that each call replaces is state: one Program does for all calls."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import dy2st as paddle


class Part(NamedTuple):
    a: float
    b: float


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.part = Part(1.0, 2.0)


class Again(Net):
    def forward(self, x):
        self.part = Part(*self.part)
        return x * self.part.a


class Replaced(Net):
    def forward(self, x):
        self.part = self.part._replace(a=self.part.a + 1)
        return x * self.part.a


class Made(Net):
    def forward(self, x):
        self.part = Part._make(self.part)
        return x * self.part.b


class AsDict(Net):
    def forward(self, x):
        self.part = Part(**self.part._asdict())
        return x * self.part._asdict()["b"]


class Turned(Net):
    def forward(self, x):
        a, b = self.part
        self.part = Part(b, a)
        return x * self.part[0]


@pytest.mark.parametrize("model", [Again, Replaced, Made, AsDict, Turned])
def test_e_17_one_program_does_for_all_calls(model):
    plain, static = model(), paddle.jit.to_static(model())
    for _ in range(4):
        x = paddle.ones([2])
        assert static(x).tolist() == plain(x).tolist() and static.part == plain.part
    assert len(static.forward.program_cache) == 1 and static.forward._programs._staged == 1
    static.part = Part(5.0, 6.0)
    plain.part = Part(5.0, 6.0)
    assert static(paddle.ones([2])).tolist() == plain(paddle.ones([2])).tolist()
