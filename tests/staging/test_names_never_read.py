"""What plain Python does not read is not read: no lazy module is imported, no `__getattr__` asked for names of other branches."""

from __future__ import annotations

import sys
import types

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

LOG: list[str] = []
lazy, heavy = types.ModuleType("lazy_of_the_tests"), types.ModuleType("heavy_of_the_tests")
heavy.SCALE, heavy.settings = 2.0, {"k": 5.0}
SOURCE = {"scale": 3.0, "heavy": heavy}


def given(name):
    if name not in SOURCE:
        raise AttributeError(name)
    return SOURCE[name]


def logged(name):
    LOG.append(name)
    return given(name)


class Lazy:
    def __init__(self):
        self.loads = 0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return load(self, name)


def load(owner, name):
    owner.loads += 1
    owner.__dict__[name] = len(name)
    return owner.__dict__[name]


class Computed:
    asked = 0

    def __get__(self, owner, cls):
        Computed.asked += 1
        return 4.0


class Has:
    size = Computed()


KEPT = Has()


def never_taken(x, o, flag):
    if flag:
        return x * lazy.heavy.SCALE
    return x + 1


def never_taken_of_an_object(x, o, flag):
    if flag:
        return x * o.thing
    return x + 2


def never_taken_descriptor(x, o, flag):
    if flag:
        return x * KEPT.size
    return x + 3


def taken(x, o, flag):
    return x * lazy.scale


def taken_and_read_on(x, o, flag):
    return x * lazy.heavy.settings["k"]


def absent(x, o, flag):
    return x if hasattr(lazy, "absent") else x + 1


def or_a_default(x, o, flag):
    return x * getattr(lazy, "absent", 7.0)


def stored_by_a_helper(x, o, flag):
    return x * o.thing


FUNCTIONS = [never_taken, never_taken_of_an_object, never_taken_descriptor, stored_by_a_helper]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_s_34_attributes_are_asked_for_as_often_as_in_plain_python(function, monkeypatch):
    monkeypatch.setitem(sys.modules, lazy.__name__, lazy)
    monkeypatch.setattr(lazy, "__getattr__", logged, raising=False)
    found = []
    for run in (function, paddle.jit.to_static(function)):
        LOG.clear()
        o, asked = Lazy(), Computed.asked
        answers = [run(paddle.ones([1]), o, False).item() for _ in range(3)]
        found.append([answers, list(LOG), o.loads, Computed.asked - asked])
    assert found[0] == found[1]


@pytest.mark.parametrize("function", [taken, taken_and_read_on, absent, or_a_default])
def test_a_module_whose_getattr_notes_each_name_is_refused(function, monkeypatch):
    monkeypatch.setitem(sys.modules, lazy.__name__, lazy)
    monkeypatch.setattr(lazy, "__getattr__", logged, raising=False)
    LOG.clear()
    with pytest.raises(ConversionError, match="logged is called here by an operator"):
        paddle.jit.to_static(function)(paddle.ones([1]), None, False)
    assert LOG == []


@pytest.mark.parametrize("function", [taken, taken_and_read_on, or_a_default])
def test_what_a_module_has_given_may_change(function, monkeypatch):
    monkeypatch.setattr(lazy, "__getattr__", given, raising=False)
    static, x = paddle.jit.to_static(function), paddle.ones([1])
    assert [static(x, None, False).item() for _ in range(3)] == [function(x, None, False).item()] * 3
    monkeypatch.setitem(SOURCE, "scale", 8.0)
    monkeypatch.setitem(SOURCE, "absent", 9.0)
    monkeypatch.setitem(heavy.settings, "k", 6.0)
    assert [static(x, None, False).item() for _ in range(2)] == [function(x, None, False).item()] * 2
    monkeypatch.setattr(lazy, "__getattr__", lambda name: heavy if name == "heavy" else 1.5)
    assert [static(x, None, False).item() for _ in range(2)] == [function(x, None, False).item()] * 2


def test_an_absent_name_of_a_module_whose_getattr_appears():
    holder = types.SimpleNamespace(module=types.ModuleType("plain_of_the_tests"))

    @paddle.jit.to_static
    def function(x):
        return x * getattr(holder.module, "late", 2.0)

    x = paddle.ones([1])
    assert [function(x).item(), function(x).item()] == [2.0, 2.0]
    holder.module.__getattr__ = lambda name: 5.0
    assert [function(x).item(), function(x).item()] == [5.0, 5.0]
