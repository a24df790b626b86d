"""Expressions of every kind on staged scalars: indexing by a bool, shifts, powers, choices of functions."""

from __future__ import annotations

import operator

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def chain_methods(x, n):
    return [v for v in reversed(sorted([3, 1, n], key=lambda v: -v))]


def bool_ops(x, n):
    flag = n > 1
    other = x.sum() > 0
    return flag & other, flag | other, flag ^ other, not flag, flag == other, flag + 1


def pow_neg(x, n):
    k = int(n)
    return 2 ** -k, (-2) ** k, k ** 0.5 > 1


def shifts(x, n):
    k = int(n)
    return 1 << k, 100 >> k, k & 1 == 0, ~k


def index_by_bool(x, n):
    return ["no", "yes"][n > 1], ("a", "b")[bool(n)]


def nested_ternary_calls(x, n):
    return (max if n > 1 else min)(3, n), (sum if n > 1 else len)([1, 2, 3])


def while_with_list_pop_else(x, n):
    todo = [1, 2, 3]
    while todo:
        v = todo.pop()
        if v == n:
            break
    else:
        return "exhausted", todo
    return "found", todo


def tensor_list_index(x, n):
    items = [x, x * 2, x * 3]
    i = x.argmax() % 3
    return items[i], items[-i]


def enumerate_break_value(x, n):
    found = None
    for i, v in enumerate([5, 7, 9]):
        if i == n:
            found = v
            break
    return found, i, v


def mixed_list_types(x, n):
    out = []
    for i in range(n):
        out.append(i if i % 2 == 0 else float(i))
    return out, sum(out)


def none_items(x, n):
    out = [None, None, None, None]
    for i in range(n):
        out[i] = i
    return out, out.count(None), [v for v in out if v is not None]


def sort_strings(x, n):
    w = ["b", "a"]
    if n > 1:
        w.append("A")
    w.sort(key=str.lower)
    return w, sorted(w, key=len)


def getitem_key(x, n):
    rows = [(1, n), (0, 5)]
    return sorted(rows, key=operator.itemgetter(1))


def comp_cond_sum(x, n):
    return sum(1 for v in [1, 2, 3] if v > n), sum(v > n for v in [1, 2, 3])


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
