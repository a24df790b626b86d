"""A dict or set that changes while a loop iterates it: Python raises where its size changes; a value is read when it is met."""

from __future__ import annotations

import pytest

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


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
