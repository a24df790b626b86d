"""Limits b.17 to b.19, b.24, b.27 to b.29, b.35: lists, dicts, objects, comprehensions, globals, views and shapes."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec

from .agree import ROW, UP, VECTOR, as_programs, assert_agrees, on_n, on_x, on_xn, plain

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")


# --- b.17: lists and tensors -------------------------------------------------------------------------------------------


def indexed(x, n):
    items = [x, x + 1, x + 2, x + 3, x + 4]
    return items[n], items[-n - 1]


def item_assigned(x, n):
    items = [x, x + 1, x + 2, x + 3, x + 4]
    items[n] = x * 10
    return items


def indexed_in_a_loop(x, n):
    items = [x, x * 2, x * 3]
    for i in range(n % 3):
        items[i] = items[i + 1] + items[0]
    return items


def popped_at_the_front(x, n):
    items, found = [x, x + 1, x + 2, x + 3, x + 4], []
    while n > 0:
        found.append(items.pop(0))
        n = n - 1
    return found, items


def inserted(x, n):
    items = [x]
    for i in range(n):
        items.insert(i, x * i)
    return items


def tuples_and_lists_in_it(x, n):
    pairs, rows = [], []
    for i in range(n):
        pairs.append((x * i, i))
        rows.append([x, [x + i]])
    return pairs, rows


def stacked_array(x, n):
    items = [x]
    while n > 0:
        items.append(items[-1] + 1)
        n = n - 1
    return items, paddle.stack(items), paddle.concat(items), len(items)


@pytest.mark.parametrize(
    "function",
    [indexed, item_assigned, indexed_in_a_loop, popped_at_the_front, inserted, tuples_and_lists_in_it, stacked_array],
)
def test_b17_lists_and_tensors(function):
    on_xn(function)


# --- b.18: dicts, objects, nested functions, attributes ----------------------------------------------------------------


def key_of_a_loop(x, n):
    found = {}
    for i in range(n):
        found["last"] = x * i
        found[f"row {i}"] = x
    return found


def key_of_a_branch(x, n):
    found = {"x": x}
    if n > 1:
        found["y"] = x + n
    return found


def updated_in_a_branch(x, n):
    found = {"x": x}
    if n > 1:
        found.update(y=x + 1, x=x * 0)
    else:
        found.update({"z": n})
    return found


class Counter:
    def __init__(self):
        self.count, self.seen = 0, []

    def inc(self, v):
        self.count += 1
        self.seen.append(v)


def method_that_changes_an_object(x, n):
    a = Counter()
    while n > 0:
        a.inc(x * n)
        n = n - 1
    return a.count, a.seen


def nonlocal_in_a_loop(x, n):
    total = x * 0

    def add(v):
        nonlocal total
        total = total + v

    for i in range(n):
        add(x * i)
    return total


@pytest.mark.parametrize(
    "function",
    [key_of_a_loop, key_of_a_branch, updated_in_a_branch, method_that_changes_an_object, nonlocal_in_a_loop],
)
def test_b18_changes_to_dicts_objects_and_closures(function):
    on_xn(function)


class Branching(nn.Layer):
    """A tensor attribute and a buffer, assigned in a branch that a tensor decides."""

    def __init__(self):
        super().__init__()
        self.c = paddle.zeros([3])
        self.register_buffer("seen", paddle.zeros([1]))

    def forward(self, x):
        if x.sum() > 0:
            self.c = self.c + 1
            self.seen = self.seen + x.max()
        return x + self.c + self.seen


def test_b18_an_attribute_and_a_buffer_assigned_in_a_branch():
    eager, net = Branching(), paddle.jit.to_static(Branching(), input_spec=[VECTOR])
    _, loaded = as_programs(paddle.jit.to_static(Branching(), input_spec=[VECTOR]).forward, (VECTOR,))
    for sign in (1, -1, 1):
        x = paddle.to_tensor(UP * sign)
        assert plain(net(x)) == plain(eager(x)) == plain(loaded(x))
        assert (plain(net.c), plain(net.seen)) == (plain(eager.c), plain(eager.seen))


# --- b.19: comprehensions and generators -------------------------------------------------------------------------------


def filtered(x, n):
    return [v * 2 for v in [x, x - 5, x + n] if v.sum() > 0]


def rows_of_an_open_tensor(x, n):
    return [row + 1 for row in x], sum(row for row in x)


def dict_and_set(x, n):
    return {i: x * i for i in range(n)}, len({i % 2 for i in range(n)})


def evens(n):
    for i in range(n):
        if i % 2 == 0:
            yield i


def own_generator(x, n):
    total = x * 0
    for i in evens(n):
        total = total + i
    return total, [x * i for i in evens(n)]


def any_and_all(x, n):
    return any(v > 2 for v in x), all(v > n for v in x)


@pytest.mark.parametrize("function", [filtered, rows_of_an_open_tensor, dict_and_set, own_generator, any_and_all])
def test_b19_comprehensions_and_generators(function):
    on_xn(function)


# --- b.24: global and del in a branch ----------------------------------------------------------------------------------

G = 1


def sets_a_global(x):
    global G
    if x.sum() > 0:
        G = x.sum()
    return x + G


def test_b24_a_global_assigned_in_a_branch():
    global G
    static = paddle.jit.to_static(sets_a_global, input_spec=[VECTOR])
    found = []
    for function in (sets_a_global, static):
        G = 1
        found.append([(plain(function(paddle.to_tensor(UP * sign))), plain(G)) for sign in (-1, 1, -1)])
    assert found[0] == found[1]


def deleted(x):
    y = x + 1
    if x.sum() > 0:
        del y
    return y


def test_b24_a_name_deleted_in_a_branch():
    on_x(deleted)


# --- b.27: enumerate and zip -------------------------------------------------------------------------------------------


def counted_from_one(x, n):
    total = x.sum() * 0
    for i, v in enumerate(x, start=1):
        total = total + i * v
    return total, [(i, v) for i, v in enumerate([x, n], start=n)]


def zipped(x, n):
    total = x.sum() * 0
    for a, b in zip(x, x * 2):
        total = total + a * b
    return total, [a * b for a, b in zip(x, range(n))]


@pytest.mark.parametrize("function", [counted_from_one, zipped])
def test_b27_enumerate_and_zip(function):
    on_xn(function)


# --- b.28: views -------------------------------------------------------------------------------------------------------


def reshaped(x):
    z = x * 1
    y = z.reshape([3, 1])
    y.add_(paddle.ones([3, 1]))
    return y, z


def a_slice(x):
    z = x * 1
    z[1:].zero_()
    return z


def a_transpose(x):
    z = paddle.stack([x, x + 1])
    z.t()[0].scale_(10.0)
    z[:, 1:].add_(z[:, :1])
    return z


@pytest.mark.parametrize("function", [reshaped, a_slice, a_transpose])
def test_b28_writes_through_views(function):
    on_x(function)


# --- b.29: shapes with unknown lengths ---------------------------------------------------------------------------------


def compared_shapes(x):
    if x.shape == [1, 3]:
        return x * 2
    return x.shape == [2, 3], x.shape != [1, 3], x.shape[1:] == [3], tuple(x.shape) == (1, 3), x.shape in ([2, 3], [4, 3])


def test_b29_a_shape_compared_with_a_list():
    rows = [(ROW,), (np.zeros([2, 3], np.float32),), (np.zeros([4, 3], np.float32),)]
    assert_agrees(compared_shapes, (InputSpec([None, 3]),), rows)


# --- b.35: numbers that ran through a loop -----------------------------------------------------------------------------


def counters(n):
    items, count, half = [], 0, 0.5
    while n > 0:
        items.append(n)
        count += 1
        half = half / 2
        n = n - 1
    return len(items), count, half, isinstance(len(items), int), isinstance(count, int), [10, 20, 30, 40][count], "x" * len(items)


def test_b35_counters_and_lengths_stay_numbers():
    on_n(counters)
