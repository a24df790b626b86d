"""Iterators of Python's that are kept in a name, and consumed in part, on one path, or in a loop."""

from __future__ import annotations

import pytest

from .agreement import assert_agrees, functions_of


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


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    assert_agrees(function)
