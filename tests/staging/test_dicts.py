"""Dicts that staged branches and loops change: new keys, staged keys, every method, iteration."""

from __future__ import annotations

import collections
import os
from collections import Counter, defaultdict

import pytest

import dy2st as paddle
from dy2st.ir.parser import parse_program
from dy2st.jit import to_static

from .agreement import NUMBER, VECTOR, functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def new_keys(x, n):
    d = {}
    if n > 0:
        d["a"] = x
    if n > 1:
        d["b"] = x + 1
    return d, len(d), "a" in d


def set_to_what_it_was_and_deleted(x, n):
    d, e = {"a": 2, "b": x}, {"a": 2}
    if n > 1:
        d.update(a=2)
        d.pop("a", 0)
    for i in range(n):
        e["a"] = 2
        e[i] = i
    return d, e


def new_keys_in_loop(x, n):
    d = {"k": 0}
    for i in range(n):
        d[i] = i * i
    return len(d)


def staged_int_keys(x, n):
    d = {}
    for i in range(n):
        d[i % 2] = i
    s = 0
    for k in d:
        s += k * 10 + d[k]
    return s, d


def missing_key(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    return d["b"]


def get_with_default(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    return d.get("b", -1), d.get("a"), d.get("zz")


def get_by_staged_key(x, n):
    d = {0: "zero", 1: "one"}
    return d.get(int(n), "many"), d.get(int(n))


def lookup_by_staged_key(x, n):
    d = {0: x, 1: x + 1, 3: x * 2, 2: x - 1}
    return d[int(n)]


def functions_by_staged_key(x, n):
    d = {0: lambda v: v, 1: lambda v: v + 1}
    f = d.get(int(n), lambda v: v * 3)
    return f(x)


def update(x, n):
    d = {"a": 1, "b": 2}
    if n > 1:
        d.update({"b": 3, "c": 4})
        d.update(e=5)
    else:
        d.update([("z", 0)])
    return d


def update_staged_by_staged(x, n):
    d, e = {"a": 1}, {"b": 2}
    if n > 1:
        e["c"] = 3
    if n > 0:
        d.update(e)
    return d


def popped(x, n):
    d = {"a": 1, "b": 2}
    v = 0
    if n > 1:
        v = d.pop("a")
    w = d.pop("zz", 7)
    return d, v, w


def popitem(x, n):
    d = {"a": 1, "b": 2}
    k = None
    if n > 1:
        k = d.popitem()
    return k, len(d)


def deleted(x, n):
    d = {"a": 1, "b": 2}
    if n > 1:
        del d["a"]
    return d, "a" in d


def setdefault_lists(x, n):
    d = {}
    for i in range(n):
        d.setdefault(i % 2, []).append(i)
    return d


def setdefault_counts(x, n):
    d = {}
    for i in range(n):
        d.setdefault("n", 0)
        d["n"] += 1
    return d


def counting(x, n):
    d = {}
    for i in range(n):
        k = i % 3
        d[k] = d.get(k, 0) + 1
    return d


def counting_in(x, n):
    d = {}
    for i in range(n):
        k = i % 3
        if k in d:
            d[k] += 1
        else:
            d[k] = 1
    return d


def python_defaultdict(x, n):
    d = defaultdict(list)
    for k in ("a", "b", "a"):
        d[k].append(x)
    return dict(d), len(d)


def python_counter(x, n):
    c = Counter("abca")
    return x * c["a"] + n, c.most_common(1)


def iterate(x, n):
    d = {"a": 1, "b": 2}
    if n > 1:
        d["c"] = 3
    ks, s = [], 0
    for k in d:
        ks.append(k)
    for v in d.values():
        s += v
    for k, v in d.items():
        s += len(k) * v
    return ks, s


def listed_views(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    return list(d), list(d.values()), list(d.items()), sorted(d), len(d.keys())


def dict_zip(x, n):
    d = dict(zip(["a", "b"], [x, n]))
    if n > 1:
        d["a"] = d["a"] + 1
    return d


def dict_zip_staged(x, n):
    ks, vs = [], []
    for i in range(n):
        ks.append(i)
        vs.append(i * i)
    return dict(zip(ks, vs))


def dict_of_pairs(x, n):
    pairs = [("a", 1)]
    if n > 1:
        pairs.append(("b", 2))
    return dict(pairs)


def dict_copy(x, n):
    d = {"a": 1}
    e = d.copy()
    f = dict(d)
    if n > 1:
        d["a"] = 2
        e["b"] = 3
    return d, e, f


def nested_dict(x, n):
    d = {"a": {"b": 1}, "c": [1]}
    if n > 1:
        d["a"]["b"] = 2
        d["a"]["z"] = 3
    for i in range(n):
        d["c"].append(i)
    return d


def cache(x, n):
    memo = {}
    total = x.sum()
    for i in range(n):
        key = i % 2
        if key not in memo:
            memo[key] = x.sum() * key
        total = total + memo[key]
    return total


def dict_equality(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    return d == {"a": 1}, {"a": 1, "b": 2} == d


def dict_truth(x, n):
    d = {}
    if n > 1:
        d["a"] = 1
    return x if d else -x


def dict_cleared(x, n):
    d = {"a": 1}
    if n > 1:
        d.clear()
    return d


def keys_in_branch(x, n):
    if n > 1:
        d = {"a": x, "b": x}
    else:
        d = {"a": x}
    return d


def views_as_sets(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    known = {"b": 3}.keys()
    return (
        sorted(d.keys() | {"z"}),
        sorted(d.keys() & {"b", "q"}),
        sorted({"b", "q"} - d.keys()),
        d.keys() == {"a"},
        d.keys() <= {"a", "b"},
        d.keys() == known,
        d.items() == {("a", 1)},
    )


def default_that_comes_out(x, n):
    d, other = {}, []
    for i in range(n):
        d[i] = [i]
        other.append(i)
    d.get(int(n), other).append("more")
    return other[n] + "!"


def default_that_is_popped(x, n):
    d, other = {}, []
    for i in range(n):
        d[i] = [i]
        other.append(i)
    d.pop(int(n), other).append("more")
    return other[n] + "!"


def list_in_the_last_item(x, n):
    d = {}
    for i in range(n + 1):
        d[i] = [i]
    kept = d[int(n)]
    key, value = d.popitem()
    value.append("more")
    return key, kept[len(kept) - 1] + "!"


def items_of_any_key_in_a_loop(x, n):
    d = {0: x, (1, "k"): x, "name": x}
    for _ in range(n):
        d[0], d[1, "k"], d["name"] = d[0] + 1, d[1, "k"] * 2, d[0]
    return d[0], d[1, "k"], d["name"]


def item_of_an_int_in_a_try(x, n):
    d, rows = {0: x}, [1, 2]
    try:
        d[0] = x + 1
        d[0] = x + rows[int(n)]
    except IndexError:
        return d[0], "no row"
    return d[0], "a row"


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def test_a_program_that_changes_items_of_any_key_has_a_text():
    for function in (items_of_any_key_in_a_loop, item_of_an_int_in_a_try):
        program = to_static(function, input_spec=[VECTOR, NUMBER]).concrete_program.main_program
        assert str(parse_program(str(program))) == str(program)


class Doubled(collections.abc.Mapping):
    """A mapping of the user's, which is iterated by a method of its own."""

    def __init__(self, *keys):
        self.of = keys

    def __getitem__(self, key):
        return key * 2

    def __iter__(self):
        return iter(self.of)

    def __len__(self):
        return len(self.of)


def test_s1_a_dict_is_made_of_a_mapping_of_the_users():
    def made(x):
        given = Doubled("abc", "d")
        updated = {"e": 1}
        updated.update(given)
        return x, dict(given), {**given, "f": 2}, dict(given, g=3), updated, len(dict(os.environ)) == len(os.environ)

    x = paddle.to_tensor([1.0])
    assert paddle.jit.to_static(made)(x)[1:] == made(x)[1:]
