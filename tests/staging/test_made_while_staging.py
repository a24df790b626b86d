"""S-06, S-09, R-06, E-15: what acts at staging only is refused in words, and what is a constant is one."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError, StagedValueError
from dy2st.static import InputSpec

X = paddle.ones([2])


def a_layer(x):
    return nn.Linear(2, 2)(x)


def a_default_dtype(x):
    paddle.set_default_dtype("float64")
    return x


def a_seed(x):
    paddle.seed(3)
    return x + paddle.rand([2])


def a_question_of_memory(x):
    return x if x.is_contiguous() else x.contiguous()


REFUSED = [
    ("s_06", a_layer, ConversionError, "a parameter is made here"),
    ("s_09", a_default_dtype, StagedValueError, "act once, while staging"),
    ("s_09", a_seed, StagedValueError, "act once, while staging"),
    ("r_06", a_question_of_memory, StagedValueError, "leave the question out"),
]


@pytest.mark.parametrize(("row", "function", "error", "words"), REFUSED, ids=[f"{r[0]}-{r[1].__name__}" for r in REFUSED])
def test_s_06_s_09_r_06_refused_at_the_line(row, function, error, words):
    with pytest.raises(error, match=words) as caught:
        paddle.jit.to_static(function)(X)
    assert f"test_made_while_staging.py:{function.__code__.co_firstlineno + 1}" in str(caught.value)
    assert paddle.get_default_dtype() == "float32"


def of_the_default_dtype(x):
    return paddle.ones([2])


def test_s_09_another_default_dtype_stages_anew():
    static = paddle.jit.to_static(of_the_default_dtype)
    assert static(X).dtype == "float32"
    paddle.set_default_dtype("float64")
    try:
        assert static(X).dtype == "float64"
    finally:
        paddle.set_default_dtype("float32")
    assert static(X).dtype == "float32" and len(static.program_cache) == 2


def scheduled(x):
    schedule = paddle.optimizer.lr.PolynomialDecay(0.1, decay_steps=4)
    return x * schedule.get_lr() + schedule()


def test_r_06_a_schedule_that_is_made_in_a_static_function_is_a_constant():
    static = paddle.jit.to_static(scheduled)
    assert [static(X).tolist() for _ in range(2)] == [scheduled(X).tolist()] * 2


def stacked(x):
    return paddle.stack([row for row in x])


def joined(x):
    return paddle.concat([row for row in x])


def added(x):
    return paddle.add_n([row for row in x])


@pytest.mark.parametrize("function", [stacked, joined, added])
def test_e_15_nothing_to_put_together_is_the_same_error(function):
    static = paddle.jit.to_static(function, input_spec=[InputSpec([None, 2])])
    assert static(paddle.ones([3, 2])).tolist() == function(paddle.ones([3, 2])).tolist()
    for each in (function, static):
        with pytest.raises(TypeError, match="must be a non-empty list of Tensors, not list \\[\\]"):
            each(paddle.zeros([0, 2]))
