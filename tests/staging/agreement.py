"""Plain Python, the Program and the loaded Program give the same: values, printed text, or exceptions."""

from __future__ import annotations

import io
from collections import deque

import numpy as np
from support.answers import answer, assert_some_answer
from support.sampling import is_loaded_too

import dy2st as paddle
from dy2st.static import InputSpec

VECTOR, NUMBER = InputSpec([None]), InputSpec([], "int64")
UP = np.array([1, 2, 3], np.float32)
COUNTS = [(UP, np.int64(0)), (UP, np.int64(1)), (UP, np.int64(4)), (-UP, np.int64(2))]


def plain(value):
    """A result in Python values; staged numbers come back as 0-d tensors."""
    if isinstance(value, paddle.Tensor):
        return (value.dtype.name, value.numpy().tolist()) if value.ndim else value.numpy().tolist()
    if hasattr(value, "_fields"):
        return type(value)(*map(plain, value))
    if isinstance(value, list | tuple):
        return type(value)(plain(v) for v in value)
    if isinstance(value, dict):
        found = {k: plain(v) for k, v in value.items()}
        return found if type(value) is dict else (type(value).__name__, getattr(value, "default_factory", None), found)
    if isinstance(value, deque):
        return "deque", value.maxlen, list(map(plain, value))
    return plain(vars(value)) if hasattr(value, "__dict__") and not callable(value) else value


def outcome(function, arguments):
    """What a call gives: its values, or its exception."""
    return answer(lambda: plain(function(*[paddle.to_tensor(a) for a in arguments])))


def as_programs(function, specs=(VECTOR, NUMBER)):
    """The function as a Program, fresh and loaded."""
    static = paddle.jit.to_static(function, input_spec=list(specs))
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    return static, paddle.jit.load(file)


def assert_agrees(function, specs=(VECTOR, NUMBER), calls=COUNTS, capsys=None, raises=False):
    """Assert it for every call; return the Programs. Results by `repr`, so that 1 isn't True; with `capsys`, the text, too.

    The day's run leaves out the loaded Programs of two tests of three.

    raises: whether the case is about exceptions alone, so that every call of plain Python raises; otherwise one must answer.
    """
    programs = as_programs(function, specs) if is_loaded_too() else [paddle.jit.to_static(function, input_spec=list(specs))]
    expected = []

    def printed():
        return capsys.readouterr().out if capsys is not None else ""

    printed()
    for call in calls:
        expected.append(outcome(function, call))
        text = printed()
        for program in programs:
            assert (repr(outcome(program, call)), printed()) == (repr(expected[-1]), text)
    assert_some_answer(expected, raises)
    return programs


def functions_of(module_globals):
    """The functions of a test module that are cases: `x` and `n` are their parameters."""
    module = module_globals["__name__"]
    return [f for f in module_globals.values() if getattr(f, "__module__", "") == module and hasattr(f, "__code__")
            and f.__code__.co_varnames[: f.__code__.co_argcount] == ("x", "n")]
