"""Objects of the user's classes that are one of several, made in loops, kept in containers, or changed through another name."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

from .agreement import assert_agrees

X = np.array([1.0, -2.0, 3.0], np.float32)


class Box:
    kind = "box"

    def __init__(self, v):
        self.v = v
        self.log = []

    def add(self, k):
        self.v = self.v + k
        self.log.append(k)
        return self

    @property
    def twice(self):
        return self.v * 2


class Heavy(Box):
    def add(self, k):
        super().add(k * 2)
        return self


class Node:
    def __init__(self, value, next_node):
        self.value = value
        self.next = next_node


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


@dataclasses.dataclass(frozen=True)
class Fixed:
    x: float


def one_of_two(x, n):
    o = Box(1)
    p = o
    if n > 0:
        o = Box(2)
    o.v = o.v + 5
    return o.v, p.v, o is p, o.twice


def replaced_and_kept_in_a_loop(x, n):
    o = Box(0)
    kept = []
    for i in range(n):
        if i % 2 == 0:
            o = Box(i)
            kept.append(o)
        o.add(1)
    total = 0
    for k in kept:
        total += k.v
    return o.v, len(kept), total


def chosen_by_index(x, n):
    boxes = [Box(0), Box(1.5), Box(2)]
    b = boxes[n % 3]
    b.v = b.v + 10
    return boxes[0].v, boxes[1].v, boxes[2].v, b is boxes[1]


def linked_list(x, n):
    head = None
    for i in range(n):
        head = Node(i * i, head)
    total = 0
    while head is not None:
        total += head.value
        head = head.next
    return total


def stored_on_an_object_or_none(x, n):
    p, o = None, [1]
    if n > 1:
        p, o = Box(1), Box(2)
    if n > 2:
        p.v = n
        o.v = n
        return p.v, o.v
    try:
        p.v = 3
    except AttributeError as error:
        return str(error)
    o.v = 4
    return o.v


def stored_on_a_number_or_a_list(x, n):
    p = int(n)
    if n > 2:
        p = Box(1)
    elif n > 1:
        p = [1]
    p.v = n
    return p.v


def two_names_in_both_branches(x, n):
    if n > 0:
        p = Box(1)
        q = p
    else:
        p = Box(2)
        q = p
    p.v = 7
    return q.v, p is q


def two_names_in_one_branch(x, n):
    if n > 0:
        p = q = Box(1)
    else:
        p = Box(2)
        q = Box(3)
    p.v = 9
    return q.v


def held_by_a_list_made_beside_it(x, n):
    if n > 0:
        p = Box(1)
        items = [p]
    else:
        p = Box(2)
        items = [p]
    p.v = 9
    return items[0].v, items[0] is p


def attribute_on_one_path(x, n):
    o = Box(1)
    if n > 1:
        o.extra = x
    return o.extra


def attribute_set_in_a_loop(x, n):
    o = Box(1)
    for i in range(n):
        o.extra = i
    return o.extra


def attribute_deleted_on_one_path(x, n):
    o = Box(1)
    if n > 1:
        del o.v
    return o.v


def holds_itself(x, n):
    o = Box(1)
    o.me = o
    for i in range(n):
        o = Box(o.me.v + 1)
        o.me = o
    return o.v, o.me is o


def of_two_classes(x, n):
    o = Heavy(1) if n > 1 else Box(1)
    o.add(3)
    return o.v, o.kind, isinstance(o, Heavy)


def dataclasses_in_a_list(x, n):
    points = []
    for i in range(n):
        points.append(Point(x[i], x[0]))
    total = x[0]
    for p in points:
        p.x = p.x * 2
        total = total + p.x + p.y
    return total


def frozen_dataclass_in_a_loop(x, n):
    q = Fixed(x)
    for _ in range(n):
        q = Fixed(q.x * 2)
    return q.x


def values_of_a_dict(x, n):
    boxes = {}
    for i in range(n):
        boxes[i] = Box(i)
        boxes[0].add(i)
    return boxes[0].v if n > 0 else None


def best_of_those_made(x, n):
    best = None
    for i in range(n):
        candidate = Box(x[i])
        if best is None or candidate.v > best.v:
            best = candidate
    return None if best is None else best.v


def inside_a_tuple(x, n):
    t = (Box(1), [x])
    for i in range(n):
        t[0].add(i)
        t[1].append(x + i)
        if i == 1:
            t = (Box(7), [x * 2])
    return t[0].v, t[1]


def bound_method_of_one_of_two(x, n):
    o = Box(1)
    f = o.add
    if n > 0:
        o = Box(5)
        f = o.add
    f(3)
    return o.v


def swapped_in_a_loop(x, n):
    a = Box(1)
    b = Box(2)
    for i in range(n):
        a, b = b, a
        a.v = a.v + i
    return a.v, b.v


def returned_from_either_path(x, n):
    if n > 1:
        return Box(n * 2)
    return Box(n)


def returned_or_changed(x, n):
    o = Box(1)
    if n > 0:
        o.add(1)
    else:
        if n == 0:
            return o
        return 1
    return o.v


def compared(x, n):
    a = Point(1, 2)
    b = Point(1, 2)
    if n > 0:
        b = a
    b.x = b.x + 0
    return a is b, a != None, a.x == b.x  # noqa: E711


CASES = [f for f in list(vars().values()) if getattr(f, "__module__", "") == __name__ and not isinstance(f, type)]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function):
    specs = [InputSpec([None]), InputSpec([], "int64")]
    assert_agrees(function, specs, [(X, np.int64(n)) for n in (0, 1, 2, 3)])


class Tracker:
    def __init__(self):
        self.last = Box(0)

    def step(self, n):
        if n > 0:
            self.last = Box(n)
        self.last.v = self.last.v + 1
        return self.last.v


def test_an_object_kept_on_self_goes_on_over_calls():
    plain, static = Tracker(), Tracker()
    step = paddle.jit.to_static(static.step, input_spec=[InputSpec([], "int64")])
    for n in (0, 0, 3, 0, 5, 0):
        argument = paddle.to_tensor(np.int64(n))
        assert float(step(argument)) == float(plain.step(argument))
    assert float(static.last.v) == float(plain.last.v)


class Remembering:
    def step(self, n):
        if n > 0:
            self.last = n
        return self.last


def test_an_attribute_that_no_path_has_set_yet_raises_as_in_plain_python():
    plain, static = Remembering(), Remembering()
    step = paddle.jit.to_static(static.step, input_spec=[InputSpec([], "int64")])
    for call in (plain.step, step):
        with pytest.raises(AttributeError, match="'Remembering' object has no attribute 'last'"):
            call(paddle.to_tensor(np.int64(0)))
        assert call(paddle.to_tensor(np.int64(3))) == 3
        assert call(paddle.to_tensor(np.int64(0))) == 3


class Walker:
    def __init__(self):
        self.place = 0


def walks_again_and_again(n):
    walker, total = Walker(), 0
    for i in range(n):
        walker.place = 0
        while walker.place < i:
            walker.place += 1
        total += walker.place
    return total


def test_what_a_loop_carries_of_an_object_is_called_by_its_name():
    walk = paddle.jit.to_static(walks_again_and_again, input_spec=[InputSpec([], "int64", "n")])
    text = str(walk.concrete_program.program)
    assert "%place_1: int" in text and "attribute" not in text
    assert int(walk(paddle.to_tensor(np.int64(5)))) == walks_again_and_again(5)
