"""What an exception holds when it leaves a static function, at any depth, is what it holds in plain Python."""

from __future__ import annotations

import collections

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

X = paddle.to_tensor([1.0, 2.0])


class Failed(Exception):
    def __init__(self, held):
        self.held = held


def list_of_a_tensor(x):
    raise LookupError([x.sum()])


def attribute(x):
    raise Failed({"sum": [x.sum()]})


def tuple_of_a_tensor(x):
    raise LookupError((x.sum(), 1))


def changed_on_a_path(x):
    found = [1]
    if x.sum() > 0:
        found.append(2)
    raise LookupError(found)


def deque(x):
    raise LookupError(collections.deque([1]))


def counter_in_a_list(x):
    raise Failed([collections.Counter("a")])


def cause(x):
    try:
        raise LookupError(collections.deque([x.sum()]))
    except LookupError as error:
        raise ValueError(2) from error


def held_by(function):
    """The classes of an exception and its causes, and what each holds."""
    with pytest.raises(Exception) as caught:
        function(X)
    error, found = caught.value, []
    while error is not None:
        held = {name: value for name, value in vars(error).items() if name != "dy2st_loc"}
        found.append((type(error), _plain(error.args), _plain(held)))
        error = error.__cause__
    return found


def _plain(value):
    if isinstance(value, paddle.Tensor):
        return "tensor", value.numpy().tolist()
    if isinstance(value, dict):
        return type(value), {key: _plain(item) for key, item in value.items()}
    return (type(value), list(map(_plain, value))) if isinstance(value, (list, tuple, collections.deque)) else value


RAISING = [list_of_a_tensor, attribute, tuple_of_a_tensor, changed_on_a_path, deque, counter_in_a_list, cause]


@pytest.mark.parametrize("function", RAISING, ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    static = paddle.jit.to_static(function)
    assert held_by(static) == held_by(static) == held_by(function)


@pytest.mark.parametrize("make", [lambda: iter([1]), lambda: map(str, [1]), lambda: {1: 2}.items()])
def test_refused_in_words(make):
    def function(x):
        raise LookupError(make())

    with pytest.raises(ConversionError, match=r"iterator|view of a dict.*list\(\.\.\.\)"):
        paddle.jit.to_static(function)(X)
