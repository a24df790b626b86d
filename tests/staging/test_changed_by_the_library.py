"""Objects of Python's library that outlive the call: what a method changes of them is changed once in each call, or refused."""

from __future__ import annotations

import argparse
import collections
import configparser
import contextlib
import email.message
import graphlib
import http.cookies
import mimetypes
import queue
import sched
import unittest
import weakref

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stError


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
    def __init__(self, held, change):
        super().__init__()
        self.held, self.change = held, change

    def forward(self, x):
        self.change(self.held)
        return x * 2


@pytest.mark.parametrize("kind", KINDS)
def test_no_program_changes_an_object_of_the_library(kind):
    make, change, read = KINDS[kind]
    held = make()
    before, net = read(held), paddle.jit.to_static(Net(held, change))
    for _ in range(2):
        with pytest.raises(Dy2stError, match="outside"):
            net(paddle.to_tensor([1.0]))
    assert read(held) == before


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
