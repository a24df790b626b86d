"""Dynamic dimensions that are equal, whatever they are, compare while staging, and tell the length that a shape leaves open."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.static import InputSpec

X, Y = InputSpec([None, None], "float32", "x"), InputSpec([None, None], "float32", "y")


def elementwise(x, y):
    return (paddle.tanh(x) * 2.0 + 1.0).shape[1] == x.shape[1]


def of_several_operands(x, y):
    mask = paddle.where(x > 0, x, paddle.zeros_like(x)) * (x.astype("int64").astype("float32"))
    return mask.shape[0] == x.shape[0] and mask.shape[1] >= x.shape[1]


def of_new_tensors(x, y):
    return (paddle.ones([x.shape[0], x.shape[1]]) - x).shape == x.shape


def of_one_axis(x, y):
    return (x + paddle.ones([x.shape[1]])).shape[1] == x.shape[1]


def in_order(x, y):
    return not (x * 2).shape[0] < x.shape[0] and not (x * 2).shape[0] != x.shape[0]


def not_below_zero(x, y):
    return x.shape[0] >= 0 and x.shape[1] + 2 > 0 and 0 <= 2 * x.shape[0] and -1 != x.shape[1] and not x.shape[0] + 1 == 0


def of_other_shapes(x, y):
    turned = paddle.unsqueeze(paddle.concat([x, x * 2], axis=1).transpose([1, 0]), axis=0)
    return turned[:, 1:].shape[2] == x.shape[0] and turned.expand([4, -1, -1]).reshape([-1, x.shape[0]]).shape[1] == x.shape[0]


def of_products(x, y):
    square = x @ x.transpose([1, 0])
    return (x @ paddle.ones([x.shape[1], 3])).shape[0] == x.shape[0] and square.sum(axis=0).shape[0] == x.shape[0]


def of_an_open_length(x, y):
    pairs = (x.unsqueeze(2) * paddle.ones([6])).reshape([x.shape[0], -1, 3, x.shape[1]])
    return pairs.shape[1] == 2


KNOWN = [
    elementwise, of_several_operands, of_new_tensors, of_one_axis, in_order, not_below_zero, of_other_shapes, of_products,
    of_an_open_length,
]  # fmt: skip


@pytest.mark.parametrize("function", KNOWN)
def test_is_known(function):
    def counted(x, y):
        return [x] * (2 if function(x, y) else 3)  # a length that staging has to know

    program = jit.to_static(counted, input_spec=[X, Y]).concrete_program.program
    assert all(op.name != "if" for op in program.walk())
    assert len(jit.to_static(counted)(paddle.ones([2, 3]), paddle.ones([2, 3]))) == 2


def of_two_tensors(x, y):
    return x.shape[1] == y.shape[1]


def of_a_broadcast(x, y):
    return (x + y).shape[1] == x.shape[1]


def of_a_slice(x, y):
    return x[:, 1:].shape[1] == x.shape[1]


def of_a_number(x, y):
    return (x.shape[1] > 0, x.shape[1] == 3, x.shape[1] - 1 >= 0, -x.shape[1] < 0, x.shape[1] * -1 >= -2, 2 >= x.shape[1])


def of_a_number_below_zero(x, y):
    n = x.shape[1] - 1
    return paddle.ones([4, 3]).expand([4, n + 1 if n > 1 else 3]).reshape([4, n - 3 if n > 3 else -1]).shape[1] == n


@pytest.mark.parametrize("function", [of_two_tensors, of_a_broadcast, of_a_slice, of_a_number, of_a_number_below_zero])
def test_is_told_by_the_program(function):
    static = jit.to_static(lambda x, y: function(x, y), input_spec=[X, Y])
    for lengths in ((3, 3), (3, 1), (1, 3), (0, 0)):
        given = [paddle.ones([2, n]) for n in lengths]
        assert np.array_equal(static(*given), function(*given))
