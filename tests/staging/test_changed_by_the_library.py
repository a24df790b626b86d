"""Objects of Python's library that outlive the call: what a method changes of them is changed once in each call, or refused."""

from __future__ import annotations

import argparse
import collections
import configparser
import contextlib
import csv
import email.message
import graphlib
import http.cookies
import itertools
import locale
import mimetypes
import queue
import sched
import unittest
import weakref

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError


class Entry:
    """What a weak mapping has as its key."""


class Stack(collections.UserList):
    def push(self, item):
        self.append(item)
        return len(self)


ENTRY = Entry()


def stored(mapping, key):
    mapping[key] = "v"


KINDS = {  # how an object is made, changed and read
    "argparse": (
        argparse.ArgumentParser, lambda o: o.add_argument(f"--x{len(o._actions)}"), lambda o: [a.dest for a in o._actions],
    ),
    "configparser": (configparser.ConfigParser, lambda o: o.add_section(f"s{len(o.sections())}"), lambda o: o.sections()),
    "UserList": (collections.UserList, lambda o: o.append(len(o)), list),
    "a subclass": (Stack, lambda o: o.push(2), list),
    "UserDict": (collections.UserDict, lambda o: o.update({len(o): 1}), dict),
    "an item": (collections.UserDict, lambda o: stored(o, len(o)), dict),
    "ChainMap": (collections.ChainMap, lambda o: o.update({len(o): 1}), dict),
    "Queue": (queue.Queue, lambda o: o.put(1), lambda o: o.qsize()),
    "Message": (email.message.Message, lambda o: o.add_header("a", "b"), lambda o: o.items()),
    "an item of it": (email.message.Message, lambda o: stored(o, "k"), lambda o: o.items()),
    "scheduler": (sched.scheduler, lambda o: o.enter(1, 1, print), lambda o: len(o.queue)),
    "graph": (graphlib.TopologicalSorter, lambda o: o.add(len(o._node2info)), lambda o: list(o._node2info)),
    "ExitStack": (contextlib.ExitStack, lambda o: o.callback(len, []), lambda o: len(o._exit_callbacks)),
    "WeakSet": (weakref.WeakSet, lambda o: o.add(ENTRY), list),
    "weak keys": (weakref.WeakKeyDictionary, lambda o: o.update({ENTRY: len(o) + o.get(ENTRY, 0)}), lambda o: list(o.values())),
    "TestCase": (unittest.TestCase, lambda o: o.addCleanup(len), lambda o: len(o._cleanups)),
    "TestSuite": (unittest.TestSuite, lambda o: o.addTest(unittest.TestCase()), lambda o: o.countTestCases()),
    "cookies": (http.cookies.SimpleCookie, lambda o: o.load(f"a{len(o)}=b"), lambda o: sorted(o)),
    "kinds of files": (
        mimetypes.MimeTypes, lambda o: o.add_type("a/b", f".z{len(o.types_map[True])}"), lambda o: list(o.types_map[True]),
    ),
}  # fmt: skip


class Net(paddle.nn.Layer):
    def __init__(self, held, change, has_state):
        super().__init__()
        self.held, self.change, self.has_state, self.seen = held, change, has_state, {}

    def forward(self, x):
        self.change(self.held)
        if self.has_state:
            self.seen[len(self.seen)] = 1
            self.late = x
        return x * 2


def left(kind, converted, has_state=False, calls=3):
    make, change, read = KINDS[kind]
    held = make()
    net = converted(Net(held, change, has_state))
    for _ in range(calls):
        net(paddle.to_tensor([1.0]))
        yield read(held)


@pytest.mark.filterwarnings("ignore:.*is staged anew at each call")
@pytest.mark.long
@pytest.mark.parametrize("kind, has_state", sampled(itertools.product(KINDS, [False, True]), 6))
def test_each_call_changes_it_once(kind, has_state):
    expected = list(left(kind, lambda net: net))
    assert list(left(kind, paddle.jit.to_static, has_state)) == expected


def appended_on_a_path(held, x):
    if x.sum() > 0:
        held.append(1)


def appended_of_the_program(held, x):
    held.append(x.sum())


def appended_before_a_raise(held, x):
    held.append(1)
    if x.sum() > 100:
        raise ValueError(1)


@pytest.mark.parametrize("change", [appended_on_a_path, appended_of_the_program, appended_before_a_raise])
def test_what_a_call_can_not_change_is_refused_and_nothing_is_changed(change):
    held = collections.UserList()

    @paddle.jit.to_static
    def function(x):
        change(held, x)
        return x

    with pytest.raises(ConversionError, match="append (changes an object from outside|may change this UserList)"):
        function(paddle.to_tensor([1.0]))
    assert held == []


@pytest.mark.filterwarnings("ignore:.*is staged anew at each call")
def test_what_is_read_before_the_change_is_what_it_was():
    def function(x):
        before = len(held)
        held.append(before)
        return x, before, held.data[-1]

    held = collections.UserList()
    static = paddle.jit.to_static(function)
    assert [static(paddle.to_tensor([1.0]))[1:] for _ in range(3)] == [(0, 0), (1, 1), (2, 2)]
    assert held == [0, 1, 2]


def test_an_attribute_that_c_makes_anew_at_each_read_is_not_changed(tmp_path):
    with open(tmp_path / "file", "wb", buffering=0) as file:
        assert file._blksize is not file._blksize
        case = unittest.TestCase()
        case.file = file

        @paddle.jit.to_static
        def function(x):
            case.assertEqual(1, 1)
            return x

        assert function(paddle.to_tensor([1.0])).tolist() == [1.0]


@pytest.mark.filterwarnings("ignore")
def test_registries_of_c_are_as_plain_python_leaves_them_where_staging_begins_again():
    def function(x, lengths):
        csv.register_dialect("dy2st test", delimiter=";")
        lengths.append(len(csv.list_dialects()))
        limit = csv.field_size_limit(77)
        place = locale.setlocale(locale.LC_ALL, "C")
        if x.sum() > 0:
            lengths.append(limit)
        csv.unregister_dialect("dy2st test")
        csv.field_size_limit(limit)
        return x + len(lengths), place

    static, plain, staged = paddle.jit.to_static(function), [], []
    before = csv.list_dialects(), csv.field_size_limit(), locale.setlocale(locale.LC_ALL)
    for value in (1.0, -1.0, 2.0):
        x = paddle.to_tensor([value])
        assert static(x, staged)[0].tolist() == function(x, plain)[0].tolist()
        assert plain == staged
        locale.setlocale(locale.LC_ALL, before[2])
        assert before == (csv.list_dialects(), csv.field_size_limit(), locale.setlocale(locale.LC_ALL))
