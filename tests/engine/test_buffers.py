"""Large temporaries live in buffers that calls reuse; what the caller gets to hold never does."""

from __future__ import annotations

import copy
import random
import threading

import numpy as np
import pytest
from engine.reference import arrays_in
from engine.test_random_programs import check

from dy2st.config import limits
from dy2st.ir.builder import Builder
from dy2st.ir.core import Program
from dy2st.runtime.engine import compile_program, sizes, slots
from dy2st.runtime.engine.buffers import LARGE, POOLED, Buffer, Pool

OPEN = "float32[?,64]"
ROWS = LARGE // (64 * 4)  # from here on, an OPEN tensor is large


def rows(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 64)).astype("float32")


def chain(type_: str = OPEN) -> Program:
    b = Builder()
    with b.function("main", x=type_) as (x,):
        y = b.op("exp", x, types=type_)
        z = b.op("multiply", y, x, types=type_)
        b.return_(b.op("subtract", z, y, types=type_))
    return b.program


def by_hand(x):
    return np.exp(x) * x - np.exp(x)


@pytest.fixture
def everything_is_large(monkeypatch):
    monkeypatch.setattr(sizes, "LARGE", 1)
    monkeypatch.setattr(slots, "LARGE", 1)


# --- which source a call runs ---


def forms(run) -> set[bool]:
    return {form.pooled for form in run._ready}


@pytest.mark.parametrize("n, pooled", [(1, False), (ROWS - 1, False), (ROWS, True), (2 * ROWS, True)])
def test_the_length_of_the_input_decides(n, pooled):
    run = compile_program(chain())
    x = rows(n)
    np.testing.assert_array_equal(run(x), by_hand(x))
    assert forms(run) == {pooled}


def test_known_shapes_decide_at_once():
    assert "out=b[0]" in compile_program(chain(f"float32[{ROWS},64]")).source
    assert "b[0]" not in compile_program(chain(f"float32[{ROWS - 1},64]")).source


def test_the_axis_that_counts_may_be_any():
    run = compile_program(chain("float32[?,?]"))
    for shape in ((2, 3), (400, 2), (2, 400), (200, 200)):
        x = np.ones(shape, "float32")
        np.testing.assert_array_equal(run(x), by_hand(x))
    assert forms(run) == {False, True}


def test_arrays_of_known_shape_share_an_arena():
    """Three lengths, of which two are alive at once: the arena is as long as the two longest neighbours."""
    b = Builder()
    shapes = [f"float32[{ROWS * k},64]" for k in (1, 2, 4)]
    with b.function("main", x=shapes[0]) as (x,):
        for shape in shapes[1:]:
            x = b.op("concat", b.op("exp", x, types=x.type), x, axis=0, types=shape)
            x = b.op("tanh", x, types=shape)
        b.return_(b.op("sum", x, types="float32[]"))
    run, x = compile_program(b.program), rows(ROWS)
    y = np.tanh(np.concatenate([np.exp(x), x]))
    z = np.tanh(np.concatenate([np.exp(y), y]))
    for _ in range(2):
        assert run(x) == z.sum(dtype="float32")
    (pool,) = run._sources.pools()
    assert pool.nbytes <= 2 * y.nbytes + z.nbytes


# --- what the caller holds ---


def test_results_of_calls_share_no_memory():
    run = compile_program(chain())
    x, y = rows(ROWS), rows(ROWS, 1)
    first = run(x)
    kept = first.copy()
    second = run(y)
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(second, by_hand(y))
    assert not np.shares_memory(first, second)


