"""The class of an object that only the Program knows is the user's: it makes objects, is compared, and holds what they share."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle

from .agreement import functions_of, outcome
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Sum:
    made = 0

    def __init__(self, k):
        self.k = k

    def __add__(self, by):
        return type(self)(self.k + by)


class Twice(Sum):
    def __add__(self, by):
        return super().__add__(by * 2)


def e_13_type_of_self_in_a_loop(x, n):
    m = Sum(1)
    for _ in x:
        m = m + 1
    return m.k


def of_a_subclass(x, n):
    m = Twice(1)
    while m.k < n:
        m = m + 1
    return m.k, type(m).__name__


def compared(x, n):
    m = Sum(n) if n > 1 else Twice(n)
    for _ in x:
        m = m + 1
    same = Sum(1)
    for _ in range(n):
        same = same + 1
    return (type(m) is Sum, type(m) is Twice, type(same) is Sum,
            type(same) is type(m), type(same) is type(Sum(1)), m.__class__ is Sum)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda function: function.__name__)
def test_agrees(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.part = Sum(1)

    def forward(self, x):
        self.part = self.part + 1
        return x * self.part.k


def test_e_13_an_operator_replaces_what_a_layer_keeps():
    plain, static = Net(), paddle.jit.to_static(Net())
    for _ in range(3):
        given = [np.array([1, 2], np.float32)]
        assert outcome(static, given) == outcome(plain, given)
        assert type(static.part) is Sum and static.part.k == plain.part.k
