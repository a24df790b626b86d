"""Every function of `cases`: plain Python, the Program, and the loaded Program agree, on inputs that take every path."""

from __future__ import annotations

import numpy as np
import pytest
from support.answers import assert_some_answer

import dy2st as paddle
from dy2st.errors import JoinWarning

from . import cases
from .agreement import NUMBER, VECTOR, as_programs, outcome

A = np.array([1, 2, 3], np.float32)
ROWS = [(A, 0), (A, 1), (A, 3), (-A, 2)]
ONLY_X = {"obj_method", "one_path", "none_path", "arity", "while_true", "raising", "layers", "no_grad", "inplace", "try_plain"}
ONLY_N = {"nested8", "int_while"}
HELPERS = {"helper"}
RAISES = {"every_path_raises"}
FUNCTIONS = sorted(n for n, f in vars(cases).items() if getattr(f, "__module__", "") == cases.__name__ and n[0].islower())


def inputs_of(name):
    if name in ONLY_N:
        return [(np.int64(n),) for n in ((0, 2) if name == "nested8" else (1, 7, 27))]
    if name in ONLY_X:
        return [(A,), (A / 10,), (A * 100,)] if name == "while_true" else [(A,), (-A,), (-A * 100,), (A * 100,)]
    return [(x, np.int64(n)) for x, n in ROWS]


@pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in HELPERS])
def test_agrees_with_plain_python(name):
    function, calls = getattr(cases, name), inputs_of(name)
    expected = [outcome(function, call) for call in calls]
    assert_some_answer(expected, raises=name in RAISES)
    for program in as_programs(function, [NUMBER] if name in ONLY_N else [VECTOR] if name in ONLY_X else [VECTOR, NUMBER]):
        assert [outcome(program, call) for call in calls] == expected  # 3 is 3.0: two cases promote it, with a warning


def test_nested_loops_are_staged_once_and_once_more_where_an_inner_one_tells():
    static = paddle.jit.to_static(cases.nested8, input_spec=[NUMBER])
    counts = sorted(static.concrete_program.staged.stagings.values())
    assert counts == [1, 2, 2, 2, 2, 2, 2, 2]  # the innermost loop counts: it tells the others


def test_a_promotion_is_told_once():
    static = paddle.jit.to_static(cases.early, input_spec=[VECTOR, NUMBER])
    with pytest.warns(JoinWarning, match="float32") as caught:
        static.concrete_program
    assert len({str(w.message) for w in caught}) == len(caught)
