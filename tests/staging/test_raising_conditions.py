"""The condition of a `while` that raises whatever the inputs are: its exception is Python's, and the loop isn't staged for it."""

from __future__ import annotations

import random

import pytest

import dy2st as paddle

X = paddle.to_tensor([1.0, 2.0])
BLANKS = frozenset(" \t")


def skipped(text, position):
    try:
        while text[position] in BLANKS:
            position += 1
    except IndexError:
        return -position
    return position


def words(x, text):
    found, position = [], 0
    while (position := skipped(text, position)) >= 0 and position < len(text):
        found.append((position, text[position]))
        position += 1
    if x.sum() > 0:
        x = x * len(found)
    return x, found, position


@pytest.mark.parametrize("text", ["", "   ", "a b   ", "  ab", " a\tb c "])
def test_a_parser_that_runs_over_the_end(text):
    x, *found = paddle.jit.to_static(words)(X, text)
    plain, *expected = words(X, text)
    assert x.tolist() == plain.tolist() and found == expected


class Source:
    def __init__(self, items):
        self.items, self.asked = items, 0

    def next(self):
        self.asked += 1
        random.random()
        return self.items[self.asked]


def drained(source):
    taken = []
    try:
        while item := source.next():
            taken.append(item)
    except IndexError as error:
        taken.append(str(error))
    else:
        taken.append("else")
    return taken, source.asked


def test_the_exception_leaves_the_function():
    def unguarded(x, xs):
        n = 0
        while xs[n]:
            n, x = n + 1, x + 1
        return x

    with pytest.raises(IndexError, match="list index out of range"):
        paddle.jit.to_static(unguarded)(X, [1, 1])
