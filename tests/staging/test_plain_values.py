"""Ordinary Python values in rewritten code: unpackings, comprehensions and classes as in plain Python, to the exception."""

from __future__ import annotations

import itertools
import weakref

import pytest

import dy2st

from .ordinary import answer_of, assert_as_in_python, rewritten


class Owner:
    pass


class Masked:
    __class__ = property(lambda self: Owner)


OWNER = Owner()
PROXY = weakref.proxy(OWNER)


def the_class_that_an_object_says():
    return PROXY.__class__ is Owner, type(PROXY) is Owner, Masked().__class__ is Owner, [].__class__


def stop_iteration_in_a_list_comprehension():
    return [next(iter([])) for _ in range(2)]


def stop_iteration_in_a_nested_comprehension():
    return {next(iter([])): j for i in range(2) for j in range(i + 1)}


def unhashable_items():
    return {[] for _ in range(1)}


def comprehensions_of_every_kind():
    pairs = [("a", 1), ("b", 2)]
    return [0 for _ in pairs], {k: v for k, v in pairs if v > 1}, {v for _, v in pairs}, list(x for x, *_ in pairs if x)


def nested_targets():
    a, (b, *c), [d] = 1, [2, 3, 4], "d"
    (e, f), *g = [(5, 6), 7]
    for h, (i, j) in [(8, (9, 10))]:
        pass
    return a, b, c, d, e, f, g, h, i, j


def too_many_items():
    items = "abc"
    a, b = items
    return a


def too_few_items():
    items = [1]
    a, b, *c = items
    return a


AS_IN_PYTHON = [
    the_class_that_an_object_says, stop_iteration_in_a_list_comprehension, stop_iteration_in_a_nested_comprehension,
    unhashable_items, comprehensions_of_every_kind, nested_targets, too_many_items, too_few_items,
]  # fmt: skip


@pytest.mark.parametrize("case", AS_IN_PYTHON, ids=lambda case: case.__name__)
def test_plain_values_are_as_in_plain_python(case):
    assert_as_in_python(case)


def endless_items():
    numbers = itertools.count()
    try:
        a, b = numbers
    except ValueError as error:
        return str(error), next(numbers)


def a_generator_expression_asks_at_once():
    try:
        later = (x for x in 5)
    except TypeError as error:
        return str(error)
    return later


@pytest.mark.parametrize("case", [endless_items, a_generator_expression_asks_at_once], ids=lambda case: case.__name__)
def test_an_iterator_is_asked_when_python_asks_it(case):
    assert answer_of(rewritten(case)) == answer_of(case)


def test_a_loop_over_a_list_that_grows_ends_where_pythons_does():
    def growing():
        items, met = [1, 2], []
        for item in items:
            met.append(item)
            if len(items) < 5:
                items.append(item * 10)
        return met

    assert rewritten(growing)() == growing() == dy2st.jit.to_static(growing)()
