"""What CPython limits (20 nested blocks, 100 levels of indentation) and what must stay linear."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dy2st.ir.builder import Builder
from dy2st.runtime.engine import compile_program

T = "float32[4]"


def nested_loops(depth: int):
    b = Builder()
    with b.function("main", n="int") as (n,):

        def level(k, total):
            if k == 0:
                return b.op("py.add", total, b.const(1), types="int")
            condition = lambda i, t: b.op("py.lt", i, n, types="bool")  # noqa: E731
            return b.while_(
                [b.const(0), total], condition, lambda i, t: (b.op("py.add", i, b.const(1), types="int"), level(k - 1, t))
            )[1]

        b.return_(level(depth, b.const(0)))
    return b.program


def nested_tries(depth: int):
    b = Builder()
    with b.function("main", x="int") as (x,):

        def level(k):
            if k == 0:
                return b.op("py.floordiv", b.const(10), x, types="int")
            return b.try_(lambda: level(k - 1), {("KeyError",): lambda: b.const(-k)}, types="int")

        b.return_(b.try_(lambda: level(depth), {("ZeroDivisionError",): lambda: b.const(0)}, types="int"))
    return b.program


@pytest.mark.parametrize("depth", [3, 30, 60])
def test_nested_loops(depth):
    run = compile_program(nested_loops(depth))
    assert run(1) == 1 and run(0) == 0
    assert depth > 3 or run(3) == 27


@pytest.mark.parametrize("depth", [30, 60])
def test_nested_tries(depth):
    run = compile_program(nested_tries(depth))
    assert (run(3), run(0)) == (3, 0)


def test_the_time_to_compile_grows_with_the_length():
    def seconds(count):
        b = Builder()
        with b.function("main", x=T) as (x,):
            y = x
            for _ in range(count // 2):
                y = b.op("add", b.op("tanh", y, types=T), x, types=T)
            b.return_(y)
        start = time.perf_counter()
        run = compile_program(b.program)
        elapsed = time.perf_counter() - start
        names = {line.split(" = ")[0].strip() for line in run.source.splitlines() if " = " in line}
        assert len(names) < 5  # locals are reused
        return elapsed

    seconds(1000)
    assert seconds(10000) < 25 * seconds(1000)


def test_recursion():
    b = Builder()
    with b.function("main", n="int") as (n,):

        def more():
            before = b.op("py.sub", n, b.const(1), types="int")
            return b.op("py.mul", n, b.call("main", before, types="int"), types="int")

        b.return_(b.if_(b.op("py.le", n, b.const(1), types="bool"), lambda: b.const(1), more, types="int"))
    assert compile_program(b.program)(20) == 2432902008176640000


def test_an_unused_result_is_not_computed_and_an_unused_effect_is():
    b = Builder()
    with b.function("main", x=T) as (x,):
        b.op("tanh", x, types=T)
        list_ = b.op("list.new", b.const(1), types="list<int>")
        b.op("list.pop", list_, types="int")
        b.return_(b.op("list.len", list_, types="int"))
    run = compile_program(b.program)
    assert "tanh" not in run.source and run(np.zeros(4, "float32")) == 0
