"""Comprehensions of every kind over staged bounds, items and conditions."""

from __future__ import annotations

import warnings

import pytest

import dy2st as paddle

from .agreement import assert_agrees, functions_of


def staged_bound(x, n):
    return [i * 2 for i in range(n)], {i: i * i for i in range(n)}, len({i % 3 for i in range(n)})


def staged_condition(x, n):
    even = [i for i in range(n) if i % 2 == 0]
    return [i for i in [1, 2, 3] if n > i], even, {k: v for k, v in {"a": x}.items() if v.sum() > 0}


def rows_of_a_tensor(x, n):
    return [r * 2 for r in x], [r for r in x if r > 1], {i: r for i, r in enumerate(x)}


def staged_list(x, n):
    ks = [k for k in range(n)]
    return [k + 1 for k in ks], [k for k in ks if k > 1], {k: v for k, v in {i: i + 1 for i in ks}.items()}


def several_clauses(x, n):
    pairs = [(i, j) for i in range(n) for j in range(i)]
    return pairs, [i + j for i in range(n) if i % 2 for j in range(4) if j > i if j < n]


def nested(x, n):
    return [[j for j in range(i)] for i in range(n)], [a for a in (b for b in [1, -2, 3] if b > n)]


def nested_targets(x, n):
    return [(i, a, b) for i, (a, b) in enumerate(zip(x, range(n)))], [rest for first, *rest in [(1, x, n), (2, n)]]


def consumers(x, n):
    return (sum(i * i for i in range(n)), sum(r for r in x), max(r * 2 for r in x), min((i - 2) ** 2 for i in range(n + 1)),
            any(r > 2 for r in x), all(r > 0 for r in x), list(i for i in range(n)), sorted(i * i % 5 for i in range(n)),
            dict((i, i + 1) for i in range(n)), len(set(i // 2 for i in range(n))))


def nothing_to_choose_from(x, n):
    return min(i for i in range(n)), max([i for i in range(n)])


def two_on_a_line(x, n):
    return sum(i for i in range(n)) + sum(r for r in x), sum([1, 2]) + sum([x, x])


def stacked(x, n):
    return paddle.stack([x * i for i in range(n + 1)])


def in_control_flow(x, n):
    total = 0
    for i in range(n):
        total = total + sum(j * i for j in range(i)) + max([k for k in range(i + 1)])
    if x.sum() > 0:
        ys = [r * 2 for r in x]
    else:
        ys = []
    return total, ys


def decided_early(x, n):
    seen = []

    def see(v):
        seen.append(v)
        return v > 1

    return any(see(i) for i in range(n)), all(see(i) for i in range(n)), seen


def a_witness(x, n):
    if any((found := row) > 2 for row in x):
        return found
    return x.sum()


def names_bound_inside(x, n):
    last = -1
    ys = [last := last + i for i in range(n)]
    t = 0
    table = [[(t := a) + j for j in range(n)] for a in range(2) if (u := a) < n]
    return ys, last, table, u, t, [y for i in range(n) if (y := i * 3) > 2]


def names_bound_in_a_test(x, n):
    i = 0
    m = -1
    while [k for k in range(n) if (m := k) >= i]:
        i += 1
    return i, m


def effects(x, n):
    out = []
    [out.append(i) for i in range(n)]
    return out


def captured(x, n):
    k = 1
    scaled = [lambda y: y * k for _ in range(2)]
    shared = [lambda: i for i in range(3)]
    lazy = (r * k for r in x)
    k = 2
    return [f(x) for f in scaled], [f() for f in shared], list(lazy)


def used_up(x, n):
    g = (i for i in range(n))
    return sum(g), sum(g)


def python_values(x, n):
    joined = ",".join(s for s in ["a", "b"])
    return [i for i in range(3)], {i for i in (1, 2)}, {k: k for k in "ab"}, joined, [x * i for i in range(3)]


def left_in_the_middle(x, n):
    g = (i for i in range(n))
    for i in g:
        if i > 1:
            break
    return sum(g)


def used_on_one_path(x, n):
    g = (i for i in range(3))
    total = sum(g) if n > 1 else 0
    return total + sum(g)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_agrees(function)
