"""Decorators of functions and classes that the function makes: converted as any other function that it calls."""

from __future__ import annotations

import contextlib
import dataclasses
import functools

import pytest

from .agreement import assert_agrees, functions_of


def remembering(size):
    """A cache as `functools` writes it: what it keeps are closure variables, and a list that holds itself."""

    def decorating(function):
        kept, hits, root = {}, 0, []
        root[:] = [root, root, None]

        def wrapper(*args):
            nonlocal hits, root
            if args in kept:
                hits += 1
                return kept[args]
            kept[args] = found = function(*args)
            root[2] = args
            if len(kept) > size:
                del kept[next(iter(kept))]
            return found

        wrapper.hits = lambda: hits
        return functools.update_wrapper(wrapper, function)

    return decorating


def scaled(by):
    return lambda function: lambda *args: function(*args) * by


def tagged(cls):
    cls.tag = cls.__name__ + "!"
    return cls


def kept_by_arguments(x, n):
    @remembering(2)
    def double(k):
        return k * 2

    return [double(1), double(2), double(1), double(3), double(1)], double.hits(), double.__name__


def one_inside_the_other(x, n):
    @scaled(x)
    @scaled(n)
    def add(a, b):
        return a + b

    return add(1, n)


def decorated_on_one_path(x, n):
    total = 0
    if n > 1:

        @scaled(3)
        def twice(k):
            return 2 * k

        total = twice(n)
    return total


def decorated_in_a_loop(x, n):
    total = 0
    for i in range(n):

        @scaled(i)
        def grown(k):
            return k + n

        total += grown(i)
    return total


def of_a_class(x, n):
    @tagged
    @dataclasses.dataclass
    class Point:
        a: int
        b: int = 2

        @property
        def both(self):
            return self.a + self.b

    return Point(n).both, Point.tag


@functools.singledispatch
def spelled(value):
    return "other"


class Entered:
    def __enter__(self):
        return self


def told_as_python_does(x, n):
    found = []
    try:
        spelled()
    except TypeError as error:
        found.append(str(error))
    try:
        with Entered():
            found.append(n)
    except TypeError as error:
        found.append(str(error))
    return found


def of_the_library(x, n):
    seen = []

    @contextlib.contextmanager
    def noted(k):
        seen.append(k)
        yield k + 1
        seen.append(-k)

    @functools.wraps(tagged)
    def named(k):
        return k

    with noted(n) as k:
        seen.append(k)
    return seen, named.__name__, named(3)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_decorators(function):
    assert_agrees(function)
