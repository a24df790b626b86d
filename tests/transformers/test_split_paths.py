"""The statements after an `if` move into both branches, and the function does what it did."""

from __future__ import annotations

import inspect

import pytest
from plain_runtime import outcome

from dy2st.jit.dy2static import convert_to_static
from dy2st.transformers import can_split, transpile


def flat(x, y):
    if x > 0:
        y = None
    z = [x]
    if y is None:
        z.append(1)
    return z, y


def nested(x, y):
    if x:
        if y > 1:
            x = "large"
        x = [x]
    x = [x, y]
    return x


def leaving(x, y):
    if x > 0:
        y = y + 1
    elif y > 0:
        return "left"
    else:
        raise ValueError(y)
    return x, y


def in_a_loop(x, y):
    for k in range(3):
        if x > k:
            y = None
    return y


def line_of(function, text):
    lines, start = inspect.getsourcelines(function)
    return start + next(k for k, line in enumerate(lines) if text in line)


@pytest.mark.parametrize(("function", "text"), [(flat, "x > 0"), (nested, "y > 1"), (leaving, "x > 0"), (flat, "y is None")])
def test_the_function_does_what_it_did(function, text):
    splits = frozenset([line_of(function, text)])
    runtime = convert_to_static(function).__closure__ or ()
    jst = next(cell.cell_contents for cell in runtime if hasattr(cell.cell_contents, "convert_ifelse"))
    split = transpile(function, splits=splits).instantiate(function, jst)
    for x in (-1, 0, 1, 2):
        for y in (-1, 0, 2):
            assert outcome(split, x, y) == outcome(function, x, y)


def test_the_statements_stand_in_both_branches():
    source = transpile(flat, splits=frozenset([line_of(flat, "x > 0")])).source
    assert source.count("z = ") == 2


def test_an_if_in_a_loop_stays():
    assert not can_split(in_a_loop, line_of(in_a_loop, "x > k"))
    assert can_split(nested, line_of(nested, "y > 1"))
    assert not can_split(flat, line_of(flat, "z = [x]"))
