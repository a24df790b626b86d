"""Memory: temporaries are reused in place, outputs belong to the caller, parameters change only where the Program says so."""

from __future__ import annotations

import numpy as np

from dy2st.ir.builder import Builder
from dy2st.runtime.engine import compile_program

T = "float32[n,3]"


def chain(b: Builder):
    with b.function("main", x=T) as (x,):
        y = b.op("add", x, x, types=T)
        y = b.op("tanh", y, types=T)
        y = b.op("subtract", b.op("multiply", y, x, types=T), x, types=T)
        b.return_(y)
    return b.program


def test_a_dying_temporary_is_written_over_and_the_input_is_not():
    run = compile_program(chain(Builder()))
    assert "*=" in run.source and "out=" in run.source
    x = np.random.default_rng(0).normal(size=(5, 3)).astype("float32")
    before = x.copy()
    first, second = run(x), run(x)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_array_equal(first, np.tanh(x + x) * x - x)
    assert not np.shares_memory(first, second)


def test_a_temporary_with_a_view_is_kept():
    b = Builder()
    with b.function("main", x="float32[4]") as (x,):
        t = b.op("add", x, x, types="float32[4]")
        view = b.op("getitem", t, index=[{"slice": [None, None, -1]}], types="float32[4]")
        u = b.op("multiply", t, x, types="float32[4]")
        b.return_(b.op("tuple.new", view, u, types="tuple<float32[4], float32[4]>"))
    x = np.arange(4, dtype="float32")
    view, u = compile_program(b.program)(x)
    np.testing.assert_array_equal(view, (2 * x)[::-1])
    np.testing.assert_array_equal(u, 2 * x * x)


def test_a_temporary_in_a_list_is_kept():
    b = Builder()
    with b.function("main", x="float32[4]") as (x,):
        t = b.op("add", x, x, types="float32[4]")
        kept = b.op("list.new", t, types="list<float32[4]>")
        u = b.op("multiply", t, x, types="float32[4]")
        b.return_(b.op("tuple.new", kept, u, types="tuple<list<float32[4]>, float32[4]>"))
    x = np.arange(4, dtype="float32")
    (kept,), u = compile_program(b.program)(x)
    np.testing.assert_array_equal(kept, 2 * x)
    np.testing.assert_array_equal(u, 2 * x * x)


def test_a_smaller_operand_is_not_written_over():
    b = Builder()
    with b.function("main", x="float32[n,1]", y="float32[n,3]") as (x, y):
        t = b.op("add", x, x, types="float32[n,1]")
        b.return_(b.op("add", t, y, types="float32[n,3]"))
    x, y = np.ones((2, 1), "float32"), np.ones((2, 3), "float32")
    np.testing.assert_array_equal(compile_program(b.program)(x, y), np.full((2, 3), 3, "float32"))


def test_equal_anonymous_dims_are_not_taken_for_equal():
    b = Builder()
    with b.function("main", x="float32[?]", y="float32[?]") as (x, y):
        t = b.op("add", x, x, types="float32[?]")
        b.return_(b.op("add", t, y, types="float32[?]"))
    np.testing.assert_array_equal(
        compile_program(b.program)(np.ones(1, "float32"), np.ones(3, "float32")), np.full(3, 3, "float32")
    )


def counting(data):
    b = Builder()
    with b.function("main", x="float32[2]") as (x,):
        total = b.param("total", data, kind="buffer")
        b.op("add_", total, x)
        b.return_(b.op("multiply", total, b.const(1.0), types="float32[2]"))
    return b.program


def test_a_parameter_written_in_place_keeps_its_storage():
    data = np.zeros(2, "float32")
    run = compile_program(counting(data))
    x = np.array([1, 2], "float32")
    run(x)
    np.testing.assert_array_equal(run(x), 2 * x)
    assert run.parameters["total"] is data
    np.testing.assert_array_equal(data, 2 * x)


def test_a_read_only_parameter_is_copied_before_it_is_written():
    data = np.zeros(2, "float32")
    data.flags.writeable = False
    program = counting(data)
    run = compile_program(program)
    run(np.ones(2, "float32"))
    np.testing.assert_array_equal(data, 0)
    np.testing.assert_array_equal(run.parameters["total"], 1)
    np.testing.assert_array_equal(compile_program(program).parameters["total"], 0)


def test_a_read_only_parameter_that_is_only_read_is_not_copied():
    data = np.ones(2, "float32")
    data.flags.writeable = False
    b = Builder()
    with b.function("main", x="float32[2]") as (x,):
        b.return_(b.op("add", x, b.param("w", data), types="float32[2]"))
    run = compile_program(b.program)
    assert run.parameters["w"] is data
    np.testing.assert_array_equal(run(np.ones(2, "float32")), 2)


def test_a_parameter_may_be_replaced_between_calls():
    b = Builder()
    with b.function("main") as ():
        b.return_(b.op("add", b.param("w", np.ones(2)), b.const(1.0), types="float64[2]"))
    run = compile_program(b.program)
    run()
    run.parameters["w"] = np.full(2, 5.0)
    np.testing.assert_array_equal(run(), 6)


def test_an_identity_program_gives_its_input_itself():
    b = Builder()
    with b.function("main", x="float32[2]") as (x,):
        b.return_(x)
    x = np.ones(2, "float32")
    assert compile_program(b.program)(x) is x


def test_each_executable_has_state_of_its_own():
    b = Builder()
    b.declare_state("seen", "list<int>", [])
    with b.function("main", x="int") as (x,):
        seen = b.state_get("seen")
        b.op("list.append", seen, x)
        b.return_(b.op("list.len", seen, types="int"))
    first = compile_program(b.program)
    second = first.fresh()
    assert [first(1), first(2), second(3)] == [1, 2, 1]
    assert first.state["seen"] == [1, 2] and b.program.state["seen"].value == []


def test_state_that_is_one_object_stays_one_object():
    shared = [1]
    b = Builder()
    b.declare_state("a", "list<int>", shared)
    b.declare_state("b", "list<int>", shared)
    with b.function("main") as ():
        b.op("list.append", b.state_get("a"), b.const(2))
        b.return_(b.state_get("b"))
    assert compile_program(b.program)() == [1, 2] and shared == [1]
