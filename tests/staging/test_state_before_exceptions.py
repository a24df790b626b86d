"""What a path stores before it ends in an exception stays stored, though nothing of that path arrives."""

from __future__ import annotations

import pytest

import dy2st as paddle

from .agreement import NUMBER, VECTOR, outcome

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
