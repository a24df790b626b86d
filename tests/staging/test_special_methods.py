"""Classes of the user's with `__len__`, `__getitem__`, `__iter__`, `__bool__`, `__add__` ..."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Seq:
    """A user's container."""

    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, v):
        return v in self.items

    def __bool__(self):
        return len(self.items) > 1

    def __add__(self, other):
        return Seq(self.items + other.items)

    def __eq__(self, other):
        return self.items == other.items

    def __lt__(self, other):
        return len(self.items) < len(other.items)


def user_container(x, n):
    s = Seq([1, 2, n])
    t = 0
    for v in s:
        t = t + v
    return len(s), s[0], t, n in s, (1 if s else 0), len(s + s), s == s, s < s


def user_container_staged(x, n):
    items = [1]
    for i in range(n):
        items.append(i)
    s = Seq(items)
    return len(s), s[-1], 2 in s, (1 if s else 0)


class Vec:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, o):
        return Vec(self.a + o.a, self.b + o.b)

    def __mul__(self, k):
        return Vec(self.a * k, self.b * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.a, -self.b)


def operators_of_user(x, n):
    v = Vec(x, n)
    if n > 1:
        v = v + Vec(x, 1) * 2
    w = -(2 * v)
    return v.a, v.b, w.a, w.b


def operators_in_loop(x, n):
    v = Vec(x, 0)
    for i in range(n):
        v = v + Vec(x, i)
    return v.a, v.b


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
