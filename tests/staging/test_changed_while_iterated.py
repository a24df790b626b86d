"""A dict or set that changes while a loop iterates it: Python raises where its size changes; a value is read when it is met."""

from __future__ import annotations

import pytest

from dy2st import jit, to_tensor
from dy2st.static import InputSpec

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def a_new_key(x, n):
    d = {"a": 2, "k": 3}
    out = []
    for k in d:
        out.append(k)
        if n > 1:
            d["z"] = 1
    return out, d


def a_new_key_at_the_end(x, n):
    d = {"a": 2, "k": 3}
    for k, v in d.items():
        if n > 1 and k == "k":
            d["z"] = v
    return d


def a_new_key_and_a_break(x, n):
    d = {"a": 2, "k": 3}
    for k in d:
        if n > 1:
            d["z"] = 1
            break
    return d


def a_new_key_in_a_staged_dict(x, n):
    d = {"a": 2, "k": 3}
    if n > 0:
        d["y"] = n
    out = []
    for k in d:
        out.append(k)
        if n > 1:
            d["z"] = 1
    return out, d


def a_caught_change(x, n):
    d = {"a": 2}
    try:
        for k in d.keys():
            if n > 1:
                d["z"] = 1
    except RuntimeError as e:
        return str(e)
    return len(d)


def another_value(x, n):
    d = {"a": 2, "k": 3}
    out = []
    for k, v in d.items():
        out.append(v)
        if n > 1:
            d["k"] = 7
    return out, d


def another_value_in_a_staged_dict(x, n):
    d = {"a": 2, "k": 3}
    if n > 2:
        d["y"] = 5
    out = []
    for v in d.values():
        out.append(v)
        if n > 1:
            d["k"] = 7
    return out, d


def a_dict_that_becomes_known_only_to_the_program(x, n):
    d = {"a": 2, "k": 3}
    last = 0
    for v in d.values():
        last = v
        if n > 1:
            d = "another"
    return last, d


def a_set_that_grows(x, n):
    s = {1, 2}
    for e in s:
        if n > e:
            s.add(n.item() + 7)
    return len(s)


def numbered(x, n):
    d = {"a": 2, "k": 3}
    total = 0
    for i, k in enumerate(d):
        total += i + d[k]
        if n > 1:
            d["z"] = 1
    return total


def zipped(x, n):
    d = {"a": 2, "k": 3}
    total = 0
    for k, more in zip(d, [1, 2, 3]):
        total += more
        if n > 1:
            d.pop("k", None)
    return total


def zipped_after_what_ends_first(x, n):
    d = {"a": 2, "k": 3}
    total = 0
    for more, k in zip([1], d):
        total += more
        if n > 1:
            del d["k"]
    return total, d


def the_same_key_put_in_again(x, n):
    d = {"a": 2, "k": 3}
    for k in d:
        if n > 1:
            d[k] = d.pop(k) + 1
    return d


def a_value_taken_out_and_put_in_again(x, n):
    d = {"a": 2, "k": n.item()}
    for v in d.values():
        if n > 1:
            d.pop("k", 0)
            d["k"] = v
    return d


def put_in_again_before_a_break(x, n):
    d = {"a": 2, "k": n.item()}
    for k in d:
        if n > 1:
            d["a"] = d.pop("a") + 1
            break
    return d


def put_in_again_after_the_loop(x, n):
    d = {"a": 2, "k": n.item()}
    for k in d:
        if n > 1:
            break
    d[k] = d.pop(k) + 1
    return d


def nothing_taken_out(x, n):
    d = {"a": 2, "k": n.item()}
    for k in d:
        d["a"] += d.pop("other", 1)
    return d


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def test_another_key_in_the_place_of_one_is_refused_when_it_happens():
    """CPython goes on through whatever its hash table holds by now: skipping, repeating, or raising later."""

    def f(n):
        d = {"a": 1, "b": 2, "c": 3}
        for k in d:
            if n > 1:
                d["z"] = d.pop("b")
        return len(d)

    static = jit.to_static(f, input_spec=[InputSpec([], "int64")])
    assert int(static(to_tensor(1))) == 3
    with pytest.raises(RuntimeError, match="dictionary keys changed during iteration"):
        static(to_tensor(2))
