"""What staging does at length, or again and again, is told once: which argument differs, which loop is unrolled."""

from __future__ import annotations

import re
import warnings

import pytest

import dy2st as paddle
from dy2st.errors import Dy2stWarning

scale = 0


def told(function, *calls):
    """The texts of the warnings of some calls, and their lines within this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for call in calls:
            function(*call)
    assert all(w.category is Dy2stWarning and w.filename == __file__ for w in caught)
    return [(str(w.message), w.lineno) for w in caught]


def times(x, n, deep=None):
    return x * n


def of_the_world(x):
    return x * scale


def with_scales(function, values):
    def call(value, x):
        global scale
        scale = value
        return function(x)

    return call, [(value, paddle.ones([1])) for value in values]


ONE = paddle.ones([1])


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([(ONE, n) for n in range(20)], "times has been staged 9 times, since n differs from call to call"),
        ([(paddle.ones([n + 1]), 1) for n in range(20)], "times has been staged 9 times, since x differs from call to call"),
        ([(paddle.ones([n + 1]), n) for n in range(9)], "times has been staged 9 times, since x and n differ from call to call"),
        ([(ONE, 1, {"k": [n]}) for n in range(9)], "times has been staged 9 times, since deep differs from call to call"),
    ],
)
def test_m_05_the_arguments_that_differ_are_named(calls, words):
    (found,) = told(paddle.jit.to_static(times), *calls)
    assert found[0].startswith(words)
    assert "a number is best passed as a tensor" in found[0]


def test_m_05_a_global_that_differs():
    call, calls = with_scales(paddle.jit.to_static(of_the_world), range(20))
    (found,) = told(call, *calls)
    assert found[0].startswith("of_the_world has been staged 9 times, since what it reads from outside differs")


def test_m_05_eight_kinds_of_arguments_are_no_news():
    assert told(paddle.jit.to_static(times), *[(ONE, n) for n in range(8)] * 3) == []


def unrolled(x, items):
    kept = []
    for item in items:
        kept.append(x + item)
    return kept[-1]


def nested(x, items):
    for _ in items[:40]:
        for item in items[:40]:
            x = x + item
    return x


def nothing_recorded(x, items):
    kept = []
    for item in items:
        kept.append(item)
    return x + len(kept)


@pytest.mark.by_turns
def test_m_05_a_loop_that_is_unrolled_at_length_is_told():
    for function, line in ((unrolled, 2), (nested, 2)):
        (found,) = told(paddle.jit.to_static(function), (ONE, [1] * 1000))
        assert re.search("this loop has been unrolled: (1000|2000) of its turns", found[0])
        assert found[1] == function.__code__.co_firstlineno + line
    assert told(paddle.jit.to_static(unrolled), (ONE, [1] * 999)) == []
    assert told(paddle.jit.to_static(nothing_recorded), (ONE, [1] * 2000)) == []
    assert told(paddle.jit.to_static(unrolled), (ONE, range(30_000))) == []  # it is staged


def in_a_comprehension(x, items):
    return sum([x + item for item in items])


def in_a_built_in(x, items):
    return sum(map(lambda item: x + item, items))


def short_ones(x, items):
    first = sum([x + item for item in items[:700]])
    second = sum([x + item for item in items[:700]])
    return first + second


@pytest.mark.by_turns
def test_m_05_a_comprehension_and_a_built_in_are_told_at_the_users_line():
    for function in (in_a_comprehension, in_a_built_in):
        (found,) = told(paddle.jit.to_static(function), (ONE, [1] * 1000))
        assert "1000 of its turns" in found[0] and found[1] == function.__code__.co_firstlineno + 1
    assert told(paddle.jit.to_static(short_ones), (ONE, [1] * 700)) == []
