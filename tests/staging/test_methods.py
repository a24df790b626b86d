"""Callable objects, static and class methods, properties, super(), inheritance."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dy2st as paddle

from .agreement import VECTOR, functions_of, plain
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Adder:
    """A callable object with state."""

    bias = 1

    def __init__(self, k):
        self.k = k
        self.calls = 0

    def __call__(self, v):
        self.calls += 1
        if v.sum() > 0:
            return v + self.k
        return v - self.k - self.bias

    @property
    def twice(self):
        return self.k * 2

    @twice.setter
    def twice(self, v):
        self.k = v / 2

    @functools.cached_property
    def half(self):
        return self.k / 2

    @staticmethod
    def static(v, n):
        return v if n > 1 else -v

    @classmethod
    def make(cls, k):
        return cls(k + 1)


class Sub(Adder):
    bias = 10

    def __init__(self, k):
        super().__init__(k * 2)
        self.extra = 1

    def __call__(self, v):
        y = super().__call__(v)
        return y + self.extra

    @classmethod
    def make(cls, k):
        made = super().make(k)
        made.extra = 5
        return made


def callable_object(x, n):
    a = Adder(2)
    y = a(x)
    if n > 1:
        y = a(y)
    return y, a.calls


def callable_in_loop(x, n):
    a = Adder(2)
    for i in range(n):
        x = a(x)
    return x, a.calls


def static_and_class_methods(x, n):
    return Adder.static(x, n), Adder.make(1)(x), Adder(1).static(x, n), Sub.make(1)(x)


def properties(x, n):
    a = Adder(4)
    b = a.twice
    if n > 1:
        a.twice = 20
    return b, a.k, a.half, a.twice


def cached_properties(x, n):
    a = Adder(4)
    if n > 1:
        h = a.half
    else:
        h = 0
    return h + a.half


def property_on_staged(x, n):
    a = Adder(n)
    return a.twice, a.half


def inheritance(x, n):
    s = Sub(1)
    y = s(x)
    return y, s.k, isinstance(s, Adder), s.calls


def bound_methods(x, n):
    a = Adder(3)
    f = a.__call__
    g = Adder.__call__
    return f(x), g(a, x), a.calls


class Shape:
    def area(self, x):
        raise NotImplementedError


class Square(Shape):
    def area(self, x):
        return x * x


class Circle(Shape):
    def area(self, x):
        return x * x * 3


def polymorphic(x, n):
    s = x * 0
    for shape in (Square(), Circle()):
        if n > 0:
            s = s + shape.area(x)
    return s


def chosen_object(x, n):
    shape = Square() if n > 1 else Circle()
    return shape.area(x)


class Lazy:
    def __init__(self, x):
        self.x = x

    @property
    def sign(self):
        if self.x.sum() > 0:
            return 1
        return -1

    @functools.cached_property
    def scale(self):
        if self.x.sum() > 0:
            return self.x * 2
        return self.x


def branch_in_a_property(x, n):
    return Lazy(x).sign


def branch_in_a_cached_property(x, n):
    lazy = Lazy(x)
    if n > 1:
        y = lazy.scale
    else:
        y = x
    return y + lazy.scale


def class_of_the_function_itself(x, n):
    class Counter:
        def __init__(self):
            self.seen = [0]
            self.total = 0

        def add(self, v):
            if v > 1:
                self.total += v
            self.seen.append(v)

    counter = Counter()
    for i in range(n):
        counter.add(i)
    return counter.seen, counter.total


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


class Switch(paddle.nn.Layer):
    """Bound methods that are stored: each load makes a new one, but it is the same method."""

    def __init__(self):
        super().__init__()
        self.current, self.table = self.add, {"add": self.add, "scale": self.scale}
        self.name = "add"

    def add(self, x):
        self.current, self.name = self.scale, "scale"
        return x + 1

    def scale(self, x):
        self.current, self.name = self.add, "add"
        return x * 10

    def forward(self, x):
        x = self.table[self.name](x)
        if x.sum() > 0:
            x = self.current(x)
        return x, self.name


def test_bound_methods_as_state():
    eager, static = Switch(), paddle.jit.to_static(Switch(), input_spec=[VECTOR])
    for values in ([1, 2], [-5, 2], [3, 4], [-1, -2], [1, 1]):
        x = paddle.to_tensor(np.array(values, np.float32))
        assert plain(static(x)) == plain(eager(x))
    assert len(static.forward.program_cache) == 1
