"""Containers of the user's classes whose items the path decides, read by code that isn't converted: refused, never in part."""

from __future__ import annotations

import collections
import heapq

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError


class Table(dict):
    pass


class Names(set):
    pass


class Row(list):
    pass


class Holder:
    pass


KINDS = [Table, Names, Row, collections.OrderedDict, collections.Counter, collections.deque]
READERS = {
    "frozenset": lambda held: len(frozenset(held)),
    "the largest": lambda held: heapq.nlargest(1, held),
    "the two largest": lambda held: heapq.nlargest(2, held),
    "the smallest": lambda held: heapq.nsmallest(1, held),
    "bytes": lambda held: len(bytes(held)),
    "list": lambda held: list(held),
    "sorted": lambda held: sorted(held),
    "max": lambda held: max(held),
}
CASES = [(cls, reader, is_new) for cls in KINDS for reader in READERS for is_new in (False, True)]


def _replacing(cls, reader, is_new):
    """A function that replaces one of two attributes that hold one container, on a path that a tensor decides."""
    keys = {1: 5, 3: 4} if issubclass(cls, dict) else [1, 3]
    holder = Holder()
    holder.a = holder.b = cls({2: 1} if issubclass(cls, dict) else [2])
    other = cls(keys)

    def f(x):
        if x.sum() > 0:
            holder.a = cls(keys) if is_new else other
        return READERS[reader](holder.a), len(holder.b)

    return f


def _numbers(part):
    return [*map(_numbers, part)] if isinstance(part, list | tuple) else int(part)


@pytest.mark.long
@pytest.mark.parametrize("cls, reader, is_new", sampled(CASES, 10))
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_all_items_or_none(cls, reader, is_new):
    plain, static = _replacing(cls, reader, is_new), paddle.jit.to_static(_replacing(cls, reader, is_new))
    for number in (-1.0, 1.0, -1.0):
        x = paddle.to_tensor([number])
        expected = plain(x)
        try:
            given = static(x)
        except ConversionError:
            return
        assert _numbers(given) == _numbers(expected)
