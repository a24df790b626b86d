"""Every function of `cases`: plain Python, the Program, and the loaded Program agree, on inputs that take every path."""

from __future__ import annotations

import io

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import JoinWarning
from dy2st.static import InputSpec

from . import cases

A = np.array([1, 2, 3], np.float32)
ROWS = [(A, 0), (A, 1), (A, 3), (-A, 2)]
ONLY_X = {"obj_method", "one_path", "none_path", "arity", "while_true", "raising", "layers", "no_grad", "inplace", "try_plain"}
ONLY_N = {"nested8", "int_while"}
HELPERS = {"helper"}
FUNCTIONS = sorted(n for n, f in vars(cases).items() if getattr(f, "__module__", "") == cases.__name__ and n[0].islower())


def plain(value):
    if isinstance(value, paddle.Tensor):
        return value.numpy().tolist()
    if isinstance(value, list | tuple):
        return type(value)(plain(v) for v in value)
    return {k: plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def outcome(function, arguments):
    """What a call gives: its values, or its exception."""
    try:
        return plain(function(*[paddle.to_tensor(a) for a in arguments]))
    except Exception as error:
        return type(error).__name__, str(error)


def inputs_of(name):
    if name in ONLY_N:
        return [(np.int64(n),) for n in ((0, 2) if name == "nested8" else (1, 7, 27))]
    if name in ONLY_X:
        return [(A,), (A / 10,), (A * 100,)] if name == "while_true" else [(A,), (-A,), (-A * 100,), (A * 100,)]
    return [(x, np.int64(n)) for x, n in ROWS]


@pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in HELPERS])
def test_agrees_with_plain_python(name):
    function = getattr(cases, name)
    vector, number = InputSpec([None]), InputSpec([], "int64")
    specs = [number] if name in ONLY_N else [vector] if name in ONLY_X else [vector, number]
    calls = inputs_of(name)
    static = paddle.jit.to_static(function, input_spec=specs)
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    for call in calls:
        expected = outcome(function, call)
        assert outcome(static, call) == expected
        assert outcome(loaded, call) == expected


def test_nested_loops_are_staged_once_and_once_more_where_an_inner_one_tells():
    static = paddle.jit.to_static(cases.nested8, input_spec=[InputSpec([], "int64")])
    counts = sorted(static.concrete_program.staged.stagings.values())
    assert counts == [1, 2, 2, 2, 2, 2, 2, 2]  # the innermost loop counts: it tells the others


def test_a_promotion_is_told_once():
    static = paddle.jit.to_static(cases.early, input_spec=[InputSpec([None]), InputSpec([], "int64")])
    with pytest.warns(JoinWarning, match="float32") as caught:
        static.concrete_program
    assert len({str(w.message) for w in caught}) == len(caught)
