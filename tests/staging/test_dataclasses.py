"""Dataclasses made, changed and replaced in staged control flow: default factories and `__post_init__` are converted."""

from __future__ import annotations

from dataclasses import InitVar, asdict, astuple, dataclass, field, is_dataclass, replace
from typing import NamedTuple

import pytest

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Log:
    def __init__(self):
        self.items = [1]


@dataclass
class Point:
    v: object
    w: object = 0

    def __add__(self, other):
        return Point(self.v + other.v, self.w)

    def moved(self, k):
        return replace(self, v=self.v + k)


@dataclass
class Made:
    point: Point = field(default_factory=lambda: Point(1))
    log: Log = field(default_factory=Log)
    seen: dict = field(default_factory=dict, init=False)


@dataclass
class Clipped:
    v: object
    by: InitVar[int] = 2
    log: list = field(default_factory=list)
    count: int = field(default=3, init=False)

    def __post_init__(self, by):
        if self.v > by:
            self.v = by
            self.log.append("clipped")
        self.parts = [self.v]


@dataclass(slots=True)
class Slotted:
    v: object
    log: list = field(default_factory=list)


@dataclass(frozen=True)
class Frozen:
    v: object
    w: object = 1


def replaced_on_one_path_changed_on_the_other(x, n):
    p = Point(3, x)
    if n > 1:
        p.v += 1
    else:
        p = replace(p, v=5)
    return p.v, p.w


def replaced_in_a_loop(x, n):
    p, q, r = Point(1, x), Point(0), Point(0)
    for i in range(n):
        p = replace(p, v=1)
        q = q.moved(i)
        r = r + Point(i)
    return p.v, q.v, r.v


def replaced_after_a_branch(x, n):
    f = Frozen(1)
    if n > 1:
        f = replace(f, w=x)
    g = replace(f, v=n)
    return f.v, f.w, g.v, g.w


def one_of_several_replaced(x, n):
    points = [Point(0), Point(1), Point(2)]
    p = points[n % 3]
    p.w = x
    q = replace(p, v=7)
    q.w = 8
    return p.v, p.w, q.v, q.w


def sum_of_two_by_its_operator(x, n):
    p = Point(1) + Point(2)
    if n > 1:
        p.v += 1
    return p.v


def made_by_its_default_factories(x, n):
    made, other = Made(), Made(Point(5), log=Log())
    if n > 1:
        made.point.v = n
        made.log.items.append(2)
        made.seen["k"] = x
        other.log.items.append(3)
    return made.point.v, made.log.items, made.seen, other.point.v, other.log.items


def parts_shared_after_replacing(x, n):
    made = Made()
    other = replace(made, point=Point(2))
    if n > 1:
        other.log.items.append(5)
    made.log.items.append(7)
    return made.log.items, other.point.v, made.point.v, other.seen is made.seen


def clipped_by_post_init(x, n):
    c = Clipped(int(n), 3)
    d = replace(c, v=n + 1, by=1)
    if n > 1:
        c.parts.append(5)
    return c.v, c.parts, c.log, c.count, d.v, d.parts, d.log is c.log


def clipped_in_a_loop(x, n):
    c = Clipped(0)
    for i in range(n):
        c = replace(c, v=c.v + i, by=2)
    return c.v, len(c.log)


def slots_replaced(x, n):
    s = Slotted(int(n))
    s.log.append(1)
    if n > 1:
        s = replace(s, v=3)
        s.log.append(n)
    return s.v, s.log


class Pair(NamedTuple):
    one: object
    items: list


@dataclass
class Holder:
    part: object
    items: list
    named: dict = field(default_factory=dict)


OUTSIDE = Holder(Slotted(1), [Point(2), 3], {"a": [1]})


def r_07_told_as_dict_and_tuple(x, n):
    h = Holder(Pair(Point(int(n)), [1]), [Point(1), Point((2, 3))], {"k": [Frozen(5)]})
    if n > 1:
        h.items.append(Point(6))
        h.part.items.append(int(n))
    told = asdict(h)
    h.items.clear()
    return told, astuple(h), is_dataclass(h.items), is_dataclass(h), is_dataclass(Holder)


def r_07_told_with_factories(x, n):
    s = Slotted(int(n))
    for i in range(n):
        s.log.append(i)
    told = asdict(s, dict_factory=lambda pairs: {key.upper(): value for key, value in pairs})
    return told, astuple(s, tuple_factory=list), asdict(s if n > 1 else Point(3))["v"]


def r_07_told_of_one_from_outside(x, n):
    told = asdict(OUTSIDE)
    told["items"].append(int(n))
    return told, astuple(OUTSIDE), len(OUTSIDE.items)


def r_07_told_of_no_dataclass_raises(x, n):
    return asdict(n) if n > 1 else n


@dataclass(slots=True)
class Checked:
    v: object
    by: InitVar[int] = 2
    log: list = field(default_factory=list, init=False)

    def __post_init__(self, by):
        if self.v > by:
            self.v = by
            self.log.append("checked")


@dataclass(slots=True, frozen=True)
class Settled:
    v: object
    w: object = 1

    def __post_init__(self):
        if self.v < 0:
            object.__setattr__(self, "v", 0)


def r_07_slots_and_post_init(x, n):
    c = Checked(int(n))
    if n > 1:
        c = replace(c, v=n + 1, by=1)
    s = Settled(int(n) - 2)
    return c.v, c.log, s.v, s.w, Settled(int(n), w=x).w


def field_without_init_raises(x, n):
    return replace(Clipped(0), by=1, count=n) if n > 1 else x


def unknown_field_raises(x, n):
    return replace(Point(0), nothing=n) if n > 1 else x


def what_is_no_dataclass_raises(x, n):
    return replace(x, v=n) if n > 1 else x


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)
