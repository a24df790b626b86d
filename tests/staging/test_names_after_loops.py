"""A name that a `for` binds is bound after it, where the loop is known to have a turn and each turn binds the name."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

X = [np.array(values, "float32") for values in ([], [0.25], [3.0, 40.0])]


def halved(x):
    for turn in range(1000):
        total = x.sum()
        if total < 1:
            break
        x = x / 2
    return x, total, turn


def bound_behind_the_break(x):
    for turn in range(1000):
        if x.sum() < 1:
            break
        half = x / 2
        x = half
    return half, turn


def over_a_tensor(x):
    for item in x:
        last = item * 2
        if last > 70:
            break
    return last


def of_two_kinds(x):
    for turn in range(1000):
        found = turn if x.sum() > 2 else None
        if x.sum() < 1:
            break
        x = x / 2
    return 0 if found is None else found


def inside_another(x):
    for _ in range(2):
        for turn in range(1000):
            last = x * 1
            if x.sum() < 1:
                break
            x = x / 2
        x = x + last
    return x, turn


def outcome(function, x):
    try:
        found = function(paddle.to_tensor(x))
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]
    return [np.asarray(part).tolist() for part in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("function", [halved, bound_behind_the_break, over_a_tensor, of_two_kinds, inside_another])
def test_a_name_has_a_value_where_it_has_one_in_python(function):
    static = paddle.jit.to_static(function, input_spec=[InputSpec([None], "float32")])
    for x in X:
        assert outcome(static, x) == outcome(function, x)


@pytest.mark.parametrize(("function", "asks"), [(halved, False), (bound_behind_the_break, True), (over_a_tensor, True)])
def test_the_program_asks_only_where_the_name_may_be_unbound(function, asks):
    static = paddle.jit.to_static(function, input_spec=[InputSpec([None], "float32")])
    assert ("UnboundLocalError" in str(static.concrete_program.main_program)) is asks
