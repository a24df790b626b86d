"""Writes to slices and places that only the run tells: each is what NumPy does, with its exception, gradient and batch."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.arange(1, 21, dtype="float32").reshape(5, 4)
NUMBERS = range(-6, 8)


def one_row(y, x, n):
    y[n : n + 1] = x[:1]


def columns(y, x, n):
    y[1:, n : n + 2] = x[1:, :2] * 2


def up_to(y, x, n):
    y[:n] = 0.0


def from_there_on(y, x, n):
    y[n:] = y[n:] * 3 + 1


def every_second(y, x, n):
    y[n::2, 0] = 7.0


def of_the_last_axis(y, x, n):
    y[..., :n] += x[:, 3:]


def a_row_in_columns(y, x, n):
    y[n, n : n + 1] = 9.0


def at_two_places(y, x, n):
    y[n, n - 1] = x[0, 0] * 5


FUNCTIONS = [one_row, columns, up_to, from_there_on, every_second, of_the_last_axis, a_row_in_columns, at_two_places]


def wanted(function, n):
    y = X.copy()
    try:
        function(y, X, n)
    except (IndexError, ValueError) as error:
        return error
    return y


def of_model(function):
    def model(x, n):
        y = x.clone()
        function(y, x, int(n))
        return y

    return model


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_number(function):
    f, params = dy2st.jax.function(of_model(function), [InputSpec([5, 4], "float32", "x"), InputSpec([], "int32", "n")])
    run = jax.jit(f)
    for n in NUMBERS:
        found, _, status = run(params, X, np.int32(n))
        expected = wanted(function, n)
        if isinstance(expected, Exception):
            with pytest.raises(IndexError if isinstance(expected, IndexError) else ValueError):
                status.throw()
        else:
            status.throw()
            np.testing.assert_array_equal(found, expected, err_msg=str(n))
    ns = np.asarray(NUMBERS, "int32")
    many, _, status = jax.jit(jax.vmap(f, (None, None, 0)))(params, X, ns)
    for n, row, code in zip(ns, many, status.code, strict=True):
        expected = wanted(function, n)
        assert bool(code) == isinstance(expected, Exception)
        if not code:
            np.testing.assert_array_equal(row, expected)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_gradients(function):
    f, params = dy2st.jax.function(of_model(function), [InputSpec([5, 4], "float32", "x"), InputSpec([], "int32", "n")])
    slopes = jax.jit(jax.grad(lambda x, n: (f(params, x, n)[0] * (X + 1)).sum()))
    x = paddle.to_tensor(X, stop_gradient=False)
    (of_model(function)(x, paddle.to_tensor(np.int32(2))) * paddle.to_tensor(X + 1)).sum().backward()
    np.testing.assert_allclose(slopes(X, np.int32(2)), x.grad.numpy())


def with_a_cache(x):
    cache, at, total = paddle.zeros([6, 2]), 0, paddle.zeros([2])
    while at < 6 and total.sum() < 20:
        cache[at : at + 1] = x + at
        at += 1
        total = cache[:at].sum(0)
    return cache, at


def test_a_cache_in_a_loop():
    x = np.asarray([1.0, 2.0], "float32")
    f, params = dy2st.jax.function(with_a_cache, [InputSpec([2], "float32", "x")])
    (cache, at), _, status = jax.jit(f)(params, x)
    status.throw()
    expected, number = with_a_cache(paddle.to_tensor(x))
    assert int(at) == number
    np.testing.assert_array_equal(cache, expected.numpy())
