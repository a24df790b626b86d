"""Loops start from what their bodies surely rebind: nests are staged in time proportional to their size, and mean the same."""

from __future__ import annotations

import pytest

from dy2st import jit

from .agreement import NUMBER, VECTOR, functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes

PRICES = (2, 3, 5, 7, 11, 13, 17, 19)


def counters_in_a_nest(x, n):
    i = 0
    while i < n:
        j = 0
        while j < n:
            k = 0
            while k < n:
                x = x - 1
                k += 1
            j += 1
        i += 1
    return x, i


def reset_after_the_inner_loop(x, n):
    c = i = 0
    while i < n:
        while c < n:
            c += 1
        x = x + PRICES[c] + c
        c = 0
        i = i + 1
    return x, c, i


def reset_before_the_step(x, n):
    c, i = 6, 0
    while i < n:
        c = 5
        c += 1
        x = x * PRICES[c - 6]
        i += 1
    return x, c


def inner_loop_of_no_turns(x, n):
    c = i = 0
    while i < n:
        for _ in range(0):
            c += 1
        x = x + PRICES[c]
        i += 1
    return x, c


def stepped_on_one_path(x, n):
    c = i = 0
    while i < n:
        if x.sum() > 0:
            c += 1
        i += 1
        x = x - c
    return x, c, i


def step_after_a_continue(x, n):
    i = c = 0
    while i < n:
        i += 1
        if i == 2:
            continue
        c += 1
    return x * c, i


def other_kinds(x, n):
    i, b, f, t = 0, False, 0.5, x
    while i < n:
        i += 1
        b = b + 1
        f += 1
        t = t * 2 + i
    return t, b, f


def inner_loop_widens(x, n):
    total = 0
    for i in range(n):
        for j in range(i):
            total = total + 1
            total = total * 0.5
    return x, total


def inner_loop_then_another(x, n):
    c = 0
    for i in range(n):
        for j in range(n):
            c += 1
        for j in range(n):
            c += 2
    return x + c


def left_in_the_middle(x, n):
    c = 0
    while True:
        for j in range(n):
            c += 1
        x = x + 1
        if c > 5 or x.sum() > 20:
            return x, c


def body_that_raises(x, n):
    c = 0
    while c < n:
        c += 1
        raise ValueError(f"turn {c}")
    return x


def closure_counts(x, n):
    c = 0

    def add():
        nonlocal c
        c += 1

    for i in range(n):
        for j in range(i):
            add()
        x = x + c
    return x, c


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


@pytest.mark.parametrize("function, counts", [
    (counters_in_a_nest, [1, 2, 2]),  # the innermost loop tells the others about `x`
    (reset_before_the_step, [1]),
    (step_after_a_continue, [2]),  # `c` is stepped on one path: it is found out
])
def test_bodies_are_staged_as_often_as_something_is_found_out(function, counts):
    static = jit.to_static(function, input_spec=[VECTOR, NUMBER])
    assert sorted(static.concrete_program.staged.stagings.values()) == counts