def held_program(how: str) -> Program:
    """A temporary that leaves the function in one of several ways, and one that doesn't."""
    b = Builder()
    with b.function("main", x=OPEN) as (x,):
        t = b.op("exp", x, types=OPEN)
        inner = b.op("tanh", x, types=OPEN)
        total = b.op("add", inner, inner, types=OPEN)
        if how == "result":
            result = b.op("tuple.new", t, total, types=f"tuple<{OPEN}, {OPEN}>")
        elif how == "view":
            view = b.op("getitem", t, index=[{"slice": [None, None, -1]}], types=OPEN)
            result = b.op("tuple.new", view, total, types=f"tuple<{OPEN}, {OPEN}>")
        elif how == "list":
            kept = b.op("list.new", t, types=f"list<{OPEN}>")
            result = b.op("tuple.new", kept, total, types=f"tuple<list<{OPEN}>, {OPEN}>")
        else:
            cell = b.op("cell.new", t, types=f"cell<{OPEN}>")
            result = b.op("tuple.new", b.op("cell.get", cell, types=OPEN), total, types=f"tuple<{OPEN}, {OPEN}>")
        b.return_(result)
    return b.program


@pytest.mark.parametrize("how", ["result", "view", "list", "cell"])
def test_what_leaves_a_function_is_never_overwritten(how):
    run = compile_program(held_program(how))
    x, y = rows(ROWS), rows(ROWS, 1)
    first = run(x)
    kept = copy.deepcopy(first)
    second = run(y)
    assert forms(run) == {True} and "out=b[0]" in run._sources.module(next(iter(run._ready))).source
    for mine, before in zip(arrays_in(first), arrays_in(kept), strict=True):
        np.testing.assert_array_equal(mine, before)
        assert not any(np.shares_memory(mine, theirs) for theirs in arrays_in(second))


def test_what_becomes_state_is_never_overwritten():
    b = Builder()
    b.declare_state("last", OPEN, np.zeros((1, 64), "float32"))
    with b.function("main", x=OPEN) as (x,):
        t = b.op("exp", x, types=OPEN)
        b.state_set("last", t)
        b.return_(b.op("add", b.op("tanh", x, types=OPEN), x, types=OPEN))
    run = compile_program(b.program)
    x = rows(ROWS)
    run(x)
    last = run.state["last"]
    run(rows(ROWS, 1))
    np.testing.assert_array_equal(last, np.exp(x))


def test_a_parameter_written_in_place_keeps_its_storage():
    b = Builder()
    total = np.zeros((ROWS, 64), "float32")
    type_ = f"float32[{ROWS},64]"
    with b.function("main", x=type_) as (x,):
        p = b.param("total", total)
        b.op("add_", p, b.op("exp", x, types=type_), types=type_)
        b.return_(b.op("tanh", b.op("neg", x, types=type_), types=type_))
    run = compile_program(b.program)
    x = rows(ROWS)
    for _ in range(2):
        np.testing.assert_array_equal(run(x), np.tanh(-x))
    assert run.parameters["total"] is total
    np.testing.assert_array_equal(total, np.exp(x) + np.exp(x))


def test_a_buffer_is_held_as_long_as_a_view_of_it():
    b = Builder()
    with b.function("main", x=OPEN) as (x,):
        t = b.op("exp", x, types=OPEN)
        view = b.op("getitem", t, index=[{"slice": [None, None, -1]}], types=OPEN)
        u = b.op("tanh", x, types=OPEN)
        v = b.op("add", u, x, types=OPEN)
        b.return_(b.op("subtract", v, view, types=OPEN))
    run = compile_program(b.program)
    x = rows(ROWS)
    for _ in range(2):
        np.testing.assert_array_equal(run(x), np.tanh(x) + x - np.exp(x)[::-1])


# --- several calls at once ---


def test_what_a_condition_reads_is_held_until_it_is_asked(everything_is_large):
    scalar = "float32[]"
    b = Builder()

    def is_far(y):
        far = b.op("abs", b.op("subtract", y, b.const(9.0), types=scalar), types=scalar)
        return b.op("py.truth", b.op("greater_than", far, b.const(1.0), types="bool[]"), types="bool")

    with b.function("main", x=scalar) as (x,):
        b.return_(b.while_([x], is_far, lambda y: b.op("add", y, b.const(1.0), types=scalar)))
    assert compile_program(b.program)(np.array(3, "float32")) == 8


