"""Functions that a decorator gives some of their arguments, as static functions; callable objects that are only called."""

from __future__ import annotations

import functools
import io

import pytest

import dy2st as paddle
from dy2st.static import InputSpec

X = paddle.to_tensor([2.0])


def giving(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, by=5, **kwargs)

    return call


def with_its_own_parameters(function):
    @functools.wraps(function)
    def call(x):
        return function(x, 3) + 1

    return call


@giving
def lacking(x, by):
    return x * by


@giving
def with_a_default(x, by=3):
    return x * by


@with_its_own_parameters
def fewer(x, by):
    if x.sum() > 0:
        return x * by
    return x


class Scaled:
    def __init__(self, size):
        self.size = size

    @giving
    def times(self, x, by):
        return x * by * self.size

    @with_its_own_parameters
    def plus(self, by):
        return X * self.size + by


CALLS = {
    "lacking": lambda f: f(lacking)(X),
    "lacking by keyword": lambda f: f(lacking)(x=X),
    "with a default": lambda f: f(with_a_default)(X),
    "fewer": lambda f: f(fewer)(-X),
    "method": lambda f: f(Scaled(2).times)(X),
    "method by keyword": lambda f: f(Scaled(2).times)(x=X),
    "method with its own parameters": lambda f: f(Scaled(2).plus)(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_as_in_plain_python(call):
    assert call(paddle.jit.to_static).tolist() == call(lambda function: function).tolist()


def test_saved_with_an_argument_that_the_decorator_gives():
    file = io.BytesIO()
    paddle.jit.save(paddle.jit.to_static(lacking, input_spec=[InputSpec([1], "float32")]), file)
    file.seek(0)
    assert paddle.jit.load(file)(X).tolist() == [10.0]


def test_too_many_arguments_are_told_as_python_tells_them():
    with pytest.raises(TypeError, match="got multiple values for argument 'by'"):
        paddle.jit.to_static(lacking)(1, 2)


class Asked:
    """Notes what it is asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, x):
        return x + 1

    def __hash__(self):
        self.asked.append("hash")
        return 1

    def __eq__(self, other):
        self.asked.append("==")
        return self is other


def test_a_callable_object_is_only_called():
    asked = Asked()
    assert paddle.jit.to_static(lambda x: asked(x))(X).tolist() == [3.0]
    assert asked.asked == []
