"""`itertools.count`, `cycle` and `repeat`, in loops that end when the Program says so."""

from __future__ import annotations

import itertools
import time

import pytest

from .agreement import as_programs, assert_agrees, functions_of


def count_until(x, n):
    total = 0
    for i in itertools.count():
        if i >= n:
            break
        total = total + i
    return total


def cycle_until(x, n):
    total, seen = 0, []
    for i in itertools.cycle([1, 2, 3]):
        total = total + i
        seen.append(i)
        if total > n:
            break
    return total, seen


def repeat_until(x, n):
    total = 0
    for i in itertools.repeat(2):
        total = total + i
        if total > n:
            break
    return total


def repeat_as_often_as_the_input_says(x, n):
    total = 0
    for _ in itertools.repeat(None, int(n)):
        total += 2
    return total


def count_from_the_input(x, n):
    total = x.sum() * x.sum()
    for i in itertools.count(n, 2):
        total = total + i
        if total > 90:
            return total, i


def count_in_floats(x, n):
    for i in itertools.count(0.5, 0.1):
        if i > n:
            return i


def zipped_with_what_ends(x, n):
    total, last = x.sum(), ""
    for k, letter in zip(range(10), itertools.cycle("ab")):
        total, last = total + k, letter
        if total > n:
            break
    return total, last


def zipped_with_rows(x, n):
    return [(i, row) for i, row in zip(itertools.count(1), x)]


def enumerated(x, n):
    total = x.sum() * x.sum() * 0
    for i, row in enumerate(itertools.cycle([x, x * 2])):
        total = total + (row * row).sum()
        if total > n * 10:
            break
    return total, i


def one_by_one(x, n):
    odd, total = itertools.count(3, 2), 0
    while True:
        total = total + next(odd)
        if total > n:
            break
    return total, next(odd)


def numbers_given_out(x, n):
    numbers, table = itertools.count(), {}
    for k in range(n):
        table[k] = next(numbers)
    return table, next(numbers)


def cycle_of_as_many_as_the_input_says(x, n):
    total = x.sum() * 0
    for i in itertools.cycle([k for k in range(n)]):
        total = total + i + 1
        if total > 5:
            break
    return total


def as_long_as(x, n):
    return sum(itertools.takewhile(lambda v: v < n, itertools.count()))


def where_python_decides(x, n):
    seen = []
    for i in itertools.count(10, -3):
        if i < 0:
            break
        seen.append(i)
    letters = itertools.cycle("ab")
    return (seen, next(letters), next(letters), next(letters), list(itertools.islice(itertools.count(), 3)),
            list(zip("abc", itertools.repeat(4))), list(itertools.repeat(1, 3)), list(map(pow, [1, 2], itertools.repeat(2))))


CASES = functions_of(globals())


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees(function):
    assert_agrees(function)


def test_it_is_a_loop_of_the_program_at_once():
    start = time.process_time()
    static, _ = as_programs(count_until)
    assert "while" in str(static.concrete_program.program)
    assert time.process_time() - start < 5
