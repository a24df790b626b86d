"""What a handler is given has the traceback that plain Python gives it: the user's frames, at their lines, and no others.

Who looks at the frames of its callers sees the same ones.
"""

from __future__ import annotations

import functools
import inspect
import sys
import traceback
import warnings
from types import FunctionType

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
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


def looks():
    return [
        sys._getframe().f_code.co_name,
        sys._getframe(1).f_lineno,
        inspect.currentframe().f_back.f_code.co_name,
        [(info.function, info.lineno) for info in inspect.stack()][:3],
        [(entry.name, entry.lineno) for entry in traceback.extract_stack(limit=3)],
        [(info.function, info.lineno) for info in inspect.getouterframes(sys._getframe(1))][:2],
    ]


def looks_inside():
    for turn in range(3):
        try:
            if turn > 1:
                return looks()
        finally:
            print("", end="")


def looks_around():
    frame, names = sys._getframe(), []
    if frame is not None:
        while len(names) < 3:
            names.append(frame.f_code.co_name)
            frame = frame.f_back
    return names, looks_inside()


def warns():
    if sys.flags is not None:
        for level in range(1, 4):
            warnings.warn(f"level {level}", stacklevel=level)


def warns_inside():
    try:
        warns()
    finally:
        print("", end="")


def told(function):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        function()
    return [(str(w.message), w.filename, w.lineno) for w in found if w.category is UserWarning]


@pytest.mark.parametrize("function", [looks_around, functools.partial(told, warns_inside)], ids=["frames", "warnings"])
def test_s_18_frames_outside_of_staging_are_those_of_python(monkeypatch, function):
    expected = function()
    for name in ("looks", "looks_inside", "warns", "warns_inside"):
        monkeypatch.setitem(globals(), name, rewritten(globals()[name]))
    if function is looks_around:
        assert rewritten(function)() == expected
    else:
        assert told(warns_inside) == expected


def exception_info(fail):
    try:
        if fail:
            int("no")
        raise KeyError(1)
    except (KeyError, ValueError) as error:
        kind, handled, entries = sys.exc_info()
        return kind.__name__, handled is error, entries is error.__traceback__


@pytest.mark.parametrize("fail", [True, False])
def test_exc_info_is_that_of_the_handler(fail):
    assert paddle.jit.to_static(exception_info)(fail) == exception_info(fail) == rewritten(exception_info)(fail)


def exception_info_of_a_path(x):
    try:
        if x.sum() > 0:
            raise KeyError("positive")
    except KeyError:
        return sys.exc_info()[0].__name__
    return "none"


def test_exc_info_of_what_the_program_raises_is_refused():
    with pytest.raises(ConversionError, match="exc_info can't become part of a Program; name the exception"):
        paddle.jit.to_static(exception_info_of_a_path)(paddle.ones([2]))
