"""Loops that begin in Python and go on staged; break, continue, return and else in every nesting."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def while_python_then_staged(x, n):
    i = 0
    while i < 3:
        i += 1
        if i < n:
            continue
        x = x * 2
    return x, i


def for_python_with_staged_break(x, n):
    for i in range(10):
        if i == n:
            break
        x = x + i
    return x, i


def for_python_items_staged_continue(x, n):
    out = []
    for k in ("a", "b", "c"):
        if len(k) + len(out) > n:
            continue
        out.append(k)
    return out


def while_true_staged_return(x, n):
    i = 0
    while True:
        if i >= n:
            return i, x
        i += 1
        x = x + 1


def loop_else_paths(x, n):
    for i in range(n):
        if i == 2:
            r = "found"
            break
    else:
        r = "none"
    return r


def while_else(x, n):
    i = 0
    while i < n:
        i += 1
        if i == 3:
            break
    else:
        i = -i
    return i


def nested_break_continue(x, n):
    s = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            if (i + j) % 2:
                continue
            s += i * 10 + j
        else:
            s += 1000
    return s


def return_from_nested_loops(x, n):
    for i in range(n):
        for j in range(n):
            if i * j == 2:
                return i, j
    return None


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
