"""The functions of the `operator` module on containers and values that are known only when the Program runs."""

from __future__ import annotations

import functools
import operator

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Box:
    def __init__(self, n):
        self.items = [1, 2]
        self.seen = {1, 2}
        if n > 1:
            self.items.append(3)
            self.seen.add(3)


def between_sets(x, n):
    seen, other = Box(n).seen, {2, 3}
    return [sorted(f(other, seen)) for f in (operator.sub, operator.and_, operator.or_, operator.xor)]


def on_lists(x, n):
    items = Box(n).items
    return operator.add(items, [9]), operator.concat([9], items), operator.mul(items, 2), operator.contains(items, 3)


def comparisons(x, n):
    items = Box(n).items
    return operator.eq(items, [1, 2]), operator.lt(items, [1, 2, 9]), operator.is_(items, items), operator.ne(int(n), 2)


def truth(x, n):
    items = Box(n).items
    return operator.truth(items), operator.not_(items), operator.not_(n > 1)


def items_and_attributes(x, n):
    box = Box(n)
    operator.setitem(box.items, 0, int(n))
    operator.delitem(box.items, 1)
    return operator.getitem(box.items, 0), operator.attrgetter("items")(box), operator.itemgetter(0, -1)(box.items)


def methods(x, n):
    return operator.methodcaller("count", 3)(Box(n).items), max([(1, 2), (0, 3)], key=operator.itemgetter(1))


def changed_through_a_getter(x, n):
    box = Box(n)
    items = operator.attrgetter("items")(box)
    if n > 2:
        operator.iadd(items, [n])
    return box.items


def reduced(x, n):
    box = Box(n)
    return functools.reduce(operator.add, [box.items, [9]]), sorted(functools.reduce(operator.or_, [{9}, box.seen]))


def of_tensors(x, n):
    return operator.add(x, 1), operator.mul(n, n), functools.reduce(operator.mul, [x, x, n])


def counted_and_found(x, n):
    items = [*Box(n).items, n, 4]
    found = operator.indexOf(items, 2), operator.indexOf((k for k in range(9)), n)
    return *found, operator.countOf(items, 3), operator.countOf("aba", "a")


def _without_end():
    k = 0
    while True:
        yield k
        k += 1


def found_in_what_has_no_end(x, n):
    return operator.indexOf(_without_end(), n)


def not_found(x, n):
    try:
        return operator.indexOf(Box(n).items, 7)
    except ValueError as error:
        return str(error), n


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
