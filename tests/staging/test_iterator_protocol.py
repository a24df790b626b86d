"""Iterators are what Python's are: their classes, `__next__`, their end, what they say of a changed dict (S-13, S-15)."""

from __future__ import annotations

import collections
import collections.abc
import heapq
import itertools
import types
import unittest

import pytest

import dy2st as paddle

from .agreement import assert_agrees, functions_of


def counted(n):
    for i in range(n):
        yield i


def s_13_classes(x, n):
    made = [
        zip([1]), map(str, [1]), enumerate([1]), filter(None, [1]), counted(2), (i for i in [1]), iter([1]), iter((1,)),
        iter("a"), iter({1: 2}), iter({1: 2}.items()), iter({1}), iter(range(2)), reversed((1,)), iter(int, 0), itertools.count(),
        itertools.repeat(1, 2), itertools.cycle([1]), itertools.chain([1], counted(1)), itertools.islice(counted(3), 2),
    ]  # fmt: skip
    kinds = (collections.abc.Iterator, types.GeneratorType, zip, map, itertools.chain)
    return [(type(it).__name__, *(isinstance(it, kind) for kind in kinds)) for it in made]


def s_13_next_method(x, n):
    made = iter([n, 2]), zip([n], [3]), enumerate([n]), counted(n + 1), map(abs, [n])
    steps = [it.__next__ for it in made]
    return [step() for step in steps]


def s_13_length_hint(x, n):
    numbers = iter([1, 2, 3])
    return next(numbers), numbers.__length_hint__()


def s_13_merged(x, n):
    return list(heapq.merge([1, 3], [2, 4]))


def s_15_key_removed(x, n):
    table = {1: 2, 3: 4}
    keys, found = iter(table), []
    found.append(next(keys))
    del table[3]
    try:
        found.append(next(keys))
    except RuntimeError as error:
        found.append(str(error))
    return found


def s_15_entry_removed_on_one_path(x, n):
    table = {1: 2, 3: 4}
    entries, found = iter(table.items()), 0
    found += next(entries)[1]
    if n > 0:
        del table[3]
    try:
        found += next(entries)[1]
    except RuntimeError:
        found = -found
    return found


def ended_for_good(x, n):
    items = [n]
    numbers = iter(items)
    first = list(numbers)
    items.append(2)
    return first, list(numbers), next(numbers, -1)


def ended_on_one_path(x, n):
    items, found = [1, 2], 0
    numbers = iter(items)
    for _ in range(n):
        found += next(numbers, 10)
    items.append(5)
    return found, next(numbers, -1)


def of_what_goes_on_growing(x, n):
    items = collections.UserList([1, 2])
    first, second = iter(items), iter(items)
    found = [next(second) for _ in first]
    items.append(n)
    return found, list(first), list(second)


def given_to_a_function_of_the_library(x, n):
    items = iter([n])
    next(items)
    unittest.TestCase().assertRaises(StopIteration, next, items)
    return collections.OrderedDict(self=n)["self"], collections.Counter(iter("aab"))["a"]


def called_until_a_value(x, n):
    left = [1, 2, n, 4, 5]
    return list(iter(left.pop, n)), left


def called_until_it_ends(x, n):
    numbers = iter([1, 2])
    return list(iter(lambda: next(numbers), 10)), [*iter(lambda: 3, 3)]


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_iterators(function):
    assert_agrees(function)


@pytest.mark.parametrize("strict", [False, True])
def test_zip_of_a_generator_is_asked_one_by_one(strict):
    def function():
        return next(zip(counted(2), [1, 2], strict=strict))

    assert paddle.jit.to_static(function)()[0] == 0


@pytest.mark.parametrize("function, words", [
    (lambda: next((lambda: (yield))()), "a lambda with a yield can't be converted: write it as a function"),
    (lambda: setattr(counted, "__defaults__", (2,)), "counted.__defaults__ = ... changes a class or function from outside"),
])
def test_refused_in_words(function, words):
    with pytest.raises(paddle.errors.ConversionError, match=words):
        paddle.jit.to_static(function)()


class Letters:
    """An iterator of the user's own."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at >= len(self.text):
            raise StopIteration
        self.at += 1
        return self.text[self.at - 1]


def test_s1_zip_asks_an_iterator_of_the_users_for_as_many_items_as_it_needs():
    def asked(x):
        letters, others = Letters("abcdef"), Letters("xyz")
        pairs = list(zip(range(2), letters))
        first = [(k, letter) for k, letter in zip(range(0, -1, -1), letters)]
        return x, pairs, first, next(letters), list(letters), list(zip(others, others)), list(enumerate(Letters("ab")))

    x = paddle.to_tensor([1.0])
    assert paddle.jit.to_static(asked)(x)[1:] == asked(x)[1:]
