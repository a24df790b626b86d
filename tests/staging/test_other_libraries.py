"""A function of C that another library brings: nothing is known of it, so its one call while staging is told, or refused."""

from __future__ import annotations

import pytest
from safetensors import serialize

import dy2st as paddle
from dy2st.errors import ConversionError, UnconvertedCallWarning
from dy2st.static import InputSpec

X = InputSpec([None], "float32", "x")


def at_once(x):
    return x * len(serialize({}))


def in_a_branch(x):
    if x.sum() > 0:
        return x * len(serialize({}))
    return x


def test_one_call_with_a_warning():
    with pytest.warns(UnconvertedCallWarning, match="serialize can't be converted: it was called once, while staging"):
        static = paddle.jit.to_static(at_once, input_spec=[X])
        assert static(paddle.ones([1])).numpy() == [len(serialize({}))]


def test_refused_in_a_branch():
    with pytest.raises(ConversionError, match=r"test_other_libraries.py:\d+: .*serialize can't be converted"):
        paddle.jit.to_static(in_a_branch, input_spec=[X]).concrete_program
