"""What a path stores before it ends in an exception stays stored, though nothing of that path arrives."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle

from .agreement import NUMBER, UP, VECTOR, as_programs, outcome

COUNT = 0


def raises_itself(x, n):
    global COUNT
    if n > 1:
        COUNT = 9
        raise ValueError("too many")
    return x


def meets_an_exception_of_python(x, n):
    global COUNT
    if n > 1:
        COUNT += 1
        return {}["missing"]
    return x


def raises_further_inside(x, n):
    global COUNT
    if n > 1:
        COUNT = 3
        if x.sum() > 0:
            raise ValueError("positive")
        raise KeyError("negative")
    return x


@pytest.mark.parametrize("function", [raises_itself, meets_an_exception_of_python, raises_further_inside])
def test_a_global_is_stored_before_the_exception(function, monkeypatch):
    monkeypatch.setitem(globals(), "COUNT", 0)
    static = paddle.jit.to_static(function, input_spec=[VECTOR, NUMBER])
    for numbers, n in [([1.0, 2.0], 1), ([1.0, 2.0], 2), ([-1.0], 5), ([1.0], 0)]:
        seen = []
        for form in (function, static):
            globals()["COUNT"] = 0
            seen.append((outcome(form, (numbers, n)), COUNT))
        assert seen[0] == seen[1]


PHASE = 0


def put_back(x, n):
    global PHASE
    PHASE = 1
    y = x[n]
    PHASE = 2
    z = x[n - 2]
    PHASE = 0
    return y + z


def test_a_global_that_would_have_been_put_back():
    global PHASE
    found = []
    for function in (put_back, *as_programs(put_back)[:1]):
        phases = []
        for n in (1, 5, 2, -2, 0):
            PHASE = 0
            outcome(function, (UP, np.int64(n)))
            phases.append(PHASE)
        found.append(phases)
    assert found[0] == found[1] and found[0] == [0, 1, 0, 2, 0]


def by_a_function_made_inside(x, n):
    def counted(k):
        global COUNT
        COUNT = COUNT + 1
        return x[k]

    y = x
    if n > 1:
        y = counted(n)
    for i in range(n):
        y = y + counted(i)
    try:
        y = counted(n + 1)
    except IndexError:
        y = x[0]
    return y, COUNT


def test_a_global_that_a_function_made_inside_stores():
    global COUNT
    static = as_programs(by_a_function_made_inside)[0]
    for numbers, n in [(UP, 1), (UP, 2), (UP, 5), (UP[:1], 0), (UP, 0)]:
        found = []
        for form in (by_a_function_made_inside, static):
            COUNT = 4
            found.append((repr(outcome(form, (numbers, np.int64(n)))), COUNT))
        assert found[0] == found[1]
