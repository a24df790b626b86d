"""What a handler is given has the traceback that plain Python gives it: the user's frames, at their lines, and no others."""

from __future__ import annotations

import functools
import sys
import warnings
from types import FunctionType

import pytest

import dy2st as paddle
from dy2st.runtime import convert
from dy2st.runtime.convert.calls.calls import converted_function
from staging import raising

if sys.version_info < (3, 11):
    pytest.skip("Python 3.10 keeps the traceback that a bare raise brings back", allow_module_level=True)

LIBRARY = {"loads", "decode", "raw_decode", "__exit__"}  # frames of Python's library are left out, as at the outside


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """The cases, compiled from a file: Python shows and dy2st reads their source."""
    file = tmp_path_factory.mktemp("raising") / "cases.py"
    file.write_text("".join(raising.CASES))
    names = {**vars(raising), "functools": functools}
    exec(compile(file.read_text(), str(file), "exec"), names)
    return [names[f"case_{number}"] for number in range(len(raising.CASES))]


def noted(function):
    """What the handlers of a function note, and how it ends."""
    raising.NOTED.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function()
        except Exception as error:
            return [f"{type(error).__name__}: {error}"]
    return [(kind, [frame for frame in frames if frame[0] not in LIBRARY]) for noted in raising.NOTED for kind, frames in noted]


def rewritten(function):
    return converted_function(function, convert)[0]


@pytest.fixture
def rewritten_helpers(monkeypatch, cases):
    """The functions and methods that the cases call, rewritten; nothing is staged."""
    names = cases[0].__globals__
    for name, value in list(names.items()):
        if isinstance(value, FunctionType) and value.__module__ == raising.__name__ and name not in ("note", "items", "noting"):
            monkeypatch.setitem(names, name, rewritten(value) if name != "plain_manager" else value)
    for cls in (raising.Notes, raising.Passes, raising.Fails, raising.FailsToAnswer):
        for name, value in list(vars(cls).items()):
            if isinstance(value, FunctionType):
                monkeypatch.setattr(cls, name, rewritten(value))


def test_staged(cases):
    for case in cases:
        assert noted(paddle.jit.to_static(case)) == noted(case)


def test_rewritten_outside_of_staging(cases, request):
    plain = [noted(case) for case in cases]
    request.getfixturevalue("rewritten_helpers")
    for case, expected in zip(cases, plain):
        assert noted(rewritten(case)) == expected
