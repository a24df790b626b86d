"""What Python's library is given for a deque or the like: itself to keep, its items to change, or one of Python's own."""

from __future__ import annotations

import collections
import contextlib
import copyreg
import dataclasses
import functools
import heapq
import json
import operator
import pickle
import pprint
import queue
import types
import unittest
import weakref
from collections import Counter, OrderedDict, deque

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import NUMBER, VECTOR, assert_agrees


class Row(list):
    pass


class Table(dict):
    pass


@dataclasses.dataclass
class Box:
    held: object


class Outside:
    kept: object = None


def in_a_partial():
    made = deque([1])
    count = functools.partial(len, made)
    made.append(2)
    return count(), count.args[0] is made


def in_a_proxy():
    made = OrderedDict(a=1)
    shown = types.MappingProxyType(made)
    made["b"] = 2
    return dict(shown), len(shown), "b" in shown


class Doubled(dict):
    def get(self, key, default=None):
        return super().get(key, default) * 2


def asked_by_a_proxy():
    made = Doubled(a=4)
    shown = types.MappingProxyType(made)
    made["b"] = 5
    return shown.get("a"), shown.get("b"), shown.get("c", 1)


def in_a_chain():
    made = OrderedDict(a=1)
    chain = collections.ChainMap(made)
    made["b"] = 2
    chain["c"] = 3
    inner = chain.new_child(Table(z=1))
    inner["y"] = 2
    return dict(chain), len(chain), dict(made), chain.maps[0] is made, dict(inner), inner.parents == chain


def in_a_manager():
    made = Row([1])
    with contextlib.nullcontext(made) as same:
        same.append(3)
    return list(made), same is made


def in_a_queue():
    waiting, made = queue.Queue(), deque([1])
    waiting.put(made)
    same = waiting.get()
    same.append(2)
    return made, same is made


def in_a_weak_reference():
    made, held = deque([1]), weakref.WeakValueDictionary()
    held["k"] = made
    return weakref.ref(made)() is made, held["k"] is made


def in_a_dataclass():
    made = deque([1])
    other = dataclasses.replace(Box(made), held=made)
    other.held.append(3)
    return made, other.held is made


def given_twice():
    made, case = deque([1]), unittest.TestCase()
    case.assertIs(made, made)
    case.assertEqual(OrderedDict(a=1, b=2), {"b": 2, "a": 1})
    case.assertIsInstance(Table(), collections.abc.MutableMapping)
    return True


def changed_by_c():
    made = Row([3, 1, 2])
    heapq.heapify(made)
    heapq.heappush(made, 0)
    return list(made), type(made).__name__


def written_as_text():
    nested = OrderedDict(a=OrderedDict(b=1))
    return json.dumps(nested), json.dumps([nested, {"x": nested}]), json.dumps(obj=nested), pprint.pformat([nested, deque([1])])


def pickled():
    nested = OrderedDict(a=OrderedDict(b=1))
    values = [nested, [nested], deque([nested], 3), Counter("aab"), Row([1]), Table(a=Row([nested])), (nested, Table())]
    back = [pickle.loads(pickle.dumps(value)) for value in values]
    return back, [type(value).__name__ for value in back], back[2].maxlen


def pickled_within_itself():
    made = OrderedDict()
    made[1] = made
    back = pickle.loads(pickle.dumps(made))
    return list(back), back[1] is back


def put_together():
    row, table = copyreg.__newobj__(Row), pickle.loads(pickle.dumps(Table(a=[1])))
    row.append(2)
    table["b"] = row
    table["a"].append(3)
    other = Row.__new__(Row)
    other.append(4)
    read = json.loads('{"a": [1]}')
    read["a"].append(2)
    return row, table, read, other, type(row).__name__


def taken_apart():
    made = OrderedDict(a=1)
    return made.__reduce__()[:3], made.__reduce_ex__(2)[0] is OrderedDict, deque([1], 3).__reduce__()[1]


def a_partial():
    return functools.partial(len, deque([1]))


KEPT = [in_a_partial, in_a_proxy, asked_by_a_proxy, in_a_chain, in_a_manager, in_a_queue, in_a_weak_reference, in_a_dataclass]
READ = [a_partial, given_twice, changed_by_c, written_as_text, pickled, pickled_within_itself, put_together, taken_apart]


@pytest.mark.parametrize("function", [*KEPT, *READ], ids=lambda f: f.__name__)
def test_as_plain_python(function):
    assert repr(paddle.jit.to_static(function)()) == repr(function())


def kept_outside():
    Outside.kept = types.MappingProxyType(OrderedDict(a=1))


def a_view():
    return {"k": {1: 2}.keys()}


def an_iterator():
    items = iter(OrderedDict(a=1, b=2))
    return pickle.dumps(items)


@pytest.mark.parametrize(
    "function, words",
    [
        (kept_outside, "makes a mappingproxy and keeps or returns it"),
        (a_view, "the result holds a view of a dict"),
        (an_iterator, "a copy of an iterator"),
    ],
)
def test_what_outlives_the_call_is_refused(function, words):
    with pytest.raises(ConversionError, match=words):
        paddle.jit.to_static(function)()


def test_an_object_of_c_among_the_results():
    given = paddle.jit.to_static(lambda: types.SimpleNamespace(a=deque([1])))()
    assert given == types.SimpleNamespace(a=deque([1]))


def scaled(factor, x):
    return x * factor


def called_at_once(x, n):
    return functools.partial(scaled, n)(x), list(map(functools.partial(scaled, n), [1, 2]))


def chosen_and_called(x, n):
    call = functools.partial(scaled, n) if n > 1 else functools.partial(scaled, 3)
    return call(x)


def kept_in_an_attribute(x, n):
    Outside.kept = functools.partial(scaled, n)
    return x, Outside.kept(3)


def kept_function(x, n):
    def add(y):
        return y + n

    Outside.kept = add
    return x, Outside.kept(3)


def kept_by_a_loop(x, n):
    call = functools.partial(scaled, 1)
    for i in range(n):
        call = functools.partial(scaled, i)
    return call(x)


KEPT_CALLABLES = [called_at_once, chosen_and_called, kept_in_an_attribute, kept_function, kept_by_a_loop]


@pytest.mark.parametrize("function", KEPT_CALLABLES, ids=lambda f: f.__name__)
def test_a_partial_of_what_only_the_program_knows(function):
    assert_agrees(function)


def given_in_a_list(x, n):
    return [functools.partial(scaled, 2), operator.itemgetter(n)]


def test_a_getter_of_what_only_the_program_knows_is_refused():
    with pytest.raises(ConversionError, match="the result holds this itemgetter, which keeps what only the Program knows"):
        paddle.jit.to_static(given_in_a_list, input_spec=[VECTOR, NUMBER])(paddle.ones([2]), paddle.to_tensor(2))
