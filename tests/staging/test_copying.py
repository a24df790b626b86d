"""`copy.copy` and `copy.deepcopy` of lists, dicts, sets, tuples and objects that only the Program knows."""

from __future__ import annotations

import copy
from collections import OrderedDict, namedtuple

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import NUMBER, VECTOR, functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes

Pair = namedtuple("Pair", "a b")


class Box:
    def __init__(self, v):
        self.v = v
        self.log = [v]


class Node:
    def __init__(self, value, after):
        self.value, self.after = value, after


class Copied:
    def __init__(self, v):
        self.v = v

    def __copy__(self):
        return Copied(self.v + 1)


class Searched:
    def __init__(self):
        self.best, self.current = None, [0]

    def step(self, i):
        self.current.append(i)
        if i % 2 == 0:
            self.best = copy.deepcopy(self.current)


def objects(x, n):
    o = p = Box(1)
    for i in range(n):
        o = Box(i)
    if n > 1:
        p = Box(2)
    q, r, s = copy.copy(o), copy.deepcopy(p), copy.copy(p)
    q.v = 5
    q.log.append(3)
    r.log.append(4)
    s.extra = 1
    return o.v, q.v, o.log, p.log, r.log, hasattr(p, "extra"), isinstance(r, Box)


def of_an_object_with_a_tensor_on_a_path(x, n):
    o = p = Box(x * 2)
    if n > 1:
        p = copy.deepcopy(o)
        p.log.append(x)
    return p.v, len(o.log), len(p.log), p is o


def lists(x, n):
    items = [[1]]
    for i in range(n):
        items.append([i])
    flat, deep = copy.copy(items), copy.deepcopy(items)
    flat[0].append(4)
    flat.append([0])
    deep[0].append(5)
    return items, flat, deep


def dicts_and_sets(x, n):
    d, s = {"a": [x]}, {1}
    if n > 1:
        d["k"] = [n]
    for i in range(n):
        s.add(i)
    e, t = copy.deepcopy(d), copy.copy(s)
    e["a"].append(4)
    t.discard(1)
    return d, e, s, t


def what_is_one_stays_one(x, n):
    a = [1]
    items = [a, a, (a, Pair(a, x)), None, "s"]
    if n > 1:
        a.append(2)
    m = copy.deepcopy(items)
    m[0].append(5)
    return m[1], m[2][0], m[2][1].a, m[2][1].b, a, m[0] is m[1], m[0] is a


def tensors_are_copied(x, n):
    items = [x * 1]
    if n > 1:
        items.append(x * 2)
    m = copy.deepcopy(items)
    m[0].add_(paddle.ones([1], x.dtype))
    return items, m


def a_linked_list(x, n):
    head = None
    for i in range(n):
        head = Node(i, head)
    k, total = copy.deepcopy(head), 0
    while k is not None:
        k.value = k.value + 10
        total += k.value
        k = k.after
    k = head
    while k is not None:
        total = total * 10 + k.value
        k = k.after
    return total


def an_object_that_holds_itself(x, n):
    o = Box(1)
    o.me = o
    if n > 1:
        o.v = 2
    items = [o]
    if n > 2:
        items.append(o)
    m = copy.deepcopy(items)
    m[0].v = 9
    return m[0].me.v, o.v, m[0].me is m[0]


def the_best_so_far(x, n):
    searched = Searched()
    for i in range(n):
        searched.step(i)
    return searched.best, searched.current


def beams(x, n):
    found = [([0], 0.0)]
    for _ in range(n):
        longer = []
        for tokens, score in found:
            for j in range(2):
                more = copy.deepcopy(tokens)
                more.append(j)
                longer.append((more, score + j))
        found = sorted(longer, key=lambda p: -p[1])[:2]
    return found


def as_its_class_says(x, n):
    c = Copied(1)
    for i in range(n):
        c = Copied(i)
    return copy.copy(c).v


def what_needs_no_copy(x, n):
    return copy.copy(n), copy.deepcopy(x), copy.copy("a"), copy.deepcopy((1, x)), copy.copy(None)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


SHARED = Box(0)


class Pickled(Box):
    def __getstate__(self):
        return {"v": 3}


def of_an_object_from_outside(x, k):
    items = [SHARED]
    if k > 0:
        items.append(x)
    return copy.deepcopy(items)[0] is SHARED


def by_a_hook(x, k):
    o = Pickled(1)
    for i in range(k):
        o = Pickled(i)
    return copy.copy(o).v


@pytest.mark.parametrize("function, text", [(of_an_object_from_outside, "copy its parts"), (by_a_hook, "__getstate__")])
def test_what_is_refused(function, text):
    with pytest.raises(ConversionError, match=text):
        paddle.jit.to_static(function, input_spec=[VECTOR, NUMBER]).concrete_program


def test_the_attributes_of_an_ordered_dict():
    def copied():
        made = OrderedDict(a=1)
        made.x = ["x"]
        found, deep = copy.copy(made), copy.deepcopy(made)
        return found, found.x is made.x, hasattr(made.copy(), "x"), deep.x, deep.x is made.x

    assert paddle.jit.to_static(copied)() == copied()
