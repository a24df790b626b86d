"""A built-in that is given what it doesn't take: Python's own words, whatever function stands for it while staging."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.runtime.convert.builtins.table import REPLACEMENTS

X = paddle.ones([2])
GIVEN = [((), {}), ((1, 2, 3, 4, 5, 6), {}), ((1,), {"nothing": 1}), (([1],), {"nothing": 2}), ((None,), {})]
ELSEWHERE = {"open", "input", "exit", "quit", "breakpoint", "help", "eval", "exec", "super", "iter"}
BUILT_INS = [f for f in REPLACEMENTS if getattr(f, "__module__", None) == "builtins" and f.__name__ not in ELSEWHERE]
OBJECTS = [[3, 1], {"a": 1}, {1, 2}, (1, 2), "ab"]


def failure(function, *arguments):
    """What a call fails with; None where it gives something."""
    try:
        with redirect_stdout(io.StringIO()):
            function(*arguments)
    except Exception as error:
        return type(error), str(error)
    return None


def differing(make):
    """The calls of a function that fail in plain Python, and otherwise as a Program, unless they are refused in words."""
    for args, kwargs in GIVEN:
        plain = failure(lambda: make()(*args, **kwargs))
        staged = plain and failure(paddle.jit.to_static(lambda x: make()(*args, **kwargs)), X)
        if staged != plain and (staged is None or staged[0] is not ConversionError):
            yield args, kwargs, plain, staged


@pytest.mark.parametrize("built_in", BUILT_INS, ids=lambda f: f.__qualname__)
def test_e_06_a_built_in_fails_in_pythons_words(built_in):
    assert built_in is dict or list(differing(lambda: built_in)) == []


@pytest.mark.parametrize("value", OBJECTS, ids=lambda v: type(v).__name__)
def test_e_06_a_method_fails_in_pythons_words(value):
    names = [name for name in dir(value) if not name.startswith("_") and (type(value), name) != (dict, "update")]
    assert {name: found for name in names if (found := list(differing(lambda: getattr(value, name))))} == {}


@pytest.mark.parametrize("call", ["values.append()", "values.append(1, 2)", "values.sort(1)", "len(values, 2)"])
def test_e_06_so_does_that_of_a_list_that_the_program_makes(call, tmp_path):
    text = f"def f(x):\n    values = [1]\n    if x.sum() > 0:\n        values.append(2)\n    return {call}\n"
    file = tmp_path / "net.py"
    file.write_text(text)
    names = {}
    exec(compile(text, str(file), "exec"), names)
    assert failure(paddle.jit.to_static(names["f"]), X) == failure(names["f"], X) != None  # noqa: E711
