"""An iterator that raises: what it gave before stays in the container that takes its items, as in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter, OrderedDict, deque

import pytest

import dy2st as paddle


def known(n):
    yield 1
    yield 2
    raise ValueError("at once")


def sometimes(n):
    yield 1
    if n > 0:
        yield n
    if n > 1:
        raise ValueError("sometimes")
    yield 3


class Counted:
    def __init__(self, n):
        self.given = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.given += 1
        if self.given > 2:
            raise ValueError("the third")
        return self.given


def inverse(n):
    return (6 // (n - value) for value in [0, 1, 2, 3])


def mapped(n):
    return map(lambda value: 6 // (2 - value), [0, 1, 2, 3])


def extend(held, items):
    held.extend(items)


def extend_left(held, items):
    held.extendleft(items)


def add_in_place(held, items):
    held += items


def put_in_front(held, items):
    held[0:0] = items


def update(held, items):
    held.update(items)


def take_out(held, items):
    held.difference_update(items)


def update_pairs(held, items):
    held.update((item, item) for item in items)


def unite_pairs(held, items):
    held |= ((item, item) for item in items)


WAYS = [
    (list, extend), (list, add_in_place), (list, put_in_front), (set, update), (lambda: {1, 2, 3}, take_out), (deque, extend),
    (lambda: deque(maxlen=2), extend), (deque, extend_left), (deque, add_in_place), (dict, update_pairs), (dict, unite_pairs),
    (OrderedDict, update_pairs), (Counter, update),
]  # fmt: skip


def told(value):
    if isinstance(value, paddle.Tensor):
        return value.item()
    if isinstance(value, dict):
        return {told(key): told(item) for key, item in value.items()}
    if isinstance(value, set):
        return sorted(map(told, value))
    return [*map(told, value)] if isinstance(value, list | deque) else value


@pytest.mark.parametrize("items, way", [*itertools.product([known, sometimes, Counted, inverse, mapped], WAYS)])
def test_what_came_before_stays(items, way):
    make, take = way

    def taken(n):
        held = make()
        try:
            take(held, items(int(n)))
        except (ValueError, ZeroDivisionError):
            return held, "raised"
        return held, "done"

    static = paddle.jit.to_static(taken)
    for n in range(4):
        found, expected = static(paddle.to_tensor(n)), taken(paddle.to_tensor(n))
        assert told(list(found)) == told(list(expected))


def reads_what_it_fills(n):
    held = [int(n)]

    def lengths():
        for _ in range(3):
            yield len(held)

    held.extend(lengths())
    return held


def test_the_items_are_put_in_one_by_one():
    static = paddle.jit.to_static(reads_what_it_fills)
    for n in (0, 5):
        assert told(static(paddle.to_tensor(n))) == reads_what_it_fills(paddle.to_tensor(n)) == [n, 1, 2, 3]
