"""Variables of `contextvars` that a function sets and resets, and a `finally` that only puts back what staging knows."""

from __future__ import annotations

from contextvars import ContextVar

import numpy as np
import pytest

import dy2st
from dy2st.errors import ConversionError

SCALE: ContextVar[int] = ContextVar("scale", default=1)
SET: ContextVar[int] = ContextVar("set")


def scaled(x):
    return x[0] * SCALE.get()


def around(x):
    token = SCALE.set(3)
    try:
        found = scaled(x)
    finally:
        SCALE.reset(token)
    return found + SCALE.get()


def inside_an_if(x):
    y = x
    if x.sum() > 0:
        token = SET.set(2)
        try:
            y = x * SET.get()
        finally:
            SET.reset(token)
    return y[0] + SET.get(5)


@pytest.mark.parametrize("function", [around, inside_an_if])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_variable_is_set_and_reset(function, sign):
    x = dy2st.to_tensor(np.array([sign, sign], "float32"))
    net = dy2st.jit.to_static(function)
    for _ in range(2):
        assert float(net(x)) == float(function(x))
        assert (SCALE.get(), SET.get(None)) == (1, None)
    assert len(net.program_cache) == 1 and " try " not in str(net.main_program)


def twice(x):
    token = SCALE.set(2)
    SCALE.reset(token)
    SCALE.reset(token)
    return x


def twice_on_a_path(x):
    token = SCALE.set(2)
    if x.sum() > 0:
        SCALE.reset(token)
    SCALE.reset(token)
    return x * SCALE.get()


def out_of_order(x):
    first, second = SCALE.set(2), SCALE.set(3)
    SCALE.reset(second)
    found = x * SCALE.get()
    SCALE.reset(first)
    return found + SCALE.get()


@pytest.mark.parametrize("function", [twice, twice_on_a_path, out_of_order])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_token_is_good_for_one_reset(function, sign):
    x = dy2st.to_tensor(np.array([sign, sign], "float32"))
    net = dy2st.jit.to_static(function)
    for _ in range(2):
        try:
            right = function(x).tolist()
        except RuntimeError:
            with pytest.raises(RuntimeError, match="already been used once"):
                net(x)
        else:
            assert net(x).tolist() == right
        assert SCALE.get() == 1


TOKEN = SCALE.set(1)


def resets_outside(x):
    SCALE.reset(TOKEN)
    return x


def leaves_it(x):
    try:
        SCALE.set(7)
        return x[0]
    finally:
        COUNTED.calls += 1


@pytest.mark.parametrize("function, words", [(resets_outside, "comes from outside"), (leaves_it, "after the call")])
def test_what_no_program_does_is_refused(function, words):
    with pytest.raises(ConversionError, match=words):
        dy2st.jit.to_static(function)(dy2st.ones([2]))


def test_what_passes_a_finally_that_puts_back_is_raised():
    net = dy2st.jit.to_static(around, input_spec=[dy2st.static.InputSpec([None], "float32", "x")])
    with pytest.raises(IndexError):
        net(dy2st.to_tensor(np.zeros(0, "float32")))
    assert SCALE.get() == 1


class Counted:
    def __init__(self):
        self.calls = 0


COUNTED = Counted()


def counting(x):
    try:
        return x[0]
    finally:
        COUNTED.calls += 1


def test_a_finally_that_stores_is_in_the_program():
    net = dy2st.jit.to_static(counting, input_spec=[dy2st.static.InputSpec([None], "float32", "x")])
    net(dy2st.ones([1]))
    with pytest.raises(IndexError):
        net(dy2st.to_tensor(np.zeros(0, "float32")))
    assert COUNTED.calls == 2


def in_each_turn(x):
    total = x[0]
    while total < 100:
        token = SCALE.set(3)
        try:
            total = total + scaled(x) * x[0]
        finally:
            SCALE.reset(token)
    return total + SCALE.get()


def test_a_token_of_each_turn():
    for start in (2.0, 150.0):
        x = dy2st.to_tensor([start, 1.0])
        assert float(dy2st.jit.to_static(in_each_turn)(x)) == float(in_each_turn(x))
