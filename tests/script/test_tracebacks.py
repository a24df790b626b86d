"""What a scripted or traced function raises shows the user's own frames: none of this package stands among them."""

from __future__ import annotations

import sys
import traceback

import pytest

import dy2st as paddle
from dy2st import nn

X = paddle.to_tensor([1.0, 2.0])


def raising(x):
    if x.sum() > 0:
        raise ValueError("positive")
    return x


def outer(x):
    return raising(x)


def of_python(x):
    return x * [1, 2][int(x.sum())]


def number(n: int):
    return 1 // (n - 1)


class Net(nn.Layer):
    def forward(self, x):
        return raising(x)


SCRIPTED = paddle.jit.script(raising)


class Scripted(nn.Layer):
    def forward(self, x):
        return SCRIPTED(x)


def calls():
    for function in (raising, outer, of_python, Net()):
        name = getattr(function, "__name__", "Net")
        yield pytest.param(paddle.jit.script(function), X, id=f"script {name}")
        yield pytest.param(lambda x, function=function: paddle.jit.trace(function, x), X, id=f"trace of {name}")
    yield pytest.param(paddle.jit.trace(Scripted(), -X), X, id="a traced call of a scripted function")
    yield pytest.param(paddle.jit.script(number), 1, id="script number")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 keeps the traceback that a bare raise brings back")
@pytest.mark.parametrize(("function", "given"), [*calls()])
def test_all_frames_are_the_users(function, given):
    with pytest.raises((ValueError, IndexError, ZeroDivisionError)) as raised:
        function(given)
    files = {frame.filename for frame in traceback.extract_tb(raised.value.__traceback__)}
    assert files == {__file__}
