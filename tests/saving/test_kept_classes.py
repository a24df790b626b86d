"""A loaded model whose state is a NamedTuple or a member of an Enum runs by itself, and is refused inside a static function."""

from __future__ import annotations

import enum
from typing import NamedTuple

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Pair(NamedTuple):
    count: int
    factor: float


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.colour, self.pair = Colour.RED, Pair(1, 2.0)


class Coloured(Net):
    def forward(self, x):
        self.colour = Colour.BLUE if x.sum() > 0 else Colour.RED
        return x * (2 if self.colour is Colour.BLUE else 3)


class Paired(Net):
    def forward(self, x):
        self.pair = Pair(self.pair.count + 1, 1.5)
        return x * self.pair.count * self.pair.factor


@pytest.mark.parametrize("model", [Coloured, Paired])
def test_runs_by_itself_and_is_refused_inside(model, tmp_path):
    paddle.jit.save(model(), tmp_path / "net", input_spec=[InputSpec([2])])
    loaded, plain = paddle.jit.load(tmp_path / "net"), model()
    for sign in (1.0, -1.0, 1.0):
        x = paddle.to_tensor([1.0, 2.0]) * sign
        assert loaded(x).tolist() == plain(x).tolist()
    with pytest.raises(ConversionError, match=r"self\.(colour|pair), whose class isn't known here"):
        paddle.jit.to_static(lambda x: loaded(x) + 1)(x)
