"""Views of dicts, looked at after the dict has changed, and the operators between them."""

from __future__ import annotations

from collections import OrderedDict

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def taken_before_a_change(x, n):
    d = {"a": 1}
    keys, values, items = d.keys(), d.values(), d.items()
    if n > 1:
        d["z"] = int(n)
    return (len(keys), list(keys), "z" in keys, sorted(values), [v for v in values], len(values), ("z", 2) in items,
            [k for k, _ in items], bool(keys), max(values), 2 in values, keys == {"a"})


def taken_between_changes(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    keys, values, items = d.keys(), d.values(), d.items()
    if n > 2:
        d["z"] = int(n)
    return len(keys), list(keys), "z" in keys, sorted(values), [v for v in values], [k for k, _ in items], keys == {"a"}


def values_compare_by_identity(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = 2
    v = d.values()
    return d.values() == d.values(), v == v, d.values() == [1], d.values() != d.values()


def keys_and_items_compare_as_sets(x, n):
    d, e = {"a": 1}, {"a": 1, "b": 2}
    if n > 1:
        d["b"] = int(n)
    k = d.keys()
    return (k == e.keys(), d.items() == e.items(), k != e.keys(), k == ["a"], k <= e.keys(), k < e.keys(), k >= {"a"},
            k > {"a"}, {"a"} == k, {"a"} <= k, k.isdisjoint(["q"]), k.isdisjoint("b"))


def operators(x, n):
    d, e = {"a": 1}, {"a": 2, "c": 3}
    if n > 1:
        d["c"] = 2
    return (sorted(d.keys() & e.keys()), sorted(e.keys() & d.keys()), sorted(e.keys() - d.keys()), sorted(d.keys() | ["q"]),
            sorted(d.keys() ^ e.keys()), sorted(e.items() - d.items()), sorted({"a", "z"} - d.keys()), d | e, e | d, {**d, **e})


def merged_in_place(x, n):
    d, e = {"a": 1}, {"a": 2, "c": 3}
    if n > 1:
        d["c"] = 2
    same = d
    d |= e
    return d, same is d


def reversed_and_spelled(x, n):
    d = {"a": 1}
    if n > 1:
        d["b"] = int(n)
    return list(reversed(d.keys())), list(reversed(d.items())), str(d.keys()), f"{d.values()} {d.items()}"


def given_away(x, n):
    d = {"a": 1, "b": 2}
    if n > 1:
        d["c"] = 3
    found, seen = [], set()
    found.extend(d.values())
    seen.update(d.keys())
    return found, sorted(seen), dict(d.items()), [*d.values()], tuple(d), dict(zip(d.values(), d.keys())), sum(d.values())


def kept_in_a_list(x, n):
    d, e = {"a": 1}, {}
    views = [d.keys(), e.keys()]
    if n > 1:
        e["b"] = 1
    k = int(n) % 2
    return len(views[k]), [len(v) for v in views], isinstance(views[0], list), isinstance(d.keys(), type({}.keys()))


def chosen(x, n):
    d, e = {"a": 1}, {"b": 2, "c": 3}
    keys = d.keys() if n > 1 else e.keys()
    e["d"] = 4
    return len(keys), list(keys)


def made_from_keys(x, n):
    keys = ["a"]
    for i in range(n):
        keys.append(str(i % 2))
    d = dict.fromkeys(keys, 0)
    d["a"] += 1
    return d, dict.fromkeys(keys), dict.fromkeys("ab", int(n)), dict.fromkeys(range(n), 1)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def test_views_of_an_ordered_dict():
    def views():
        made = OrderedDict(a=1, b=[2])
        kinds = [type(view).__name__ for view in (made.keys(), made.values(), made.items())]
        same = made.keys() == {"a": 1, "b": 2}.keys(), made.items() == {"a": 1, "b": [2]}.items(), made.keys() & {"a"}
        made["c"] = 3
        texts = repr(made.keys()), str(made.items()), f"{made.values()}"
        return kinds, same, texts, sorted(made.keys()), list(reversed(made.keys()))

    assert paddle.jit.to_static(views)() == views()


@pytest.mark.parametrize("change", ["pop", "popitem", "setdefault", "update", "clear", "__delitem__", "__setitem__"])
def test_an_ordered_dict_is_not_changed_beside_its_order(change):
    def changed():
        made = OrderedDict(a=1)
        given = {"pop": ["a"], "setdefault": ["b", 1], "__delitem__": ["a"], "__setitem__": ["b", 1]}
        getattr(dict, change)(made, *given.get(change, []))
        return made

    with pytest.raises(ConversionError, match=f"dict.{change} changes this OrderedDict beside its order"):
        paddle.jit.to_static(changed)()
