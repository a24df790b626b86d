"""Stores into tensors, lists and dicts, deletion, and in-place operators, inside branches and loops."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import dy2st as paddle

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def del_then_unbound(x, n):
    y = 1
    if n > 1:
        del y
    return y


def del_in_loop(x, n):
    s = 0
    for i in range(n):
        t = i * 2
        s += t
        del t
    return s


def del_items(x, n):
    d, items = {"a": 1, "b": 2}, [1, 2, 3]
    if n > 1:
        del d["a"], items[0]
    return d, items


def store_item(x, n):
    y = x * 1
    if n > 0:
        y[0] = 9
    for i in range(n):
        y[i % 1] = y[i % 1] + i
    return y


def store_mask(x, n):
    y = x * 1
    y[y < 0] = 0
    if n > 1:
        y[y > 1] = y[y > 1] * 2
    return y


def store_slice(x, n):
    y = paddle.zeros([5], x.dtype)
    y[:n] = 1
    for i in range(n):
        y[i : i + 2] = i
    return y


def store_row(x, n):
    y = paddle.zeros([4, 3], x.dtype)
    for i in range(n):
        y[i] = i + 1
        y[i, 1:] = 7
    return y


def slice_loaded(x, n):
    y = paddle.arange(6)
    return y[n:], y[:n], y[-1], y[n : n + 2], y[::2]


def ranges_of_slices(x, n):
    y = paddle.arange(8)
    s = 0
    for i in range(n):
        s = s + y[i * 2 : i * 2 + 2].sum()
    return s


def in_place_operators(x, n):
    y = x * 1
    z = y
    for i in range(n):
        y += 1
        y *= 2
    y -= 1
    return y, z


def in_place_scalars(x, n):
    a, b, c = 1, 2.0, 7
    for i in range(n):
        a += i
        b /= 2
        c //= 2
        a **= 1
        c |= 1
        a <<= 1
        b -= a
    return a, b, c


def augmented_item(x, n):
    t, d = [0, 0], {"k": 1}
    for i in range(n):
        t[i % 2] += i
        d["k"] *= 2
    return t, d


def aug_on_nested(x, n):
    d = {"a": [1, {"b": 2}]}
    for i in range(n):
        d["a"][1]["b"] += i
        d["a"][0] -= 1
    return d


def multiple_targets(x, n):
    a = b = c = d = e = 0
    for i in range(n):
        a = b = i
        c, (d, e) = i, (i + 1, i + 2)
    return a, b, c, d, e


@dataclass(frozen=True)
class Frozen:
    v: object
    w: object = 0

    def __post_init__(self):
        if self.v < 0:
            object.__setattr__(self, "v", 0)


@dataclass(frozen=True, slots=True)
class Slotted:
    v: object

    def put(self, v):
        object.__setattr__(self, "v", v)


class Limited:
    def __init__(self, v):
        self.log = []
        self.v = v

    def __setattr__(self, name, value):
        if name == "v" and value > 3:
            self.log.append(1)
            value = 3
        super().__setattr__(name, value)


def r_07_stored_past_what_is_frozen(x, n):
    f, s = Frozen(int(n) - 2), Slotted(1)
    if n > 1:
        s.put(int(n) * 2)
        object.__setattr__(f, "w", int(n))
    return f.v, f.w, s.v


def r_07_stored_past_what_is_frozen_in_a_list(x, n):
    items = []
    for i in range(n):
        items.append(Slotted(i))
    for item in items:
        item.put(item.v * 2)
    return [item.v for item in items]


def r_07_stored_by_a_setattr_of_its_own(x, n):
    a = Limited(int(n))
    if n > 1:
        a.v = int(n) + 1
    setattr(a, "w", x)
    return a.v, a.log, a.w


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
