"""Tuples, namedtuples and dataclasses in staged branches and loops; tuples whose length is known only at run time."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pytest

import dy2st as paddle

from .agreement import COUNTS, as_programs, assert_agrees, functions_of, outcome
from .paths import assert_agrees_on_all_paths, in_two_dtypes

Point = namedtuple("Point", "a b")


class State(NamedTuple):
    h: object
    step: int = 0


@dataclass
class Box:
    v: object
    n: int = 0
    log: list = field(default_factory=list)


@dataclass(frozen=True)
class Ice:
    v: object
    k: int = 1


def tuple_grows(x, n):
    t = ()
    for i in range(n):
        t = t + (i,)
    return t


def tuple_grows_by_iadd(x, n):
    t = (x,)
    for i in range(n):
        t += (t[-1] * 2,)
    return len(t), t[-1], t


def tuple_concat_in_branch(x, n):
    t = (1, 2)
    if n > 1:
        t = t + (3,)
    return t, len(t)


def tuple_index_staged(x, n):
    t = (5, 6, 7, 8)
    return t[n], t[:n], t[-1]


def tuple_iterate(x, n):
    t = (x, x + 1)
    if n > 1:
        t = (x,)
    s = 0
    for v in t:
        s = s + v
    return s


def tuple_membership(x, n):
    t = (1, 3)
    return n in t, t.index(3), t.count(1), n in (0, 1)


def tuple_unpacked_by_path(x, n):
    t = (1, 2, 3)
    if n > 1:
        t = (4, 5, 6)
    a, *b = t
    return a, b


def tuple_of_list(x, n):
    items = []
    for i in range(n):
        items.append(i)
    return tuple(items)


def swap_in_tuple(x, n):
    a, b, c = 1, 2, 3
    for i in range(n):
        a, b, c = b, c, a
    return a, b, c


def named(x, n):
    p = Point(x, 0)
    for i in range(n):
        p = Point(p.a + 1, p.b + i)
    return p, p.b


def named_replaced(x, n):
    s = State(x)
    while s.step < n:
        s = s._replace(h=s.h * 2, step=s.step + 1)
    return s.h, s.step, s._asdict()["step"]


def named_in_list(x, n):
    items = []
    for i in range(n):
        items.append(Point(i, x * i))
    s = 0
    for p in items:
        s = s + p.a
    return s, items


def named_by_path(x, n):
    if n > 1:
        p = Point(x * 2, x)
    else:
        p = Point(x, None)
    return p.a, p.b is None


def dataclass_fields(x, n):
    b = Box(x)
    for i in range(n):
        b.v = b.v + 1
        b.n += i
        b.log.append(i)
    return b.v, b.n, b.log


def dataclass_replaced(x, n):
    b = Ice(x)
    if n > 1:
        b = replace(b, k=5)
    return b.v, b.k


def dataclass_equality(x, n):
    a, b = Ice(1), Ice(1, 2)
    if n > 1:
        b = Ice(1)
    return a == b


def dataclass_list(x, n):
    boxes = []
    for i in range(3):
        boxes.append(Box(x, i))
    for b in boxes:
        if b.n < n:
            b.v = b.v * 2
    return [b.v for b in boxes]


def dataclass_carried(x, n):
    s = Ice(x)
    for i in range(n):
        s = Ice(s.v * 2, s.k + 1)
    return s.v, s.k


def order_of_names(x, n):
    a, b = (n, 1), (2, 0)
    best = a
    if b < best:
        best = b
    return best


def grown_on_one_path(x, n):
    u = ()
    for i in range(n):
        if i % 2 == 0:
            u = u + (i,)
    return u, len(u)


def grown_and_shrunk_in_nested_loops(x, n):
    u, v = (), (n,)
    for i in range(n):
        for j in range(i):
            if j != 1:
                u = u + (j,)
        if i > 2:
            u = u[1:]
        if i % 2 == 0:
            v = (i, *v)
        elif len(v) > 1:
            v = v[1:]
    return u, v


def grown_in_a_list_and_in_a_tuple(x, n):
    items, pair = [()], ((), 1)
    for i in range(n):
        items.append(items[-1] + (i,))
        if i != 1:
            pair = (pair[0] + (i,), 2)
    return items, pair


def doubled_on_one_path(x, n):
    u = ()
    for i in range(n):
        for r in x:
            if r > 0:
                u = (*u, r)
        if i == 1:
            continue
        u = u + u
    return u


class Seen:
    def __init__(self):
        self.all = (1,)


def grown_in_an_attribute(x, n):
    seen = Seen()
    for i in range(n):
        if i != 2:
            seen.all = seen.all + (i, "a")
    return seen.all


def tensors_stacked(x, n):
    u = (x,)
    for i in range(n):
        u = u + (x * i,)
    return paddle.stack(u), paddle.concat(u)


def best_tuple_in_loop(x, n):
    best = (-100, None)
    for i in range(n):
        cand = ((i * 3) % 4, i)
        if cand > best:
            best = cand
    return best


def tuple_compare(x, n):
    a, b = (n, 1), (2, 0)
    return a < b, a == b, max(a, b), min([a, b])


def a_namedtuple_deleted_in_a_loop(x, n):
    p = Point(7, x)
    while n > 0:
        del p
        n = n - 1
    return x


def searched(x, n):
    known, mixed = (1, 2, 2, 3), (int(n), 2, 2, int(n))
    grown = ()
    for i in range(n):
        grown = grown + (i % 2,)
    return known.count(int(n)), mixed.index(2), mixed.index(2, 2), mixed.count(2), mixed.index(int(n), 1), grown.count(1)


def searched_in_vain(x, n):
    return (1, int(n), 3).index(4)


def not_among_those_that_it_grew_by(x, n):
    grown = ()
    for i in range(n):
        grown = grown + (i,)
    return grown.index(2)


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def a_sequence_or_something_else(x, n):
    for i in range(n):
        if i == 1:
            return (x, i)
        while x.sum() > 1e6:
            return (i,)
        if i == 2:
            return x
    return [n]


def test_a_tuple_goes_where_a_tuple_that_grows_may_stand():
    assert_agrees(a_sequence_or_something_else)


def test_a_tuple_that_grows_from_call_to_call():
    class Model:
        def __init__(self):
            self.seen = ()

        def __call__(self, x, n):
            if n != 1:
                self.seen = self.seen + (n,)
            return len(self.seen), self.seen

    plain, model = Model(), Model()
    for program in as_programs(model):
        plain.seen = ()
        for call in COUNTS * 3:
            assert outcome(program, call) == outcome(plain, call)
        assert len(plain.seen) == 9
