"""Conditional expressions, `and`, `or`, `not`, comparison chains and `:=`, with their effects."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def ternary_nested(x, n):
    return 1 if n > 2 else 2 if n > 1 else 3.5 if n > 0 else None


def ternary_with_effects(x, n):
    log = []

    def note(v):
        log.append(v)
        return v

    y = note(1) if n > 1 else note(2)
    return y, log


def and_or_effects(x, n):
    log = []

    def note(v):
        log.append(v)
        return v

    a = note(n > 1) and note(x.sum() > 0)
    b = note(n > 2) or note(n > 0)
    return a, b, log


def and_or_operands(x, n):
    return (n and "some"), (n or "none"), (n > 1 and [x]), (None or n), (x.sum() > 0 or None)


def not_operands(x, n):
    return not n, not x.sum(), not (n and 1), not None


def chained(x, n):
    log = []

    def note(v):
        log.append(v)
        return v

    a = note(0) < note(n) < note(3)
    return a, log, 0 < n <= 2 != 5


def chained_in_if(x, n):
    if 0 < n < 3 and x.sum() > 0:
        return 1
    if not 1 <= n or x.sum() < 0:
        return 2
    return 3


def walrus_condition(x, n):
    if (y := n * 2) > 3:
        return y
    return y + 100


def walrus_in_and(x, n):
    if n > 0 and (m := n - 1) > 0:
        return m
    return -1


def walrus_loop(x, n):
    s = 0
    while (s := s + 2) < n * 3:
        x = x + s
    return x, s


def is_none_chain(x, n):
    y = None
    if n > 1:
        y = x
    return y is None, y is not None, (y if y is not None else x * 0)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
