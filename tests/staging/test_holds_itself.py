"""Containers and objects that hold themselves: their text, and what comparing them raises."""

from __future__ import annotations

import dataclasses
from collections import Counter, OrderedDict, defaultdict, deque

import pytest

import dy2st as paddle

from .agreement import assert_agrees


class Row(list):
    pass


class Table(dict):
    pass


class Node:
    def __init__(self, value):
        self.value, self.next = value, [self]

    def __repr__(self):
        return f"Node({self.value}, {self.next})"


@dataclasses.dataclass
class Field:
    value: object
    inner: object = None


def in_list(v):
    made = [v]
    made.append(made)
    return made


def in_row(v):
    made = Row([v])
    made.append(made)
    return made


def in_deque(v):
    made = deque([v], 3)
    made.append((made,))
    return made


def in_tuple(v):
    inside = [v]
    made = (inside, 1)
    inside.append(made)
    return made


def in_mapping(cls):
    def make(v):
        made = cls()
        made["v"] = v
        made["self"] = made
        return made

    make.__name__ = cls.__name__
    return make


def in_values(v):
    made = {1: v}
    made["values"] = made.values()
    return made


def in_defaultdict(v):
    made = defaultdict(int, v=v)
    made["self"] = [made]
    return made


def in_field(v):
    made = Field(v)
    made.inner = [made]
    return made


ORDERED = [in_list, in_row, in_deque, in_tuple]
OTHERS = [*map(in_mapping, [dict, OrderedDict, Table]), in_defaultdict, in_field]
MAKERS = [*ORDERED, *OTHERS, in_values, Node]
COMPARED = [*ORDERED, *OTHERS, in_mapping(Counter)]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_text(make):
    def text(x, n):
        made = make(int(n))
        return repr(made), str([made]), f"{made} {n}", "%s" % (made,)

    assert_agrees(text)


def outcome(operation, a, b):
    try:
        return operation(a, b)
    except RecursionError:
        return "too deep"


@pytest.mark.parametrize("make", COMPARED, ids=lambda make: make.__name__)
def test_equality(make):
    def compared():
        a, b = make(1), make(1)
        return [outcome(f, a, b) for f in (lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a == a, lambda a, b: a in [b])]

    assert paddle.jit.to_static(compared)() == compared()


@pytest.mark.parametrize("make", ORDERED, ids=lambda make: make.__name__)
def test_order(make):
    def compared():
        a, b = make(1), make(1)
        return [outcome(f, a, b) for f in (lambda a, b: a < b, lambda a, b: a >= b, lambda a, b: a < make(2))]

    assert paddle.jit.to_static(compared)() == compared()


def test_the_error_leaves_the_function():
    @paddle.jit.to_static
    def compared(x):
        a, b = in_list(1), in_list(1)
        return x + 1 if a == b else x

    with pytest.raises(RecursionError, match="maximum recursion depth exceeded in comparison"):
        compared(paddle.ones([2]))


class Careful:
    """Its own equality knows how to end."""

    def __init__(self):
        self.held, self.asked = [self], 0

    def __eq__(self, other):
        self.asked += 1
        return self.asked > 3 or self.held == [other]


def test_an_equality_that_ends_by_itself():
    def compared():
        a, b = Careful(), Careful()
        return [a] == [b], a.asked, b.asked

    assert paddle.jit.to_static(compared)() == compared()
