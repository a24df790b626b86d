"""A traceback of a Program that fails has the entries that plain Python's has: each call of the user's, with its line."""

from __future__ import annotations

import sys
import traceback

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

X, N = InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")


def pick(items, n):
    if n > 0:
        return items[n + 7]
    return items[0]


def through_calls(x, n):
    scale = pick([1.0, 2.0], n)
    return x * scale


def in_a_loop(x, n):
    for row in x:
        if row > -1e9:
            x = x + pick([1.0, 2.0], n)
    return x


def check(n):
    if n > 0:
        raise ValueError("too large")


def raised_in_a_helper(x, n):
    y = x * 2
    check(n)
    return y


def always(n):
    raise KeyError("always")


def raised_on_a_branch(x, n):
    if n > 0:
        always(n)
    return x


def down(n):
    if n < 0:
        return pick([1.0], n + 5)
    return down(n - 1) + 1.0


def in_a_recursion(x, n):
    return x * down(n)


def items(n):
    yield n
    yield n + 1


def pushed_into_a_generator(x, n):
    for k in items(n):
        x = x + pick([1.0, 2.0], k)
    return x


def through_an_inner_function(x, n):
    def scaled(k):
        return x * pick([1.0, 2.0], k)

    return scaled(n)


def again(x, n):
    try:
        return x * pick([1.0], n)
    except IndexError:
        return x * pick([2.0], n)


class Inner(paddle.nn.Layer):
    def forward(self, x, n):
        return x * pick([1.0], n)


class Outer(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x, n):
        x = x * 2
        return self.inner(x, n)


FUNCTIONS = [
    through_calls, in_a_loop, raised_in_a_helper, raised_on_a_branch, in_a_recursion, pushed_into_a_generator,
    through_an_inner_function, again, Outer(),
]  # fmt: skip


def eager(function, arguments):
    return function(*arguments)


def static(function, arguments):
    forward = getattr(type(function), "forward", None)
    plain = function if forward is None else lambda x, n: forward(function, x, n)
    return paddle.jit.to_static(plain)(*arguments)


def trained(function, arguments):
    arguments[0].stop_gradient = False
    return static(function, arguments)


def failure(way, function):
    arguments = [paddle.to_tensor(np.ones(2, "float32")), paddle.to_tensor(2)]
    with pytest.raises((LookupError, ValueError)) as caught:
        way(function, arguments)
    return caught.value


def entries(error):
    """Function, line and text of each entry in a function above."""
    found = [e for e in traceback.extract_tb(error.__traceback__) if e.filename == __file__]
    return [(e.name, e.lineno, e.line) for e in found if e.lineno < eager.__code__.co_firstlineno]


def files(error):
    return {e.filename for e in traceback.extract_tb(error.__traceback__)}


@pytest.mark.parametrize("way", [static, trained])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: getattr(f, "__name__", "a layer"))
def test_m_04_the_traceback_is_that_of_plain_python(function, way):
    plain, staged = failure(eager, function), failure(way, function)
    assert entries(staged) == entries(plain) and str(staged) == str(plain)
    assert len(entries(plain)) > 1
    if sys.version_info >= (3, 11):
        assert files(staged) == {__file__}


def test_m_04_what_an_exception_comes_from_leads_through_its_lines_too():
    plain, staged = failure(eager, again), failure(static, again)
    assert entries(staged.__context__) == entries(plain.__context__) != []


def test_m_04_a_scripted_function_leads_through_its_calls():
    @paddle.jit.script
    def scripted(items: list[float], n: int) -> float:
        return picked(items, n)

    with pytest.raises(IndexError) as caught:
        scripted([1.0], 5)
    assert [e.name for e in traceback.extract_tb(caught.value.__traceback__)][-2:] == ["scripted", "picked"]


def picked(items: list[float], n: int) -> float:
    return items[n]


def test_m_04_the_note_of_a_loaded_model_tells_each_call(tmp_path):
    layer = Outer()
    paddle.jit.save(layer, str(tmp_path / "net"), input_spec=[X, N])
    loaded = paddle.jit.load(str(tmp_path / "net"))
    with pytest.raises(IndexError) as caught:
        loaded(paddle.ones([2]), paddle.to_tensor(2))
    plain = failure(eager, layer)
    file = "test_call_chains.py"
    lines = [f"{file}:{line}, in {name}" for name, line, _ in reversed(entries(plain))]
    assert "at " + "\ncalled at ".join(lines) in caught.value.__notes__


def test_m_04_a_loaded_model_saved_again_tells_the_same(tmp_path):
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    paddle.jit.save(Outer(), first, input_spec=[X, N])
    paddle.jit.save(paddle.jit.load(first), second)
    texts = [(tmp_path / f"{name}.model.json").read_bytes() for name in ("first", "second")]
    assert texts[0] == texts[1]
