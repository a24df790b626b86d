"""Attributes that an object of the call's own gets on some paths only: staging knows the others."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit


class Options:
    def __init__(self):
        self.beams = 1


class Filled(Options):
    def __getattr__(self, name):
        if name == "length":
            return 5.0
        raise AttributeError(name)


def made(x, cls=Options):
    options = cls()
    if x.sum() > 0:
        options.length = x * 2
    return options


def asked(x):
    options = made(x)
    return options.length if hasattr(options, "length") else x


def with_a_default(x):
    return getattr(made(x), "length", -1.0) * x


def read(x):
    return made(x).length


def copied(x):
    options = copy.copy(made(x))
    return options.length if hasattr(options, "length") else x


def deleted(x):
    options = made(x)
    try:
        del options.length
    except AttributeError:
        return x, True
    return x + 1, hasattr(options, "length")


def given_by_the_class(x):
    return made(x, Filled).length + x


def stored_again(x):
    options = made(x)
    options.length = x
    return options.length


def in_a_loop(x):
    options = Options()
    while x.sum() < 10:
        options.length = options.length + x if hasattr(options, "length") else x
        x = x + 1
    return options.length if hasattr(options, "length") else 0 * x


def one_of_two(x):
    one = made(x) if x.max() > 1 else Options()
    return getattr(one, "length", x)


def in_a_list(x):
    return [hasattr(each, "length") for each in [made(x), Options(), made(-x)]]


def told(function, x):
    def values(result):
        return [values(part) for part in result] if isinstance(result, tuple | list) else np.asarray(result).tolist()

    try:
        return values(function(x))
    except AttributeError as error:
        return str(error)


FUNCTIONS = (
    asked, with_a_default, read, copied, deleted, given_by_the_class, stored_again, in_a_loop, one_of_two, in_a_list
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_is_as_in_plain_python(function):
    static = jit.to_static(function)
    for numbers in ([1.0, 2.0], [-1.0, -2.0]):
        x = paddle.to_tensor(numbers)
        assert told(static, x) == told(function, x)


def test_staging_knows_the_other_attributes():
    def beams(x):
        options = made(x)
        return [x] * options.beams  # a length that staging has to know

    assert len(jit.to_static(beams)(paddle.ones([2]))) == 1


def test_what_an_object_holds_needs_no_value_of_its_own():
    class Kept:
        def __init__(self):
            self.find = lambda x: x * 3  # a function that is made here can't be a value of the Program

    def called(x):
        kept = Kept()
        if x.sum() > 0:
            kept.length = 2
        return kept.find(x)

    assert jit.to_static(called)(paddle.ones([2])).tolist() == [3.0, 3.0]
