"""Functions and methods decorated with `no_grad` and `enable_grad`: they are converted like any other."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import VECTOR, assert_agrees


@paddle.no_grad()
def kept(x, seen):
    seen.append(x)
    if x.sum() > 0:
        return x * 2
    return x


@paddle.no_grad
def without_parentheses(x, seen):
    while x.sum() < 10:
        x = x + 3
        seen.append(1)
    return x


def plus_one(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args) + 1

    return inner


@plus_one
@paddle.enable_grad()
@plus_one
def between_decorators(x):
    return x if x.sum() > 0 else x * 3


def helpers(x):
    seen = []
    for i in range(x.astype("int64").sum().abs()):
        x = kept(x + i, seen)
    return without_parentheses(x, seen), between_decorators(x), len(seen)


@paddle.no_grad()
def root(x):
    return x if x.sum() > 0 else -x


@pytest.mark.parametrize("function", [helpers, between_decorators, root])
def test_agrees_with_plain_python(function):
    assert_agrees(function, [VECTOR], [(np.array(values, np.float32),) for values in ([1, 2], [-1, -2], [20])])


class Queue(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("rows", paddle.zeros([4]))
        self.start = 0

    @paddle.no_grad()
    def push(self, x):
        for i in range(x.shape[0]):
            self.rows[(self.start + i) % 4] = x[i]
        self.start = (self.start + x.shape[0]) % 4

    def forward(self, x):
        self.push(x)
        return self.rows * 1, self.start


def test_a_method_that_changes_buffers_and_state():
    eager, static = Queue(), paddle.jit.to_static(Queue(), input_spec=[VECTOR])
    for values in ([1, 2, 3], [4, 5], [6]):
        x = paddle.to_tensor(np.array(values, np.float32))
        (rows, start), (given, given_start) = eager(x), static(x)
        assert rows.numpy().tolist() == given.numpy().tolist()
        assert start == int(given_start)


# --- the mode is set and left so -------------------------------------------------------------------------------------------


def left_off(x):
    y = x * 2
    paddle.set_grad_enabled(False)
    return y


def left_off_by_entering(x):
    paddle.no_grad().__enter__()
    return x * 2


def left_off_on_a_path(x):
    if x.sum() > 0:
        paddle.set_grad_enabled(False)
    return x * 2


def left_off_by_a_turn(x):
    while x.sum() > 9:
        paddle.set_grad_enabled(False)
        x = x - 1
    return x * 2


def left_off_before_it_raises(x):
    if x.sum() > 0:
        paddle.set_grad_enabled(False)
        raise ValueError("late")
    return x * 2


@pytest.mark.parametrize(
    "function", [left_off, left_off_by_entering, left_off_on_a_path, left_off_by_a_turn, left_off_before_it_raises]
)
def test_a_mode_that_is_left_is_refused(function):
    with pytest.raises(ConversionError, match="turns gradients off.*with no_grad"):
        paddle.jit.to_static(function)(paddle.ones([3]))
    assert paddle.is_grad_enabled()


def off_and_on(x):
    if x.sum() > 0:
        paddle.set_grad_enabled(False)
        y = x * 3
        paddle.set_grad_enabled(True)
    else:
        y = x
    return y + x * 2


def returned_from_inside(x):
    with paddle.no_grad():
        if x.sum() > 0:
            return x * 2
    return x * 3


@pytest.mark.parametrize("function", [off_and_on, returned_from_inside])
@pytest.mark.parametrize("start", [1.0, -1.0])
def test_a_mode_that_is_put_back(function, start):
    def gradient(of):
        x = paddle.full([3], start)
        x.stop_gradient = False
        (of(x).sum() + x.sum() * 10).backward()
        return x.grad.tolist()

    assert gradient(paddle.jit.to_static(function)) == gradient(function)
