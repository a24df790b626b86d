"""Dicts of values of several types, by the kinds of their keys: which of them staging tells apart is nobody's concern."""

import enum

import pytest

from staging.agreement import assert_agrees, functions_of


class Col(enum.Enum):
    A = 1
    B = 2


class Ci(enum.IntEnum):
    A = 1
    B = 2


def many(x, n):
    rows = [[0], [1]]
    d = {"rows": rows, "first": rows[0]}
    if n > 1:
        for i in range(29):
            d[i] = i
    if n > 2:
        d["first"].append(3)
    return d, len(d)


def toomany(x, n):
    d = {"rows": [1], "n": 2}
    if n > 1:
        for i in range(60):
            d[i] = i
    if n > 2:
        d["rows"].append(3)
    return d["n"] + 1, d["rows"], len(d), d.get(7), d.get(70)


def bools(x, n):
    d = {1: [1], "n": 2}
    if n > 1:
        d[True] = "one"
    if n > 2:
        d[1] = 5
        d[False] = 1
        d[None] = [2]
    return d, d.get(0), d[1], d.get(None), [type(k).__name__ for k in d]


def floats(x, n):
    d = {1: [1], "n": 2}
    if n > 1:
        d[1.0] = "one"
    if n > 2:
        d[2.5] = 3
    return d, d[1], [type(k).__name__ for k in d]


def enums(x, n):
    d = {Col.A: [1], Col.B: 2}
    if n > 1:
        d[Col.A] = 3
    return d[Col.A], d[Col.B] + 1


def ienums(x, n):
    d = {Ci.A: [1], 2: 2}
    if n > 1:
        d[1] = 3
    return d[Ci.A], d[Ci.B] + 1, d[1]


def tuples(x, n):
    d = {(1, "a"): [1], (2, "b"): 2}
    if n > 1:
        d[(1, "a")] = [4]
    return d[(2, "b")], d[(1, "a")], len(d)


def strsub(x, n):
    class S(str):
        pass

    d = {"a": [1], "b": 2}
    if n > 1:
        d[S("a")] = 3
    return d["a"], d["b"]


def computed(x, n):
    d = {"a": [1], "b": 2}
    key = f"{'a' if n > 2 else 'b'}"
    if n > 1:
        d[key] = 7
    return d[key], d["a"], d


def pops(x, n):
    d = {"a": [1], "b": 2, "c": None}
    if n > 1:
        d["a"], d["b"] = d.pop("b"), d.pop("a")
    if n > 3:
        d.pop("c")
    got = d.pop("c", 5)
    return d, got, list(d)


def nested(x, n):
    cfg = {"opt": {"lr": 0.1, "steps": [1, 2]}, "name": "m"}
    if n > 1:
        cfg["opt"]["lr"] = cfg["opt"]["lr"] * 2
        cfg["opt"]["sched"] = {"at": cfg["opt"]["steps"]}
    if n > 2:
        cfg["opt"]["sched"]["at"].append(n)
    return cfg


def recursion(x, n):
    def go(d, k):
        if k <= 0:
            return d
        d["k"] = d["k"] + 1
        d["seen"].append(k)
        return go(d, k - 1)

    d = go({"k": 0, "seen": []}, n)
    return d


def gen(x, n):
    def rows(d):
        for i in range(n):
            d["i"] = i
            yield d

    out = []
    for d in rows({"i": None, "l": [x.sum()]}):
        out.append((d["i"], d["l"]))
    return len(out), out[-1][0] if out else None


def eq(x, n):
    a = {"x": [1], "y": 2}
    b = {"y": 2, "x": [1]}
    if n > 1:
        a["y"] = 3
    if n > 2:
        b["y"] = 3
    return a == b, a != b, a


def swap(x, n):
    d = {"a": [1], "b": 2}
    for _ in range(n):
        d["a"], d["b"] = d["b"], d["a"]
    return d["a"], d["b"], d


def fn(x, n):
    d = {"f": lambda v: v + 1, "n": 2, "l": [1]}
    if n > 1:
        d["f"] = abs
        d["n"] = 3
    return d["f"](n), d["n"] + len(d["l"])


@pytest.mark.parametrize("case", functions_of(globals()), ids=lambda case: case.__name__)
def test_each_key_finds_its_value(case):
    assert_agrees(case)
