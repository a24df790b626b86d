"""Code of models that leads through every room of the runtime, to be staged inside of control flow."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import itertools
import operator
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

import numpy as np

import dy2st as paddle

SEEN = {"calls": 0, "last": None}
WEIGHTS = paddle.ones([3])
ARRAY = np.arange(3.0)
Pair = namedtuple("Pair", "first second")
total = 0


@dataclasses.dataclass
class Point:
    a: object
    b: object = 2


class Box:
    def __init__(self, held):
        self.held = held

    @property
    def doubled(self):
        return self.held * 2

    @doubled.setter
    def doubled(self, value):
        self.held = value / 2

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __add__(self, other):
        return Box(self.held + other.held)

    def __getitem__(self, index):
        return self.held + index

    def __str__(self):
        return f"Box of {self.held}"


class Trouble(Exception):
    def __init__(self, code):
        super().__init__("trouble", code)
        self.code = code


@contextlib.contextmanager
def doubled(x):
    yield x * 2


def evens(n):
    for i in range(n):
        if i % 2 == 0:
            yield i


def running(total):
    while True:
        got = yield total
        total = total + got


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@functools.singledispatch
def kind(value):
    return 0


@kind.register
def _(value: list):
    return len(value)


def lists(x, n):
    items, pairs = [1, 2, 3], []
    for i in range(n):
        items.append(i)
        items[0] += i
        pairs.append((i, items[-1]))
    first, *rest = items
    ordered = sorted(items, key=lambda item: -item, reverse=True)
    del items[0]
    taken = [a + b for a, b in pairs if a >= 0]
    both = {a: b for a, b in zip(items, rest)}
    return first, ordered, taken, both, items[1:], max(items), sum(items), len(items), n in items, items == rest, items + [9]


def dicts_and_sets(x, n):
    table, members = {"a": 1, "b": x}, {1, 2}
    if n > 1:
        table["c"] = n
        members.add(5)
        table.setdefault("d", 7)
    table.update(e=n)
    for key, value in table.items():
        members.discard(value is None)
    return table.get("c", 0), table["a"], "b" in table, members | {3}, len(members), sorted(table), {**table, "z": 1}


def kept(x, n):
    line, counts, lists, order = deque([1, 2]), Counter("abca"), defaultdict(list), OrderedDict(a=1)
    for i in range(n):
        line.append(i)
        counts["a"] += 1
        lists["k"].append(i)
        order["b"] = i
    order.move_to_end("a")
    return line.popleft(), counts.most_common(1), len(lists["k"]), list(order.keys()), sum(counts.values())


def objects(x, n):
    box, point, pair = Box(x), Point(n), Pair(n, x)
    if n > 1:
        box.held = x * 2
        box.extra = n
        point.a = 5
    box.doubled = x
    setattr(point, "b", n)
    boxes = [Box(i) for i in range(3)]
    for i in range(n):
        boxes[0].held = i
    match pair:
        case Pair(first=a):
            point = dataclasses.replace(point, b=a)
    copied = copy.deepcopy(boxes)
    named = getattr(box, "held"), hasattr(box, "other"), isinstance(point, Point), type(n)
    return (box + Box(x)).held, box[1], pair.first, pair == Pair(1, x), copied[0].held, named, boxes[n % 3].held


def text(x, n):
    word = "a" if n > 1 else "bc"
    filled = f"{n:>5} {word!r}", "%d of %s" % (n, word), "{} {k}".format(n, k=word)
    return filled, "-".join([word, "z"]), word.upper(), str([n, word])


def functions(x, n):
    seen = 0

    def note(k):
        nonlocal seen
        seen += k
        return seen

    for _ in range(n):
        note(1)
    numbers = list(map(note, [1, 2])) + list(filter(None, [0, n])) + list(evens(5))
    adder = running(0)
    next(adder)
    adder.send(n)
    steps = iter([1, 2, 3])
    with Box(x) as box, doubled(x) as twice:
        y = box.held + twice
    arguments = [1, 2]
    added = functools.reduce(operator.add, numbers, 0), functools.partial(max, 3)(n), max(*arguments)
    return y, seen, factorial(n), adder.send(2), next(steps) + next(steps), added, kind([1]), list(itertools.islice(evens(9), 2))


def exceptions(x, n):
    found = 0
    try:
        found = {"k": 1}["k"] // (n - 2)
        if n > 5:
            raise Trouble(n)
    except ZeroDivisionError as error:
        found = len(error.args)
    except Trouble as trouble:
        found = trouble.code
    finally:
        found = found + 1
    assert n > -1, "negative"
    return found


def state(x, n):
    global total
    if n > 1:
        SEEN["calls"] += 1
        total = total + 1
    SEEN["last"] = x
    return SEEN["calls"], total


def tensors(x, n):
    rows = paddle.zeros([4, 3]) + x * WEIGHTS
    for i in range(n):
        rows[i] = x + i
    longest = rows.shape[0] if n > 1 else n
    a, b, c = x
    scale = float(n) if bool(n > 1) else 1
    return rows[1:, 0].sum() * float(ARRAY[1]), [row.sum() for row in rows], longest, a + b, x is x, scale, np.sqrt(4.0)


PARTS = [lists, dicts_and_sets, kept, objects, text, functions, exceptions, state, tensors]
