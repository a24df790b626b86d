# No `from __future__ import` stands here: the text that functions run as code is read without it, too.
"""Text that a function runs as code is read as in plain Python."""

import pytest

import dy2st as paddle

TEXT = "def doubled(a: int) -> float: return 2 * a"


def executed(x):
    names = {}
    exec(TEXT, names)
    return x, names["doubled"].__annotations__["a"] is int


def compiled(x):
    names = {}
    exec(compile(TEXT, "text", "exec"), names)
    return x, names["doubled"].__annotations__["return"] is float


def evaluated(x):
    return x, eval("lambda a: a", {}).__code__.co_flags


@pytest.mark.parametrize("function", [executed, compiled, evaluated])
@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_it_is_read_with_the_future_imports_of_the_users_module(function):
    x = paddle.to_tensor([1.0])
    assert paddle.jit.to_static(function)(x)[1] == function(x)[1]