def test_recursion_has_a_set_for_each_call():
    b = Builder()
    with b.function("main", x=OPEN, n="int") as (x, n):
        y = b.op("exp", x, types=OPEN)
        more = b.op("py.gt", n, b.const(0), types="bool")

        def deeper():
            less = b.op("py.sub", n, b.const(1), types="int")
            half = b.op("multiply", x, b.const(0.5), types=OPEN)
            return (b.call("main", half, less, types=OPEN),)

        inner = b.if_(more, deeper, lambda: (b.op("neg", x, types=OPEN),), types=[OPEN])
        b.return_(b.op("add", y, inner, types=OPEN))

    def expected(x, n):
        return np.exp(x) + (expected(x * np.float32(0.5), n - 1) if n > 0 else -x)

    run = compile_program(b.program)
    x = rows(ROWS)
    for _ in range(2):
        np.testing.assert_array_equal(run(x, 4), expected(x, 4))


def test_threads_have_a_set_each():
    run = compile_program(chain())
    inputs = [rows(ROWS + i, i) for i in range(4)]
    wrong = []

    def work(x):
        wrong.extend(i for i in range(20) if not np.array_equal(run(x), by_hand(x)))

    threads = [threading.Thread(target=work, args=(x,)) for x in inputs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_call_that_fails_leaves_the_others_right():
    b = Builder()
    with b.function("main", x=OPEN, y=OPEN) as (x, y):
        t = b.op("exp", x, types=OPEN)
        b.return_(b.op("add", b.op("add", t, y, types=OPEN), x, types=OPEN))
    run = compile_program(b.program)
    x = rows(ROWS)
    for _ in range(2):
        with pytest.raises(ValueError, match="broadcast"):
            run(x, rows(ROWS - 1))
        np.testing.assert_array_equal(run(x, x), np.exp(x) + x + x)


# --- the buffers themselves ---


def test_a_buffer_follows_the_shape_and_lets_go_of_what_it_no_longer_needs():
    buffer = Buffer("float32")
    large = buffer((100, 10))
    assert large.shape == (100, 10) and buffer((100, 10)) is large
    assert np.shares_memory(buffer((50, 10)), large)
    assert not np.shares_memory(buffer((2, 2)), large)
    assert buffer((0, 3)).shape == (0, 3)


def test_a_buffer_is_as_long_as_its_longest_array_since_it_was_trimmed():
    buffer = Buffer("float32")
    for lengths, kept in [([100, 50], 100), ([60, 50], 60), ([30], 50), ([], 30)]:
        for length in lengths:
            buffer((length,))
        buffer.trim()
        assert buffer.nbytes == 4 * kept
    assert buffer((30,)).shape == (30,)


def test_a_pool_gives_a_set_to_one_call_at_a_time():
    pool = Pool(["float32", "bool"], [])
    first, second = pool.take(), pool.take()
    assert first is not second and [x((1,)).dtype.name for x in first] == ["float32", "bool"]
    pool.give(first)
    pool.give(second)
    assert pool.take() is first and pool.take() is not second, "one set is kept"


def test_no_more_than_the_limit_is_kept_by_all_functions(monkeypatch):
    POOLED.release()
    monkeypatch.setattr(limits, "pooled_bytes", 100)
    pools = []
    first, second = Pool(["int8"], pools), Pool(["int8"], pools)
    for pool, size, kept in [(first, 60, 60), (second, 41, 60), (second, 40, 100), (first, 101, 40)]:
        buffers = pool.take()
        buffers[0]((size,))
        pool.give(buffers)
        assert sum(p.nbytes for p in pools) == kept
    second.release()
    assert second.nbytes == 0


@pytest.mark.parametrize("seed", range(100))
def test_random_programs_with_every_temporary_in_a_buffer(seed, everything_is_large):
    check(random.Random(1000 + seed))
