"""0-d integers as Python ints: the same answers as int64 arrays give, and no arrays in the loop."""

from __future__ import annotations

import numpy as np
import pytest

from dy2st.ir.builder import Builder
from dy2st.runtime.engine import compile_program

INT, FLAG = "int64[]", "bool[]"
LOW, HIGH = -(2**63), 2**63 - 1


def int0(value) -> np.ndarray:
    return np.array(value, "int64")


def binary(name, types=INT):
    b = Builder()
    with b.function("main", x=INT, y=INT) as (x, y):
        b.return_(b.op(name, x, y, types=types))
    return compile_program(b.program)


EDGES = (0, 1, -1, 2, -3, 7, LOW, HIGH, 2**62)
OPERATORS = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
    "less_than": np.less,
    "greater_equal": np.greater_equal,
    "equal": np.equal,
}


@pytest.mark.parametrize("name", OPERATORS)
def test_edges_of_int64(name):
    run = binary(name, FLAG if name in ("less_than", "greater_equal", "equal") else INT)
    for x in EDGES:
        for y in EDGES:
            with np.errstate(all="ignore"):
                expected = np.asarray(OPERATORS[name](int0(x), int0(y)))
            got = run(int0(x), int0(y))
            assert got.dtype == expected.dtype and got.shape == () and got == expected, (x, y, run.source)


def test_a_product_that_leaves_int64_wraps_before_it_is_compared():
    b = Builder()
    with b.function("main", x=INT) as (x,):
        square = b.op("multiply", x, x, types=INT)
        b.return_(b.op("less_than", square, b.const(0), types=FLAG))
    run = compile_program(b.program)
    for x in (3, 2**32, 3037000500):
        with np.errstate(all="ignore"):
            assert run(int0(x)) == (int0(x) * int0(x) < 0)


def test_a_hash_loop_wraps_in_every_turn():
    b = Builder()
    with b.function("main", n="int") as (n,):
        start = b.op("py.to_tensor", b.const(7), dtype="int64", types=INT)

        def body(i, h):
            product = b.op("multiply", h, b.const(31), types=INT)
            return b.op("py.add", i, b.const(1), types="int"), b.op("add", product, b.const(12345), types=INT)

        done = b.while_([b.const(0), start], lambda i, h: b.op("py.lt", i, n, types="bool"), body)
        b.return_(done[1])
    run = compile_program(b.program)
    expected = 7
    for _ in range(500):
        expected = (expected * 31 + 12345 + 2**63) % 2**64 - 2**63
    assert run(500) == expected
    assert "wrap(" in run.source


def counter_loop(step: int):
    b = Builder()
    with b.function("main", n=INT) as (n,):
        zero = b.op("py.to_tensor", b.const(0), dtype="int64", types=INT)
        done = b.while_(
            [zero],
            lambda i: b.op("py.truth", b.op("less_than", i, n, types=FLAG), types="bool"),
            lambda i: b.op("add", i, b.const(step), types=INT),
        )
        b.return_(done)
    return compile_program(b.program)


def test_a_counter_is_an_int_and_needs_no_wrapping():
    run = counter_loop(1)
    assert run(int0(1000)) == 1000
    assert "wrap" not in run.source and "asarray" not in run.source


def test_a_counter_with_large_steps_wraps():
    """1 + k * 2**61 leaves int64 in the fourth turn and comes back below zero."""
    b = Builder()
    with b.function("main", step=INT) as (step,):
        start = b.op("py.to_tensor", b.const(1), dtype="int64", types=INT)

        def condition(i):
            return b.op("py.truth", b.op("greater_than", i, b.const(0), types=FLAG), types="bool")

        b.return_(b.while_([start], condition, lambda i: b.op("add", i, b.const(2**61), types=INT)))
    run = compile_program(b.program)
    assert "wrap" in run.source and run(int0(0)) == LOW + 1


def test_the_counter_as_a_number_outlives_the_turn():
    """py.item of an int is the int itself; the next turn's value must not overwrite it while it is needed."""
    b = Builder()
    with b.function("main", n=INT) as (n,):
        out = b.op("list.new", types="list<int>")
        zero = b.op("py.to_tensor", b.const(0), dtype="int64", types=INT)

        def body(i):
            number = b.op("py.item", i, types="int")
            following = b.op("add", i, b.const(1), types=INT)
            b.op("list.append", out, number)
            return following

        b.while_([zero], lambda i: b.op("py.truth", b.op("less_than", i, n, types=FLAG), types="bool"), body)
        b.return_(out)
    assert compile_program(b.program)(int0(4)) == [0, 1, 2, 3]


