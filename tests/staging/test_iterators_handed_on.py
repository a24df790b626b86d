"""An iterator that is handed to code which isn't converted gives its items when that asks for them, as in plain Python."""

from __future__ import annotations

import csv
import heapq
import io
import string
import unittest
from collections.abc import Generator, Iterator

import pytest

import dy2st as paddle

CASE = unittest.TestCase()


def failing(n):
    yield 1
    if n < 5:
        raise ValueError(f"{n}")
    yield 2


def raising_when_it_is_asked():
    CASE.assertRaises(ValueError, list, failing(1))
    asked = failing(2)
    first = next(asked)
    CASE.assertRaises(ValueError, next, asked)
    return first


def never_asked():
    said = []

    def noted():
        said.append(1)
        yield 1
        said.append(2)

    CASE.assertTrue(all(x) for x in [1])
    CASE.assertTrue(noted())
    before = list(said)
    CASE.assertEqual(heapq.nsmallest(1, noted()), [1])
    return before, said


def some_items_left():
    numbers, pairs, words, squares = iter([1, 2, 3]), enumerate("abc"), map(str, range(3)), (x * x for x in range(3))
    CASE.assertEqual(next(numbers), 1)
    CASE.assertIn(2, numbers)
    CASE.assertEqual(next(pairs), (0, "a"))
    CASE.assertTrue(words)
    CASE.assertIsNotNone(squares)
    return list(numbers), list(pairs), list(words), list(squares)


def inside_others():
    rows = io.StringIO()
    csv.writer(rows).writerows(map(lambda row: (cell * 2 for cell in row), [[1, 2], [3]]))
    return rows.getvalue(), string.capwords(" ".join(map(str, failing(9))))


def asked_what_they_are():
    for items in (iter([1]), iter(()), iter({1: 2}), reversed([1]), zip([1]), map(str, [1]), enumerate([1]), iter(range(2))):
        CASE.assertIsInstance(items, Iterator)
        CASE.assertNotIsInstance(items, Generator)
    CASE.assertIsInstance(failing(9), Generator)
    CASE.assertIsInstance((x for x in [1]), Generator)


FUNCTIONS = [raising_when_it_is_asked, never_asked, some_items_left, inside_others, asked_what_they_are]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_in_plain_python(function):
    assert paddle.jit.to_static(function)() == function()
