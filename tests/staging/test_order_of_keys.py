"""An OrderedDict whose keys were moved has their order, not that of the dict it derives from: as an argument, and as state."""

from __future__ import annotations

from collections import OrderedDict

import pytest

import dy2st as paddle

from .agreement import VECTOR, plain


class Recent(OrderedDict):
    pass


def moved(cls):
    made = cls(a=1, b=2, c=3)
    made.move_to_end("a")
    made.move_to_end("c", last=False)
    return made


class Keeps(paddle.nn.Layer):
    def __init__(self, cls):
        super().__init__()
        self.kept = moved(cls)

    def forward(self, x):
        if x.sum() > 1:
            self.kept["d"] = 1
        if x.sum() > 2:
            self.kept.move_to_end("b")
        return [*self.kept], [value for value in self.kept.values()], self.kept


@pytest.mark.parametrize("cls", [OrderedDict, Recent])
def test_as_an_argument_and_as_state(cls):
    def scaled(kept, x):
        return [key for key in kept], [value * x for value in kept.values()]

    x = paddle.ones([2])
    assert plain(paddle.jit.to_static(scaled)(moved(cls), x)) == plain(scaled(moved(cls), x))
    live, static = Keeps(cls), paddle.jit.to_static(Keeps(cls), input_spec=[VECTOR])
    for x in (paddle.zeros([1]), paddle.ones([2]), paddle.ones([3])):
        assert repr(plain(static(x))) == repr(plain(live(x)))
        assert list(static.kept.items()) == list(live.kept.items())
