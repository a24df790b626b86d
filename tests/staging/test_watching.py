"""Unconverted code that stores is noticed between recorded operators, and a profiler of the user's own is left alone."""

from __future__ import annotations

import sys

import pytest

from dy2st import jit
from dy2st.errors import ConversionError
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
