"""Loops that count give what plain Python gives, whatever becomes of the counter."""

from __future__ import annotations

import sys
import traceback

import pytest

from dy2st import jit


def squares(n: int) -> list[int]:
    found: list[int] = []
    for i in range(n):
        found.append(i * i)
    return found


def where_it_ended(n: int) -> int:
    i = 0
    while i < n:
        i = i + 1
    return i


def next_one_is_used(n: int) -> list[int]:
    found: list[int] = []
    i = 2
    while i < n:
        i = i + 1
        found.append(i)
    return found


def in_pairs(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(i, n - 1):
            total = total * 3 + i - j
    return total


def counts_twice(n: int) -> int:
    i = 0
    total = 0
    while i < n:
        i = i + 1
        if i % 3 == 0:
            i = i + 1
        total += i
    return total


def swaps(n: int) -> list[int]:
    before = 0
    here = 1
    for _ in range(n):
        before, here = here, before + here
    return [before, here]


def runs_over(n: int) -> int:
    numbers = [5, 6, 7]
    total = 0
    for i in range(n):
        total += numbers[i + 1]
    return total


@pytest.mark.parametrize("function", [squares, where_it_ended, next_one_is_used, in_pairs, counts_twice, swaps])
def test_agrees_with_plain_python(function):
    scripted = jit.script(function)
    for n in (-3, 0, 1, 2, 3, 7, 40):
        assert scripted(n) == function(n)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 keeps the traceback that a bare raise brings back")
def test_a_failure_inside_is_told_with_the_line_it_happened_on():
    scripted = jit.script(runs_over)
    assert scripted(2) == runs_over(2)
    with pytest.raises(IndexError) as told:
        scripted(3)
    entries = traceback.format_exception(told.value)
    line = runs_over.__code__.co_firstlineno + 4
    assert any(f"test_counting.py:{line}" in text or f"line {line}" in text for text in entries), entries
    assert not any("dy2st/runtime" in text for text in entries)


def many_before_any_is_used(n: int) -> int:
    a = n * 2
    b = n * 3
    c = n * 5
    d = n * 7
    e = n * 11
    f = n * 13
    g = n * 17
    return (((a - g) * b - f) * c - e) * d


def neighbours(n: int) -> list[int]:
    numbers = [3, 1, 2, n, -n, 7, 5]
    for i in range(len(numbers) - 1):
        if numbers[i] > numbers[i + 1]:
            numbers[i], numbers[i + 1] = numbers[i + 1] - numbers[i] * 2, numbers[i]
        numbers[i] = numbers[i + 1] % 5 - numbers[i] // 3
    return numbers


def long_sum(n: int) -> int:
    total = n * 1 + n * 2 + n * 3 + n * 4 + n * 5 + n * 6 + n * 7 + n * 8 + n * 9 + n * 10 + n * 11 + n * 12 + n * 13
    return total * (n + 1) - (n - 2) * (n + 3) - (total - (n - (total - (n - (total - 3)))))


@pytest.mark.parametrize("function", [many_before_any_is_used, neighbours, long_sum])
def test_nested_expressions_agree_with_plain_python(function):
    scripted = jit.script(function)
    for n in (-3, 0, 1, 2, 9):
        assert scripted(n) == function(n)
