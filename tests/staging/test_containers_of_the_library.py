"""A container that a function of Python's library makes belongs to the path that calls it; one that it hands on does not."""

from __future__ import annotations

import fnmatch
import functools
import heapq
import operator
import re
import shlex
import statistics
import textwrap
import types
from collections import namedtuple
from typing import NamedTuple

import pytest

import dy2st as paddle

KEPT = [1]
HOLDER = types.SimpleNamespace(kept=KEPT)
Pair = namedtuple("Pair", "a b")


class Point(NamedTuple):
    a: int
    b: int = 2


MADE = {
    "textwrap": lambda n: textwrap.wrap("a b c", 2),
    "re.findall": lambda n: re.findall("a", "aa"),
    "re.split": lambda n: re.split(" ", "a b"),
    "str.split": lambda n: "a b".split(),
    "str.splitlines": lambda n: "a\nb".splitlines(),
    "heapq": lambda n: heapq.nlargest(2, [1, 2, 3]),
    "shlex": lambda n: shlex.split("a b"),
    "fnmatch": lambda n: fnmatch.filter(["a"], "a"),
    "statistics": lambda n: statistics.quantiles([1, 2, 3, 4]),
    "_asdict": lambda n: list(Pair(1, n)._asdict().values()),
    "itemgetter": lambda n: operator.itemgetter(0)([KEPT]),
    "reduce": lambda n: functools.reduce(lambda a, b: a, [KEPT, 2]),
    "getattr": lambda n: HOLDER.kept,
}


def told(items):
    return [item.item() if isinstance(item, paddle.Tensor) else item for item in items]


@pytest.mark.parametrize("name", MADE)
def test_what_is_appended_on_a_path(name):
    made = MADE[name]

    def function(x, n):
        if n == 2:
            return x
        found = made(n)
        if x.sum() > 0:
            found.append(7)
        return found

    def answers(function):
        KEPT[:] = [1]
        found = [told(function(paddle.to_tensor([v]), paddle.to_tensor(n))) for v, n in ((1.0, 3), (-1.0, 3), (1.0, 2))]
        return found, told(KEPT)

    expected = answers(function)
    assert answers(paddle.jit.to_static(function)) == expected


@pytest.mark.parametrize("cls", [Pair, Point])
def test_a_dict_of_fields_after_an_early_return(cls):
    def function(x, n):
        if n == 2:
            return x
        pair = cls(0, 0)
        if x.sum() > 0:
            pair = cls(4, 1)
        return pair._asdict()

    static = paddle.jit.to_static(function)
    assert static(paddle.to_tensor([1.0]), paddle.to_tensor(3)) == {"a": 4, "b": 1}
    assert static(paddle.to_tensor([-1.0]), paddle.to_tensor(3)) == {"a": 0, "b": 0}
