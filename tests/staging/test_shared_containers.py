"""Containers under several names, in closures, default arguments, objects and other containers."""

from __future__ import annotations

import copy
import functools

import pytest

import dy2st as paddle

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def alias_then_concat(x, n):
    a = [1]
    b = a
    if n > 1:
        a = a + [2]
        b.append(9)
    return a, b


def list_in_list_alias(x, n):
    row = [0]
    grid = [row, row]
    for i in range(n):
        grid[0].append(i)
    return grid, row


def two_accumulators(x, n):
    evens, odds = [], []
    for i in range(n):
        (evens if i % 2 == 0 else odds).append(i)
    return evens, odds


def nested_functions_with_lists(x, n):
    stack = []

    def push(v):
        stack.append(v)
        return len(stack)

    def pop():
        return stack.pop() if stack else None

    for i in range(n):
        push(i)
        if i % 2 == 1:
            pop()
    return stack, pop()


def list_cleared_by_slice(x, n):
    a = [1, 2]
    b = a
    if n > 1:
        a[:] = [7]
    return b


def list_rebound_in_loop(x, n):
    a = [x]
    for i in range(n):
        a = [v * 2 for v in a]
    return a


def list_multiplication_alias(x, n):
    a = [[0]] * 2
    for i in range(n):
        a[0][0] += i
    return a


def default_list_argument(x, n):
    def add(v, to=None):
        to = to if to is not None else []
        to.append(v)
        return to

    a = add(1)
    if n > 1:
        b = add(2, a)
    else:
        b = add(3)
    return a, b


def object_with_list(x, n):
    class Buffer:
        def __init__(self, size):
            self.size, self.items = size, []

        def push(self, v):
            if len(self.items) >= self.size:
                self.items.pop(0)
            self.items.append(v)

    b = Buffer(2)
    for i in range(n):
        b.push(i)
    return b.items


def dict_get_chain(x, n):
    d = {"a": {"b": 1}}
    if n > 1:
        d["a"]["c"] = 2
    return d.get("a", {}).get("c", -1), d.get("z", {}).get("c", -2)


def setdefault_nested(x, n):
    d = {}
    for i in range(n):
        d.setdefault(i % 2, {})["k"] = i
    return d


def dict_pop_loop(x, n):
    d = {"a": 1, "b": 2, "c": 3}
    total = 0
    for k in ("a", "b", "c"):
        if n > total:
            total += d.pop(k)
    return total, d


def flatten(x, n):
    nested = []
    for i in range(n):
        nested.append([i] * i)
    flat = []
    for row in nested:
        flat.extend(row)
    return flat, len(nested)


def matrix_of_lists(x, n):
    m = [[i * j for j in range(3)] for i in range(3)]
    t = 0
    for i in range(n):
        t += m[i % 3][(i + 1) % 3]
        m[i % 3][0] = t
    return t, m


def partial_sums_by_reduce(x, n):
    return functools.reduce(lambda acc, v: acc + [acc[-1] + v], range(n), [0])


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def test_s1_a_list_that_holds_itself_is_looked_through_once():
    def tied(x):
        items = [1]
        items.append(items)
        table = {"items": items}
        table["self"] = table
        return x * len(items), id(items) == id(items[1]), repr(items), repr(table), copy.deepcopy(items)[1][1][0]

    x = paddle.to_tensor([1.0, 2.0])
    found, expected = paddle.jit.to_static(tied)(x), tied(x)
    assert found[1:] == expected[1:] and found[0].numpy().tolist() == [2, 4]