def test_values_that_change_places():
    b = Builder()
    with b.function("main", n="int", x=INT, y=INT, z="float32[]") as (n, x, y, z):

        def body(i, a, c, d):
            return b.op("py.add", i, b.const(1), types="int"), c, a, b.op("add", d, b.const(0.1), types="float32[]")

        done = b.while_([b.const(0), x, y, z], lambda i, *_: b.op("py.lt", i, n, types="bool"), body)
        b.return_(b.op("tuple.new", *done[1:], types=f"tuple<{INT}, {INT}, float32[]>"))
    a, c, d = compile_program(b.program)(3, int0(1), int0(2), np.array(0, "float32"))
    expected = np.float32(0)
    for _ in range(3):
        expected = np.float32(expected + np.float32(0.1))
    assert (a, c, d) == (2, 1, expected) and d.dtype == "float32"


def test_a_0d_tensor_that_is_written_in_place_stays_an_array():
    b = Builder()
    with b.function("main", x=INT) as (x,):
        y = b.op("add", x, b.const(1), types=INT)
        kept = b.op("list.new", y, types=f"list<{INT}>")
        b.op("add_", y, x)
        b.return_(b.op("tuple.new", b.op("list.get", kept, b.const(0), types=INT), y, types=f"tuple<{INT}, {INT}>"))
    first, second = compile_program(b.program)(int0(5))
    assert (first, second) == (11, 11) and first is second


def test_results_are_arrays_of_the_declared_dtype():
    b = Builder()
    with b.function("main", x=INT, f="float32[]") as (x, f):
        flag = b.op("less_than", x, b.const(3), types=FLAG)
        total = b.op("add", x, b.const(1), types=INT)
        half = b.op("multiply", f, b.const(0.5), types="float32[]")
        list_ = b.op("list.new", total, types=f"list<{INT}>")
        b.return_(b.op("tuple.new", flag, total, half, list_, types=f"tuple<{FLAG}, {INT}, float32[], list<{INT}>>"))
    flag, total, half, (inside,) = compile_program(b.program)(int0(1), np.array(3, "float32"))
    assert all(type(x) is np.ndarray for x in (flag, total, half, inside))
    assert (flag.dtype.name, total.dtype.name, half.dtype.name) == ("bool", "int64", "float32")
    assert (bool(flag), int(total), float(half), int(inside)) == (True, 2, 1.5, 2)


def test_a_value_that_a_path_never_reads():
    b = Builder()
    with b.function("main", c="bool", x=INT) as (c, x):
        missing = lambda: b.op("undef", types=INT)  # noqa: E731
        y = b.if_(c, lambda: b.op("add", x, b.const(1), types=INT), missing, types=INT)
        b.return_(b.if_(c, lambda: y, lambda: x, types=INT))
    run = compile_program(b.program)
    assert (run(True, int0(4)), run(False, int0(4))) == (5, 4)


def test_a_bound_that_a_loop_compares_is_unboxed_at_the_entry():
    b = Builder()
    with b.function("main", limit=INT, x=INT) as (limit, x):
        start = b.op("py.to_tensor", b.const(0), dtype="int64", types=INT)
        done = b.while_(
            [start],
            lambda i: b.op("py.truth", b.op("less_than", i, limit, types=FLAG), types="bool"),
            lambda i: b.op("add", i, x, types=INT),
        )
        b.return_(b.op("tuple.new", done, x, types=f"tuple<{INT}, {INT}>"))
    run = compile_program(b.program)
    assert run.source.count(".item()") == 2  # limit at the entry; x, which is returned as the array that it is, in the loop
    for limit, x in ((10, 3), (0, 1), (-5, 7), (HIGH, HIGH)):
        given = int0(x)
        total, same = run(int0(limit), given)
        expected = 0
        while expected < limit:
            expected += x
        assert total == expected and total.dtype == np.int64 and same is given


@pytest.mark.parametrize("name", ("less_than", "greater_equal", "equal"))
def test_an_int_of_any_size_is_compared_as_numpy_does(name):
    b = Builder()
    with b.function("main", x=INT, n="int") as (x, n):
        b.return_(b.op(name, x, n, types=FLAG))
    run = compile_program(b.program)
    for x in EDGES:
        for n in (*EDGES, HIGH + 1, LOW - 1, 10**30):
            assert run(int0(x), n) == OPERATORS[name](int0(x), n)
    assert ".item()" in run.source


def test_a_long_chain_of_arithmetic_does_not_nest_too_deep():
    b = Builder()
    with b.function("main", x="int64[]") as (x,):
        one = b.const(1)

        def body(i):
            for _ in range(400):
                i = b.op("add", i, one, types="int64[]")
            return [i]

        def short(i):
            return b.op("py.truth", b.op("less_than", i, b.const(1000), types="bool[]"), types="bool")

        b.return_(b.while_([x], short, body))
    assert compile_program(b.program)(int0(0)).tolist() == 1200
