"""Conditions of loops in JAX, asked before each turn where what is carried tells, else after; and places of extremes."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="lowerings run in JAX: pip install '.[jax]'")

import jax
import jax.numpy as jnp

import dy2st
import dy2st as paddle
from dy2st.static import InputSpec

X = np.linspace(1, 3, 4).astype(np.float32)


def of_tensors(x):
    y = x
    i = 0
    while (y * y).max() > 2.0 and i < 50:
        y = y * 0.5
        i = i + 1
    return y


def that_may_fail(x):
    i = 0
    total = paddle.zeros([])
    while x[i] < 2.5:
        total = total + x[i]
        i = i + 1
    return total


def that_is_known_at_first(x):
    n = 3
    while n > 0:
        x = x + n
        n = n - 1
    return x


def that_a_turn_tells(x):
    while True:
        x = x + 1
        if x.sum() > 40:
            break
    return x


def of_a_list(x):
    rows = [x]
    k = paddle.zeros([], "int64")
    while k < 3:
        rows.append(rows[-1] * 2)
        k = k + 1
    return paddle.stack(rows).sum()


def in_a_loop_that_fails(x):
    total = paddle.zeros([])
    for i in range(5):
        n = x[i]
        while n > 1:
            n = n * 0.5
            total = total + 1
    return total


def of_no_turn(x):
    while x.sum() < 0:
        x = x + 1
    return x


ALL = [of_tensors, that_may_fail, that_is_known_at_first, that_a_turn_tells, of_a_list, of_no_turn, in_a_loop_that_fails]


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [X, X * 0, np.float32([np.nan, 1, 2, 3])], ids=["numbers", "zeros", "nan"])
def test_the_same_as_plain_python(function, x):
    if function is that_a_turn_tells and np.isnan(x).any():
        pytest.skip("it never ends")
    static = dy2st.jit.to_static(function, input_spec=[InputSpec([4], "float32")], backend="jax")
    try:
        wanted = function(dy2st.to_tensor(x)).numpy()
    except IndexError:
        with pytest.raises(IndexError):
            static(dy2st.to_tensor(x))
        return
    np.testing.assert_allclose(static(dy2st.to_tensor(x)).numpy(), wanted, rtol=1e-6)


def test_each_row_of_a_batch_ends_by_itself():
    f, params = dy2st.jax.function(of_tensors, [InputSpec([4], "float32")])
    rows = np.stack([X, X * 10, X * 0])
    found = jax.jit(jax.vmap(lambda x: f(params, x)[0]))(rows)
    np.testing.assert_allclose(found, [of_tensors(dy2st.to_tensor(x)).numpy() for x in rows], rtol=1e-6)


def test_a_drawing_condition_draws_anew_in_each_turn():
    def until_small(x):
        n = paddle.zeros([], "int64")
        while paddle.rand([]) > 0.2:
            n = n + 1
        return n + x

    f, params = dy2st.jax.function(until_small, [InputSpec([], "int64")])
    counts = set()
    with jax.enable_x64(True):
        for _ in range(8):
            n, state, _ = f(params, np.int64(0))
            params = params | state
            counts.add(int(n))
    assert len(counts) > 2


@pytest.mark.parametrize("name", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "int32", "uint8", "bool"])
def test_the_first_extreme_or_nan(name, dtype):
    from dy2st.jax.lowering.operators import NODES

    rng = np.random.default_rng(0)
    with jax.enable_x64(True):
        for shape in ((1,), (7,), (5, 4), (3, 5000)):
            for special in (False, True):
                x = rng.integers(-3, 3, shape).astype(dtype)
                if special and x.dtype.kind == "f":
                    x = np.where(rng.random(shape) < 0.2, rng.choice(np.asarray([np.nan, -np.inf, np.inf], dtype), shape), x)
                for axis in range(len(shape)):
                    wanted = getattr(np, name.lower())(x, axis=axis)
                    found = jax.jit(lambda x, axis=axis: NODES[name](jnp, x, axis=axis, keepdims=0))(x)
                    assert found.dtype == "int64"
                    np.testing.assert_array_equal(found, wanted)
