"""What every random module starts with: classes, helper functions and module-level state that random functions use."""

from __future__ import annotations

PRELUDE = '''\
from collections import namedtuple
from dataclasses import dataclass, replace

import dy2st
from dy2st import to_tensor

Reading = namedtuple("Reading", "count value")


@dataclass
class Point:
    v: int
    x: object = None

    def moved(self, k):
        return Point(self.v + k, self.x)


class Trouble(ValueError):
    pass


class Box:
    def __init__(self, v):
        self.v = v
        self.log = []
        self.x = None

    def add(self, k):
        self.v = (self.v + k) % 50
        self.log.append(k)
        return self.v

    def settle(self, k):
        if k > 3:
            self.v = 0
            self.last = k
        else:
            self.log = []
        return self

    def keep(self, x):
        if self.x is None:
            self.x = x
        elif x.sum() > 1:
            self.x = self.x + x
        return self.x


class Manager:
    def __init__(self, log, swallows):
        self.log, self.swallows = log, swallows

    def __enter__(self):
        self.log.append(70)
        return self

    def __exit__(self, kind, error, traceback):
        self.log.append(71 if kind is None else 72)
        return self.swallows and kind is not None and issubclass(kind, ValueError)


def push(items, item):
    items.append(item)
    return len(items)


def push_some(items, item, test):
    if test:
        items.append(item)
    else:
        items.insert(0, item + 1)
    return items


def first_over(items, limit):
    for item in items:
        if item > limit:
            return item
    return limit


def store(table, key, value):
    table[key] = value


def check(value, limit):
    if value > limit:
        raise Trouble("over", limit)
    return value


def count_up(start, stop):
    while start < stop:
        yield start
        start += 1


def over(items, limit):
    for item in items:
        if item > limit:
            yield item


def noting(items, log):
    try:
        for item in items:
            yield item
    finally:
        log.append(73)


def both(items, others):
    yield from items
    yield from others


def steps(k):
    return 0 if k <= 0 else 1 + steps(k - 2)


def halved(x, k):
    if k <= 0:
        return x
    return halved(x * 0.5, k - 1) + 1


def digits(k, items):
    if k > 1:
        items.append(k % 3)
        digits(k // 2, items)
    return items


def fib(k):
    if k < 2:
        return k
    return fib(k - 1) + fib(k - 2)


def is_even(k):
    return True if k <= 0 else not is_even(k - 1)


def total(*items, by=1):
    result = 0
    for item in items:
        result += item
    return result * by % 50


def options(first, **more):
    return first + more.get("a", 0) + len(more)


def twice(k):
    return k * 2 % 23


def less(k):
    return k - 1


def apply(function, k):
    return function(k)


def shift(x, amount):
    x.add_(amount)


KEEP = Box(0)
COUNT = 0
SHARED = [1, 2]
TABLE = {"a": 1}
WEIGHT = to_tensor([0.5])
'''
