"""Containers that a call has replaced or changed: methods called on a class (`list.index(v, 1)`), and functions of C.

Each answers as in plain Python, raises the same, or is refused at the user's line.
"""

from __future__ import annotations

import bisect
import collections
import copy
import heapq
import itertools
import json
import linecache
import math
import operator
import pickle
import statistics

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import Dy2stError


class Row(list):
    pass


class Table(dict):
    pass


class Names(set):
    pass


class Lengthy(list):
    def __len__(self):
        return super().__len__() + 1


class Holder:
    pass


class Counting:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 2:
            raise StopIteration
        return self.n


KINDS = {
    "Row([1, 2])": "o.a.append(1)",
    "Table({1: 2})": "o.a[3] = 1",
    "Names([1, 2])": "o.a.add(3)",
    "Lengthy([1, 2])": "o.a.append(1)",
    "collections.deque([1, 2])": "o.a.append(1)",
    "collections.OrderedDict({1: 2})": "o.a[3] = 1",
    "[1, 2]": "o.a.append(1)",
    "{1: 2}": "o.a[3] = 1",
    "{1, 2}": "o.a.add(3)",
}
BEFORE = {
    "replaced": "o.a = {made}",
    "replaced and changed": "o.a = {made}\n    {change}",
    "changed": "{change}",
    "replaced on a path": "if x.sum() > 0:\n        o.a = {made}",
    "changed on a path": "if x.sum() > 0:\n        {change}",
}
READERS = """
list.__len__(v); dict.__len__(v); set.__len__(v); list.__contains__(v, 1); dict.__contains__(v, 1)
set.__contains__(v, 1); list.__eq__(v, [1, 2]); list.__ne__(v, [1, 2]); list.__gt__(v, [0]); list.__eq__(v, (1, 2))
dict.__eq__(v, {1: 2}); set.__le__(v, {1, 2, 3}); list.__getitem__(v, 0); dict.__getitem__(v, 1); list.__iter__(v)
list.__reversed__(v); list.__add__(v, [1]); list.__mul__(v, 2); list.index(v, 1); list.count(v, 1); list.copy(v)
list.append(v, 5); list.sort(v); dict.get(v, 1); dict.keys(v); dict.items(v); set.union(v, {9}); set.add(v, 7); len(v)
sum(v); max(v); repr(v); tuple(v); list(v); frozenset(v); frozenset(iter(Counting())); bytes(v); any(v); sorted(v)
list(reversed(v)); list(zip(v, v)); list(map(str, v)); hash(tuple(v)); json.dumps(v); bisect.bisect(v, 1)
bisect.insort(v, 2); copy.copy(v); copy.deepcopy(v); heapq.nlargest(1, v); heapq.heappush(v, 0); heapq.heapify(v)
heapq.heappop(v); list(itertools.chain(v, v)); collections.deque(v); operator.length_hint(v); operator.contains(v, 1)
operator.countOf(v, 1); math.fsum(v); statistics.mean(v); pickle.loads(pickle.dumps(v))
""".replace("\n", "; ").split("; ")
CASES = [*itertools.product(KINDS, BEFORE, filter(None, READERS))]
MODULES = (bisect, collections, copy, heapq, itertools, json, math, operator, pickle, statistics)
WORLD = {
    **{module.__name__: module for module in MODULES},
    **{cls.__name__: cls for cls in (Row, Table, Names, Lengthy, Holder, Counting)},
}


def _function(made, before, reader):
    text = BEFORE[before].format(made=made, change=KINDS[made])
    source = f"o = Holder()\no.a = {made}\ndef f(x):\n    {text}\n    v = o.a\n    return {reader}\n"
    name = f"<read {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names = {**WORLD, "__name__": "read"}
    exec(compile(source, name, "exec"), names)
    return names["f"], names["o"]


def _told(value):
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return [(key, _told(part)) for key, part in value.items()]
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, list | tuple | collections.deque) or hasattr(value, "__next__") or type(value) is type({}.keys()):
        return [_told(part) for part in value]
    return value if isinstance(value, int | float | str) else repr(value)


def _answers(case, is_static):
    """What each call gives or raises, and leaves; a refusal ends them."""
    function, o = _function(*case)
    function = paddle.jit.to_static(function) if is_static else function
    for number in (1.0, -1.0, 1.0):
        try:
            found = _told(function(paddle.to_tensor([number])))
        except Dy2stError as error:
            assert "<read" in str(error)
            return
        except (TypeError, KeyError, AttributeError, ValueError, IndexError) as error:
            found = type(error).__name__
        yield found, type(o.a).__name__, _told(o.a)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning", "ignore::dy2st.errors.JoinWarning")
@pytest.mark.parametrize("case", sampled(CASES, 20), ids="-".join)
def test_it_answers_as_in_plain_python(case):
    static = list(_answers(case, True))
    assert static == list(_answers(case, False))[: len(static)]


def test_a_method_of_another_class_is_told_in_pythons_words():
    o = Holder()
    o.a = Row([1])

    def length(x):
        o.a = Row([1, 2])
        return dict.__len__(o.a)

    def value(x):
        o.a = Row([1, 2])
        return dict.get(o.a, 1)

    for function in (length, value):
        with pytest.raises(TypeError) as plain:
            function(paddle.ones([1]))
        with pytest.raises(TypeError) as static:
            paddle.jit.to_static(function)(paddle.ones([1]))
        assert str(static.value) == str(plain.value)
