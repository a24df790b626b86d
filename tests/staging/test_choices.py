"""Functions, classes and strings chosen by a tensor; results whose arity, keys, length or None-ness follow the path."""

from __future__ import annotations

import pytest

import dy2st as paddle

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def function_chosen(x, n):
    f = paddle.tanh if x.sum() > 0 else paddle.abs
    return f(x.astype("float32"))


def class_chosen(x, n):
    class A:
        def run(self, v):
            return v + 1

    class B:
        def run(self, v):
            return v - 1

    c = A if n > 1 else B
    return c().run(x)


def classes_chosen(x, n):
    numbers, cls = (int,), str
    if n > 1:
        numbers, cls = (int, float), int
    return isinstance(2.5, numbers), isinstance(n.item(), (cls, list)), isinstance(x, cls)


def string_chosen(x, n):
    mode = "sum" if n > 1 else "mean"
    if mode == "sum":
        y = x.sum()
    else:
        y = x.max()
    return y, mode, mode + "!", len(mode)


def string_dispatch(x, n):
    mode = "a" if n > 1 else "b"
    table = {"a": lambda v: v + 1, "b": lambda v: v * 2}
    return table[mode](x)


def string_methods(x, n):
    mode = "Relu" if n > 1 else "Tanh"
    return mode.lower(), mode.startswith("R"), mode[0], "e" in mode, mode == "Relu"


def none_by_path(x, n):
    if n > 1:
        return None
    return x


def length_by_path(x, n):
    if n > 2:
        return [x, x]
    if n > 1:
        return [x]
    return []


def keys_by_path(x, n):
    if n > 1:
        return {"a": x}
    return {"b": x, "a": 1}


def kinds_by_path(x, n):
    if n > 2:
        return x
    if n > 1:
        return (x, 1)
    if n > 0:
        return "text"
    return {"a": None}


def falls_off(x, n):
    if n > 1:
        return x


def function_made_at_each_turn(x, n):
    f = abs
    for i in range(n):
        f = str if i > 1 else lambda k: k + 1
    return f(2)


def function_made_in_a_recursion(x, n):
    def count(k):
        def step(j):
            return j - 1

        return 0 if k <= 0 else 1 + count(step(k))

    return count(n.item())


def item_stored_in_and_deleted_from_one_of_several(x, n):
    o, p, q = [1, 2], None, int(n)
    if n > 1:
        o, p, q = {0: 5, 1: 3}, [1, 2, 3], [4]
    del o[0]
    o[0] = 7
    try:
        del p[0]
        q[0] = 3
    except TypeError as error:
        return o, str(error)
    return o, p, q


def item_stored_in_a_number_or_a_text(x, n):
    o = int(n) if n > 1 else "ab" + str(n)
    try:
        o[0] = 3
    except TypeError as error:
        return str(error)


class Setting:
    def __init__(self, size):
        self.size = size


SETTING = Setting(3)


def object_from_outside_in_one_of_several_results(x, n):
    if n > 2:
        return SETTING
    if n > 1:
        return SETTING, x
    return (1, (SETTING, n)) if n > 0 else [x]


class Gauge:
    def __init__(self, level):
        self.level, self.doubled_level = level, None

    @property
    def doubled(self):
        if self.doubled_level is None:
            self.doubled_level = self.level * 2
        return self.doubled_level


def r_07_property_of_one_of_several_stores(x, n):
    first, second = Gauge(1), None
    second = Gauge(int(n)) if n > 1 else first
    if n > 2:
        second = first
    return second.doubled, first.doubled_level, second.doubled_level


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
