"""Iterators of Python's that are kept in a name, and consumed where a Program can't tell how far: refused in words."""

from __future__ import annotations

import re

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import NUMBER, VECTOR, assert_agrees, functions_of


def made_where_it_is_used(x, n):
    found = []
    for i in range(n):
        for a, b in zip([1, 2], [3, 4]):
            if a > i:
                break
            found.append(a * b)
        found.extend(enumerate(reversed([i, 5])) if i > 1 else zip([i], [i]))
    return found


def goes_on_after_a_loop(x, n):
    pairs, total = zip([1, 2, 3], [4, 5, 6]), x * 0
    for a, b in pairs:
        if a == 2:
            break
    for a, b in pairs:
        total = total + a * b
    return total


def advanced_on_one_path(x, n):
    items, first = iter(zip([1, 2], [3, 4])), (0, 0)
    if n > 1:
        first = next(items)
    return first, list(items)


CASES = functions_of(globals())


def consumed_on_one_path(x, n):
    pairs, found = zip([1, 2], [3, 4]), []
    if n > 1:
        found = list(pairs)
    return found, list(pairs)


def looped_over_on_one_path(x, n):
    items, total = enumerate([1, 2]), 0
    if n > 1:
        for i, item in items:
            total += i * item
    return total, list(items)


def consumed_in_a_loop(x, n):
    items, total = reversed([1, 2]), 0
    for _ in range(n):
        for item in items:
            total += item
    return total


def left_in_a_place_known_at_run_time(x, n):
    pairs = zip([1, 2, 3], [4, 5, 6])
    for a, _ in pairs:
        if a > n:
            break
    return [a for a, _ in pairs]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    assert_agrees(function)


@pytest.mark.parametrize(
    "function",
    [consumed_on_one_path, looped_over_on_one_path, consumed_in_a_loop, left_in_a_place_known_at_run_time],
    ids=lambda f: f.__name__,
)
def test_refused_at_the_line(function):
    with pytest.raises(ConversionError, match=re.escape(f"{__file__}:") + r"\d+: how far this iterator .* make a list of it"):
        paddle.jit.to_static(function, input_spec=[VECTOR, NUMBER]).concrete_program
