"""Strings indexed, sliced and iterated, and their methods, where the string or an argument is known only at run time."""

from __future__ import annotations

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


def known_text_staged_index(x, n):
    k = int(n)
    return "abcde"[k], "abcde"[-k], "abcde"[1:k], "abcde"[k:], "abcde"[::k + 1]


def index_out_of_range(x, n):
    return "abc"[int(n)]


def known_text_staged_arguments(x, n):
    s = "on" if n > 1 else "Th"
    return ("one".startswith(s), "a-on-b".split(s), "xx".zfill(int(n)), "on Th".find(s), "on".replace(s, "!"), s in "Then",
            "-".join(s), "on,Th".partition(s), "Th".count(s))


def text_iterated(x, n):
    s = "one two" if n > 1 else "Three"
    t = ""
    for ch in s:
        if ch != "o":
            t = t + ch.upper()
    for i, ch in enumerate(s):
        if i > 2:
            break
        t += ch
    return t, list(s), [c for c in s], {c: 1 for c in s}, sorted(s), tuple(s), len(set(s)), list(zip(s, "ab"))


def staged_separator(x, n):
    s = ", " if n > 1 else "-"
    parts = ["a"]
    for i in range(n):
        parts.append(str(i))
    return s.join(parts), s.join(["x", "y"]), s.join(c + "!" for c in "ab"), s.join("")


def power_modulo(x, n):
    k = int(n)
    return pow(k, 2, 5), pow(3, k, 7), pow(2, 5, k + 1), pow(k, 2), pow(2.0, k)


def functions_by_index(x, n):
    k = int(n)
    table = [lambda v: v + 1, lambda v: v * n, abs]
    named = {"a": lambda v: v - k, "b": max}
    by_default = [lambda v, i=i: v + i for i in range(3)]
    return table[k % 3](x), named["a" if n > 1 else "b"](3) if n > 1 else 0, by_default[k % 3](x)


def functions_made_in_a_loop(x, n):
    steps = []
    for i in range(n):
        steps.append(lambda v: v + 1)
    for step in steps:
        x = step(x)
    return x


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
