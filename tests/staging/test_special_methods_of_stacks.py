"""Special methods that ask a list which only the Program knows: converted where converted code calls them, else refused."""

from __future__ import annotations

import operator

import pytest

from .agreement import assert_agrees, functions_of


class Stack:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __reversed__(self):
        return reversed(self.items)

    def __contains__(self, value):
        return value in self.items

    def __format__(self, spec):
        return f"{len(self.items)} {spec}"

    def __neg__(self):
        return len(self.items)

    def __matmul__(self, other):
        return len(self.items) * len(other.items)

    def __int__(self):
        return len(self.items)

    def __index__(self):
        return len(self.items)

    def __lt__(self, other):
        return bool(self.items[1:]) < bool(other.items[1:])

    @property
    def height(self):
        return len(self.items)


def made(n):
    stack = Stack()
    stack.items.append(1)
    if n > 1:
        stack.items.append(5)
    return stack


def collected(x, n):
    return list(made(n)), tuple(made(n)), [v for v in made(n)], sum(made(n)), max(made(n))


def gone_through(x, n):
    return list(enumerate(made(n))), list(zip(made(n), range(9))), list(reversed(made(n))), any(made(n)), all(made(n))


def asked(x, n):
    return len(made(n)), 5 in made(n), made(n).height, f"{made(n):high}", "{:wide}".format(made(n)), bool(made(n))


def negated(x, n):
    return -made(n)


def multiplied(x, n):
    return made(n) @ made(n)


def as_a_number(x, n):
    return int(made(n))


def as_an_index(x, n):
    return [1, 2, 3][made(n)]


def as_a_bound(x, n):
    return list(range(made(n)))


def ordered(x, n):
    return sorted([made(n), made(n - 1)])[0].height


def by_a_getter(x, n):
    return operator.attrgetter("height")(made(n))


def by_a_caller(x, n):
    return operator.methodcaller("__len__")(made(n))


CASES = functions_of(globals())


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees(function):
    assert_agrees(function)
