"""A Program of tensors of any rank runs source written for the ranks of each call."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st.jit import script
from dy2st.runtime.engine import compile_program


def steps(numbers: dy2st.Tensor):
    total = dy2st.zeros([], "int64")
    for i in range(numbers.shape[0]):
        n = numbers[i]
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            total = total + 1
    return total


def mixed(x: dy2st.Tensor, y: dy2st.Tensor):
    total = (x + y) * 0.5
    if total.sum() > 0:
        total = total - y
    return total.max(), total


def test_numbers_that_steer_a_loop_are_python_numbers():
    numbers = np.arange(1, 40)
    function = script(steps)
    plain = sum(len(collatz(n)) for n in numbers.tolist())
    assert function(dy2st.to_tensor(numbers)).item() == plain
    source = function.program_for(("int64",)).executable._sources
    assert "% 2) == 0" in source.module(source.form("main", (numbers,))).source


def collatz(n: int) -> list[int]:
    found = []
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        found.append(n)
    return found


@pytest.mark.parametrize("first", [(), (3,), (2, 3), (1, 1, 3)], ids=str)
@pytest.mark.parametrize("second", [(), (3,), (1, 3)], ids=str)
def test_each_pair_of_ranks_gives_what_plain_python_gives(first, second):
    rng = np.random.default_rng(0)
    function = script(mixed)
    for sign in (1, -1):  # one function for all ranks, either path
        x, y = (dy2st.to_tensor((sign * (rng.random(shape) + 0.1)).astype("float32")) for shape in (first, second))
        expected = mixed(x, y)
        for a, b in zip(function(x, y), expected):
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_calls_of_other_ranks_share_a_function():
    function = script(mixed)
    x = dy2st.ones([2, 3])
    for y in (dy2st.ones([3]), dy2st.ones([]), dy2st.ones([2, 3]), dy2st.ones([3])):
        np.testing.assert_array_equal(function(x, y)[1].numpy(), mixed(x, y)[1].numpy())
    assert len(function.program.executable._sources._modules) == 3


def test_an_unknown_operator_is_told_when_it_is_called():
    function = script(mixed)
    program = function.program.program
    op = next(op for op in program.walk() if op.name == "add")
    op.name = "unheard_of"
    with pytest.raises(dy2st.errors.EngineError, match="unheard_of"):
        compile_program(program)(np.ones(3, "float32"), np.ones(3, "float32"))
