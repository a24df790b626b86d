"""Unconverted code that stores is noticed between recorded operators, and a profiler of the user's own is left alone."""

from __future__ import annotations

import copy
import functools
import sys
import warnings

import pytest

from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.runtime.recorder import watch
from dy2st.runtime.where import profiling
from dy2st.static import InputSpec


class Counter:
    def __init__(self):
        self.n = 0

    def __round__(self, digits):
        self.n += 1
        return self


def counts_in_a_branch(x):
    counter = Counter()
    if x.sum() > 0:
        x = x * 2 + 1
        counter = round(counter, 1)
        x = x - 1
    return x * counter.n


def operators_only(x):
    if x.sum() > 0:
        x = x * 2
    return x


def staged(function):
    return jit.to_static(function, input_spec=[InputSpec([2], "float32", "x")]).concrete_program


def test_a_store_between_recorded_operators_is_noticed():
    with pytest.raises(ConversionError, match="Counter.__round__|__round__ is called here by an operator"):
        staged(counts_in_a_branch)


@pytest.mark.skipif(hasattr(sys, "monitoring"), reason="this Python watches without the profiling hook")
def test_a_profiler_of_the_users_own_sees_the_operators_and_stays():
    seen = []

    def profiler(frame, event, argument):
        if event == "call" and frame.f_code.co_name == "bind":
            seen.append(event)

    sys.setprofile(profiler)
    try:
        staged(operators_only)
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)
    assert seen


def test_no_hook_is_left_behind():
    staged(operators_only)
    assert sys.getprofile() is None
    if hasattr(sys, "monitoring"):
        assert sys.monitoring.get_tool(4) is None


class Key:
    """Says itself what it equals, how it is sorted and spelled, and what attributes it has."""

    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return isinstance(other, Key) and self.n == other.n

    def __hash__(self):
        return self.n % 3

    def __lt__(self, other):
        return self.n < other.n

    def __add__(self, other):
        return Key(self.n + (other.n if isinstance(other, Key) else other))

    __radd__ = __add__

    def __bool__(self):
        return self.n > 0

    def __str__(self):
        return f"key {self.n}"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return name

    @property
    def double(self):
        return self.n * 2


METHODS = [method for name, method in vars(Key).items() if name != "__getattr__"]  # which a guard asks, too
OF_KEYS = {getattr(method, "__code__", None) for method in (*METHODS, Key.double.fget)}
KEYS = [Key(n) for n in (4, 1, 7, 4)]


def in_containers():
    table = {key: key.n for key in KEYS}
    table[Key(9)] = 9
    return Key(4) in KEYS, Key(9) in table, table.get(Key(1)), KEYS.index(Key(7)), KEYS.count(Key(4)), len({*KEYS})


def in_order():
    return [key.n for key in sorted(KEYS)], min(KEYS).n, max(KEYS).n, sum(KEYS).n, any(KEYS), all([Key(0), Key(1)])


def in_texts():
    return "%s and %s" % (KEYS[0], 1), f"{KEYS[1]}", ",".join(map(str, KEYS)), str(KEYS[2])


def in_loops():
    left, found = [*KEYS], []
    while left:
        key = left.pop()
        while key and key.n > 5:
            key = Key(key.n - 5)
        found.append((key.n, key.double, key.missing, getattr(key, "other", None), hasattr(key, "n")))
    return found


def in_libraries():
    copied = copy.copy(KEYS[0])
    copied.n = 5
    return copied.n, functools.reduce(lambda a, b: a + b, KEYS).n, copied == Key(5), KEYS[0] is copied, copy.deepcopy(KEYS)[1].n


@pytest.mark.skipif(hasattr(sys, "monitoring"), reason="this Python watches without the profiling hook")
@pytest.mark.parametrize("function", [in_containers, in_order, in_texts, in_loops, in_libraries], ids=lambda f: f.__name__)
def test_nothing_of_the_users_runs_while_the_hook_is_paused(function, monkeypatch):
    paused, unseen = [], []

    def seeing(look, is_watched, called, left):
        def look_twice(code, frame):
            if paused and code in OF_KEYS:
                unseen.append(code.co_name)
            look(code, frame)

        return profiling.profiled(look_twice, is_watched, called, left)

    monkeypatch.setattr(profiling, "_pause", eval("lambda: paused.append(True)", {"paused": paused}))  # of no file: not watched
    monkeypatch.setattr(profiling, "_resume", eval("lambda hook: paused.pop()", {"paused": paused}))
    monkeypatch.setattr(watch, "profiled", seeing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert jit.to_static(function)() == function()
    assert not unseen
