"""`zip(..., strict=True)` of lists, generators and iterators, where Python or a tensor decides how many items each has."""

from __future__ import annotations

from itertools import product

import pytest
from support.sampling import sampled

from .agreement import assert_agrees


def counted(n):
    for i in range(n):
        yield i + 10


class Counted:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        yield from counted(self.n)


MAKERS = {
    "list": lambda n: [i + 10 for i in range(n)],
    "expression": lambda n: (i + 10 for i in range(n)),
    "generator": counted,
    "object": Counted,
    "iterator": lambda n: iter([i + 10 for i in range(n)]),
}


LENGTHS = [(2, 2), (1, 2), (2, 1), (0, 0), (0, 1)]


@pytest.mark.long
@pytest.mark.parametrize(("first", "second", "lengths"), sampled(product(MAKERS, MAKERS, LENGTHS), 9))
def test_lengths_that_python_knows(first, second, lengths):
    first, second = MAKERS[first], MAKERS[second]
    p, q = lengths

    def function(x, n):
        try:
            return [x * a + b for a, b in zip(first(p), second(q), strict=True)]
        except ValueError as error:
            return str(error)

    assert_agrees(function)


@pytest.mark.long
@pytest.mark.parametrize(("first", "second"), sampled(product(MAKERS, MAKERS), 8))
def test_lengths_that_a_tensor_decides(first, second):
    first, second = MAKERS[first], MAKERS[second]

    def function(x, n):
        for a, b in zip(first(2), second(int(n)), strict=True):
            x = x * a + b
        return x

    assert_agrees(function)
