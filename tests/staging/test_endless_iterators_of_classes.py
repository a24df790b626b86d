"""Iterables of the user's classes, with or without an end, taken from one item at a time: no more is asked than in Python."""

from __future__ import annotations

import itertools

import pytest

from dy2st import jit, to_tensor
from dy2st.errors import ConversionError

from .agreement import outcome


class Counting:
    """An iterator: it goes on where it was left."""

    def __init__(self, last=None):
        self.k, self.last = 0, last

    def __iter__(self):
        return self

    def __next__(self):
        if self.k == self.last:
            raise StopIteration
        self.k += 1
        return self.k


class Anew:
    """An iterable, whose every `__iter__` gives another iterator."""

    def __init__(self, last=None):
        self.k, self.last = 0, last

    def __iter__(self):
        self.k += 1
        return Counting(self.last)


class Generating(Anew):
    def __iter__(self):
        self.k += 1
        k = 0
        while k != self.last:
            k += 1
            yield k


def numbered(c):
    found = []
    for i, v in enumerate(c):
        if i > 2:
            break
        found.append(v)
    return found


WAYS = {
    "islice": lambda c, n: list(itertools.islice(c, 4)),
    "islice from": lambda c, n: [v * 2 for v in itertools.islice(c, 1, 4)],
    "islice twice": lambda c, n: (list(itertools.islice(c, 2)), list(itertools.islice(c, 2))),
    "islice unpacked": lambda c, n: [v for v in (lambda a, b: (a, b))(*itertools.islice(c, 2))],
    "islice of a tensor's": lambda c, n: sum(v for v in itertools.islice(c, 4) if n > v),
    "takewhile": lambda c, n: list(itertools.takewhile(lambda v: v < 4, c)),
    "dropwhile": lambda c, n: next(itertools.dropwhile(lambda v: v < 3, c)),
    "chain": lambda c, n: list(itertools.islice(itertools.chain([9], c), 3)),
    "accumulate": lambda c, n: list(itertools.islice(itertools.accumulate(c), 3)),
    "pairwise": lambda c, n: list(itertools.islice(itertools.pairwise(c), 3)),
    "zip": lambda c, n: list(zip("abc", c)),
    "zip before": lambda c, n: list(zip(c, "abc")),
    "zip of two": lambda c, n: list(itertools.islice(zip(c, c), 2)),
    "zip with rows": lambda c, n: [v * row for row, v in zip(to_tensor([1, 2]) * n, c)],
    "dict": lambda c, n: dict(zip("ab", c)),
    "enumerate": lambda c, n: numbered(c),
    "map": lambda c, n: [v for v, _ in zip(map(lambda v: v * 2, c), range(3))],
    "any": lambda c, n: any(v > 3 for v in c),
    "in": lambda c, n: 3 in c,
    "next": lambda c, n: (lambda it: (next(it), next(it)))(iter(c)),
}


@pytest.mark.parametrize("last", [None, 5])
@pytest.mark.parametrize("cls", [Counting, Anew, Generating])
@pytest.mark.parametrize("way", WAYS)
def test_as_many_items_are_asked_for_as_in_python(way, cls, last):
    def f(n):
        c = cls(last)
        return WAYS[way](c, n), c.k

    static = jit.to_static(f)
    for n in (0, 3):
        assert repr(outcome(static, [n])) == repr(outcome(f, [n]))


class ByIndex:
    def __getitem__(self, index):
        return index


def left_by_a_tensor(make):
    def f(n):
        for v in make():
            if v > n:
                break
        return v

    return f


@pytest.mark.parametrize("make, told", [
    (lambda: Counting(None), "write the __iter__ of Counting as a generator"),
    (lambda: Anew(None), "write the __iter__ of Counting as a generator"),
    (ByIndex, r"itertools.islice\(xs, n\)"),
])  # fmt: skip
def test_a_loop_that_a_tensor_leaves_is_refused_in_words(make, told):
    f = jit.to_static(left_by_a_tensor(make))
    with pytest.raises(ConversionError, match=told):
        f(to_tensor(3))


def asked_by_next(n):
    it = iter(Counting())
    while True:
        v = next(it)
        if v > n:
            break
    return v


@pytest.mark.parametrize("f", [
    left_by_a_tensor(Generating), left_by_a_tensor(lambda: itertools.islice(ByIndex(), 10)), asked_by_next,
])  # fmt: skip
def test_what_is_to_be_written_instead_converts(f):
    static = jit.to_static(f)
    for n in (0, 3):
        assert int(static(to_tensor(n))) == f(n)
