"""Lists that hold None or 0 until a loop fills them, and are stacked then; layers of a list that the data choose."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec

from .agreement import assert_agrees

ROWS = (InputSpec([None, 2]),)
CALLS = [(np.arange(2.0 * n, dtype=np.float32).reshape(n, 2) - 2,) for n in (1, 2, 3)]


def e_06_filled(x):
    n = x.shape[0]
    xs = [None] * n
    for i in range(n):
        xs[i] = x[i] * (i + 1)
    return paddle.stack(xs, axis=1), paddle.concat(xs), xs[0].shape


def e_06_filled_backwards_from_zeros(x):
    n = x.shape[0]
    xs = [0] * n
    i = 0
    while i < n:
        xs[n - 1 - i] = x[i]
        i = i + 1
    return paddle.stack(xs)


def e_06_filled_where_the_data_say(x):
    xs = [None] * x.shape[0]
    for i, row in enumerate(x):
        if row.sum() > 2:
            xs[i] = row
    return paddle.stack(xs)


layers = nn.LayerList([nn.Linear(2, 2) for _ in range(3)])


def e_06_a_layer_after_a_break(x):
    for i in range(3):
        if x.sum() > i * 2 - 3:
            break
    return layers[i](x)


CASES = [e_06_filled, e_06_filled_backwards_from_zeros, e_06_a_layer_after_a_break]


@pytest.mark.parametrize("function", CASES)
def test_e_06_agrees(function):
    assert_agrees(function, ROWS, CALLS)


def test_e_06_an_item_that_is_still_none_raises():
    assert_agrees(e_06_filled_where_the_data_say, ROWS, CALLS, raises=True)
    assert_agrees(e_06_filled_where_the_data_say, ROWS, [(np.full([2, 2], 3, np.float32),)])
