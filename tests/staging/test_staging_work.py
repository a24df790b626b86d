"""What staging does for code on values that it knows grows with the code that runs, and not with its square.

The work is counted: each call that is made while staging, in Python or in C, by this package or by the user's code.
"""

import collections
import math
import sys
import threading
import types

import pytest

import dy2st


def work(function, *args) -> int:
    """How many calls staging a function makes."""
    static, calls = dy2st.jit.to_static(function), 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        static(*args)
    finally:
        sys.setprofile(None)
    return calls


class Node:
    def __init__(self, value):
        self.value, self.seen = value, 0

    def visit(self, by):
        self.seen = self.seen + by
        return self.value


def read_fields(n):
    wide = WIDE[n](*range(n))
    for name in wide._fields:
        getattr(wide, name)


def change_new_objects(n):
    nodes = [Node(i) for i in range(n)]
    for node in nodes:
        node.visit(1)
    return len(nodes)


def append_and_pop(n):
    values = []
    for i in range(n):
        values.append(i)
    while values:
        values.pop()


def keep_the_last_few(n):
    kept = {}
    for i in range(n):
        kept[i] = i
        if len(kept) > 5:
            del kept[next(iter(kept))]


def fill_a_dict(n):
    table = {}
    for i in range(n):
        table[i] = [i]
    return sum(value[0] for value in table.values())


def read_globals(n):
    return sum(NODES[i].value for i in range(n))


def nested_calls(n):
    def twice(value):
        return value + value

    return [twice(i) for i in range(n) if i % 2]


def joined_texts(n):
    text = ""
    for i in range(n):
        text += f"{i},"
    return text


def caught(n):
    for i in range(n):
        try:
            raise KeyError(i)
        except KeyError:
            pass


def yielded(n):
    def numbers():
        for i in range(n):
            yield i

    return list(numbers())


NODES = [Node(i) for i in range(1000)]
SIZES = 60, 120, 240
WIDE = {n: collections.namedtuple("Wide", [f"f{i}" for i in range(n)]) for n in SIZES}
GROWING = (
    read_fields, change_new_objects, append_and_pop, keep_the_last_few, fill_a_dict, read_globals, nested_calls, joined_texts,
    caught, yielded,
)  # fmt: skip


@pytest.mark.parametrize("function", GROWING, ids=lambda function: function.__name__)
def test_twice_the_turns_are_twice_the_work(function):
    work(function, SIZES[0])  # which rewrites it
    small, middle, large = (work(function, n) for n in SIZES)
    assert large - middle < 2.3 * (middle - small)


def count_up(n):
    i = 0
    while i < n:
        i += 1
    return i


def take_roots(n):
    total = 0.0
    for i in range(n):
        total += math.sqrt(i)
    return total


def spell(n):
    size = 0
    for i in range(n):
        size += len("%d, %s" % (i, "x".upper()))
    return size


def store_items(n):
    values = [0] * n
    for i in range(n):
        values[i] = i
    return len(values)


def sum_up(n):
    return sum([1] * n) + max([2] * n) + len(",".join(["x"] * n))


FEW = {count_up: 30, take_roots: 45, spell: 42, store_items: 27, sum_up: 4}


@pytest.mark.parametrize("function", FEW, ids=lambda function: function.__name__)
def test_an_operation_on_known_values_takes_few_calls(function):
    work(function, SIZES[0])
    assert work(function, SIZES[2]) - work(function, SIZES[1]) <= FEW[function] * (SIZES[2] - SIZES[1])


def test_what_c_keeps_is_looked_for_among_the_variables_of_modules_in_few_calls():
    lock = threading.Lock()

    def held():
        return lock

    work(held)
    before = work(held)
    crowd = types.ModuleType("crowd")
    vars(crowd).update((f"name_{k}", k) for k in range(10_000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, crowd.__name__, crowd)
        assert work(held) < before + 1000
