"""Shapes that fit or don't only at run time: the Program raises what eager code raises, in the same words."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

X = np.array([1.0, 2.0, 3.0], np.float32)
ROWS = np.ones((2, 5), np.float32)


def added(x, rows):
    return x + rows


def multiplied(x, rows):
    return paddle.matmul(rows, x)


def reshaped(x, rows):
    return x.reshape([2, 2])


def joined(x, rows):
    return paddle.concat([rows, rows.t()], 0)


def stacked(x, rows):
    return paddle.stack([x, rows[0]])


def inside_control_flow(x, rows):
    if x.sum() > 0:
        for i in range(rows.shape[0]):
            x = x * rows[i]
    return x


@pytest.mark.parametrize("function", [added, multiplied, reshaped, joined, stacked, inside_control_flow])
def test_an_error_reads_as_in_eager_code(function):
    arguments = [paddle.to_tensor(X), paddle.to_tensor(ROWS)]
    with pytest.raises(ValueError) as eager:
        function(*arguments)
    static = paddle.jit.to_static(function, input_spec=[InputSpec([None]), InputSpec([None, None])])
    with pytest.raises(type(eager.value)) as staged:
        static(*arguments)
    assert str(staged.value) == str(eager.value)
    assert staged.value.dy2st_loc.line > function.__code__.co_firstlineno


def unused_sum(x, rows):
    x + rows
    return x


def unused_reshape(x, rows):
    x.reshape([2, 2])
    return x


@pytest.mark.parametrize("function", [unused_sum, unused_reshape])
def test_what_nobody_uses_fails_all_the_same(function):
    arguments = [paddle.to_tensor(X), paddle.to_tensor(ROWS)]
    with pytest.raises(ValueError) as eager:
        function(*arguments)
    static = paddle.jit.to_static(function, input_spec=[InputSpec([None]), InputSpec([None, None])])
    with pytest.raises(type(eager.value)) as staged:
        static(*arguments)
    assert str(staged.value) == str(eager.value)
