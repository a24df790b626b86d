"""Dicts and sets by staged keys: ints, strings, tuples; memoisation; merged dicts."""

from __future__ import annotations

import pytest

import dy2st as paddle

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def copied_and_updated(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    e = dict(d)
    e.update(q=1)
    return e, dict(d, z=3)


def dict_union(x, n):
    d, e = {"a": 1}, {"b": 1}
    if n > 1:
        d["c"] = 2
    return d | e


def dicts_in_a_dict(x, n):
    d = {}
    for i in range(n):
        if i % 2 not in d:
            d[i % 2] = {"n": 0, "items": []}
        d[i % 2]["n"] += 1
        d[i % 2]["items"].append(i)
    return d


def strings_in_constant_containers(x, n):
    k = "a" if n > 1 else "b"
    return k in {"a", "c"}, k in ("b", "c"), k in ["a"], k in "abc"


def int_in_set(x, n):
    k = 0
    for i in range(n):
        k += 1
    return k in {1, 3}, k in {1: "a"}, {1: "a", 3: "c"}.get(k, "z"), k not in (2, 3)


def set_of_staged(x, n):
    seen = set()
    dup = 0
    for i in range(n):
        k = i * i % 3
        if k in seen:
            dup += 1
        seen.add(k)
    return dup, len(seen), sorted(seen)


def tuple_key(x, n):
    memo = {}
    for i in range(n):
        for j in range(2):
            memo[(i, j)] = i + j
    return memo.get((1, 1), -1), len(memo), (0, 1) in memo


def memo_fib(x, n):
    memo = {0: 0, 1: 1}
    for i in range(2, n + 1):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[int(n)]


def round_trip(x, n):
    return list(zip(*[[1, n], [3, 4]])), dict([("a", n)]), tuple([n, 1]), set([1, 1])


def counter_loop(x, n):
    total = 0
    for k, v in sorted({"b": 1, "a": n}.items()):
        total = total * 10 + v
    return total


def max_by_dict(x, n):
    d = {"a": 1, "b": n, "c": 2}
    return max(d, key=d.get), max(d.values()), min(d.items(), key=lambda kv: kv[1])


def merged(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    return d | {"a": 5}, {**d, "q": 1}


def staged_items_of_a_set_display(x, n):
    k = int(n)
    return sorted({k, 1, 2}), len({k, k % 2}), 0 in {k}


def staged_keys_of_a_dict_display(x, n):
    k = int(n)
    d = {k: x, 1: x + 1}
    return d[1], len(d), list(d), {**{"a": 1}, str(k): 2}


def known_items_that_are_no_literals(x, n):
    k = 2
    s, d = {k, *[1, 5]}, {k: x, (k, 1): x + 1}
    return sorted(s), d[2], d[2, 1], type(s) is set, type(d) is dict


def staged_keywords(x, n):
    def f(a, b=2):
        return a * b

    options = {"a": x}
    if n > 1:
        options["b"] = 5
    return f(**options)


def sets_of_staged_items_in_lists_and_tuples(x, n):
    k, t = int(n), {1, 7}
    t.update([k], (k + 1,))
    u = {1, 3}
    u.symmetric_difference_update([k])
    u.intersection_update({1, k}, [1, k])
    return sorted(t), sorted(u), sorted(set((k, 1)))


def sets_compared_with_lists_of_staged_items(x, n):
    k, t = int(n), {1, 7}
    found = [t.union([k]), t.intersection((k, 1)), t.difference([k])]
    return [sorted(s) for s in found], t.isdisjoint([k]), t.issuperset([k]), t.issubset([k, 1, 7]), sorted(t)


def sets_of_generated_items(x, n):
    k, t = int(n), set()
    t.update(i * k for i in range(3))
    t.update(range(n))
    t.difference_update([k])
    return sorted(t)


def dicts_updated_by_pairs(x, n):
    k, d = int(n), {1: 2}
    d.update([(k, 5)])
    d.update({k + 1: 6})
    e = {1: 2}
    e.update((i, k) for i in range(n))
    e.update([[3, k]])
    e.update()
    return d, e, dict.fromkeys((k, 1), 0)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


class Refused(Exception):
    pass


class Unhashed:
    """A key whose hash fails from some moment on."""

    fails = False

    def __hash__(self):
        if self.fails:
            raise Refused
        return 42


class Unequal:
    """A key that can't be compared."""

    def __eq__(self, other):
        raise Refused

    def __hash__(self):
        return 24


def test_keys_whose_hash_or_equality_fails_later():
    def looked_up():
        made, key = {}, Unhashed()
        made[Unequal()] = 1
        made[key] = 42
        key.fails = True
        try:
            return made[key]
        except Refused:
            return len(made), 23 in made

    assert paddle.jit.to_static(looked_up)() == looked_up()
