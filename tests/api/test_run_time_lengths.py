"""Lengths that only the Program knows, 0 and negative ones too: what eager code gives, or an exception of the same class."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec


def number(x):
    return int(x.sum())


CALLS = {
    "reshape [n, -1]": lambda x, y: y.reshape([number(x), -1]),
    "reshape [-1, n]": lambda x, y: y.reshape([-1, number(x)]),
    "reshape [n]": lambda x, y: y.reshape([number(x)]),
    "reshape [n, 2, -1]": lambda x, y: y.reshape([number(x), 2, -1]),
    "reshape by a length": lambda x, y: y.reshape([x.shape[0], -1]),
    "expand": lambda x, y: y.expand([number(x), 6]),
    "broadcast_to": lambda x, y: paddle.broadcast_to(y, [number(x), 6]),
    "tile": lambda x, y: paddle.tile(y, [number(x), 1]),
    "slice": lambda x, y: (y[: number(x)], y[number(x) :], y[number(x) : 2]),
    "step": lambda x, y: y[:: number(x)],
    "arange": lambda x, y: (paddle.arange(number(x)), paddle.arange(number(x), 3)),
    "step of arange": lambda x, y: paddle.arange(0, 5, number(x)),
    "full": lambda x, y: paddle.full([number(x), 2], 1.0),
    "zeros": lambda x, y: paddle.zeros([2, number(x)]),
    "eye": lambda x, y: paddle.eye(number(x)),
    "linspace": lambda x, y: paddle.linspace(0, 1, number(x)),
}


def answer(function, x, y):
    try:
        found = function(x, y)
    except (ValueError, TypeError, IndexError, ZeroDivisionError) as error:
        return "raised", next(cls for cls in (ValueError, TypeError, IndexError, Exception) if isinstance(error, cls))
    return [part.numpy().tolist() for part in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_as_eager(call):
    programs = [paddle.jit.to_static(call), paddle.jit.to_static(call, input_spec=[InputSpec([None]), InputSpec([None])])]
    for n in (0, 1, 2, 3, 6, -1, -2):
        for length in (6, 0):
            x, y = paddle.to_tensor(np.full(1, n, np.float32)), paddle.arange(length).astype("float32")
            for program in programs:
                assert answer(program, x, y) == answer(call, x, y), (n, length)
