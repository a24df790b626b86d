"""Operators of the user's classes on objects that hold lists which only the Program knows: converted, as Python asks them."""

from __future__ import annotations

import pytest

import dy2st as paddle

from .agreement import NUMBER, VECTOR, as_programs, assert_agrees, functions_of


class Bag:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def __add__(self, other):
        return Bag(self.items + other.items) if isinstance(other, Bag) else NotImplemented

    def __radd__(self, other):
        return Bag([other] + self.items)

    def __mul__(self, times):
        return Bag([v * times for v in self.items])

    __rmul__ = __mul__

    def __sub__(self, other):
        return Bag([v for v in self.items if v not in other.items])

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self.items, other.items))

    def __or__(self, other):
        self.items.extend(other.items)
        return self

    def __neg__(self):
        return Bag([-v for v in self.items])

    def __invert__(self):
        return Bag(self.items[::-1])

    def __abs__(self):
        return len(self.items)

    def __lt__(self, other):
        return len(self.items) < len(other.items)

    def __eq__(self, other):
        return isinstance(other, int) and len(self.items) == other


class Sorted(Bag):
    def __radd__(self, other):
        return Bag(sorted(other.items + self.items))


class Counting:
    def __init__(self):
        self.n = 0

    def __add__(self, other):
        self.n += other
        return self


def bag(n, cls=Bag):
    items = []
    for i in range(n):
        items.append(i + 1)
    return cls(items)


def put_together(x, n):
    both = bag(n) + bag(2)
    return both.items, (7 + bag(n)).items, sum([bag(n), bag(1)], bag(0)).items


def in_a_loop(x, n):
    every = bag(0)
    for i in range(n):
        every = every + bag(i)
    return every.items


def with_numbers(x, n):
    return (bag(n) * 3).items, (2 * bag(n)).items, (bag(n) * x.sum()).items


def others(x, n):
    return (bag(n) - bag(1)).items, bag(n) @ bag(3), (-bag(n)).items, (~bag(n)).items, abs(bag(n))


class Scale:
    def __init__(self, by):
        self.by, self.times = by, 0

    def __iadd__(self, other):
        self.by = self.by + other
        self.times += 1
        return self

    def __ifloordiv__(self, other):
        self.by //= other
        return self

    def __mod__(self, other):
        self.times += 1
        return Scale(self.by % other)


def r_07_changed_in_place_by_a_number(x, n):
    a, b, c = Scale(1), Scale(int(n) + 5), [Scale(7)]
    for i in range(n):
        a += 3
        b //= 2
        c[0] //= 2
    box = Counting()
    box.scale = a
    if n > 1:
        box.scale += 1
        c[0] %= 2
    return a.by, a.times, b.by, c[0].by, c[0].times, box.scale is a


def changed_in_place(x, n):
    first = bag(n)
    first |= bag(1)
    other = first
    other += bag(n)
    return first.items, other.items


def ordered(x, n):
    return bag(n) < bag(2), bag(n) > bag(2), bag(n) == 2, bag(n) != 2, 1 == bag(n)


def of_a_derived_class(x, n):
    return (bag(n) + bag(2, Sorted)).items, (bag(2, Sorted) + bag(n)).items


def what_no_class_knows(x, n):
    try:
        return bag(n) - x, bag(n) + "a"
    except (TypeError, AttributeError) as error:
        return str(error)


def unpacked(x, n):
    a, *rest = bag(n + 1)
    b, c = bag(2)
    return a, rest, b, c


def one_of_two(x, n):
    held = bag(n) if n > 1 else 5
    return held == 2, (3 * held).items if n > 1 else 3 * held


def plain_arithmetic_beside_it(x, n):
    y = x * 2 - 1
    k = -n ** 2 // 3 % 5
    return (bag(n) + bag(1)).items, y, k, [1] + [2] * 2, "%d" % n


def stores_in_a_branch(x, n):
    counting = Counting()
    if x.sum() > 0:
        counting = counting + 2
    for i in range(n):
        counting + i
    return counting.n


CASES = functions_of(globals())


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees(function):
    assert_agrees(function)


def test_the_rewritten_source_names_each_operator():
    static = paddle.jit.to_static(put_together, input_spec=[VECTOR, NUMBER])
    static.concrete_program
    assert '_jst.operator("+", _jst.call(bag)(n), _jst.call(bag)(2))' in static.code.replace("'", '"')


def test_what_reads_no_such_list_keeps_its_operators():
    def plain(x, n):
        y = x * 2
        return -y + n

    static, _ = as_programs(plain)
    assert "_jst.operator" not in static.code
