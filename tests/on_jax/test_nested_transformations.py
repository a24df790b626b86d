"""JAX's transformations of one another, in a process without `jax_enable_x64`: places in arrays, in lists and in loops."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.asarray([[0.5, -2.0, 3.0], [1.0, 4.0, -1.5]], "float32")


def by_constant(x):
    return x[1, -1] * x[0] * x[0]


def by_places(x):
    k = x.argmax(1)
    return x[k[0] % 2] * x[:, k[1]].sum() ** 2


def in_a_list(x):
    rows = []
    for t in range(4):
        rows.append(x[t % 2] * x[0] ** 2)
        if x[0].sum() > t:
            rows.append(x[1] ** 3)
        if len(rows) > 5:
            rows.pop()
    return rows[-1] * len(rows) + rows[0]


def until_data_ends_it(x):
    rows = []
    for _ in range(5):
        x = x * x[0, 0]
        rows.append(x)
        if x.sum() < 2:
            break
    return paddle.stack(rows).sum(0) * x


def written(x):
    y = x * 1
    for t in range(2):
        y[x.argmin(1)[t] % 2] = x[t] * x[1]
        y[t, 0] += y[1, 2] * 2
    return y


def eager(function, x):
    x = paddle.to_tensor(x, stop_gradient=False)
    function(x).sum().backward()
    return x.grad.numpy()


def along(function, x, direction):
    """The slope of the gradient in one direction, by numbers in 64 bits."""
    x, step = x.astype("float64"), 1e-4 * direction.astype("float64")
    return (eager(function, x + step) - eager(function, x - step)) / 2e-4


@pytest.mark.parametrize("function", [by_constant, by_places, in_a_list, until_data_ends_it, written])
def test_transformations_of_one_another(function):
    f, params = dy2st.jax.function(function, [InputSpec([2, 3], "float32", "x")])
    total = jax.jit(lambda x: f(params, x)[0].sum())
    wanted = eager(function, X)
    with jax.enable_x64(False):
        many = jax.jit(jax.vmap(jax.grad(total)))(np.stack([X, 2 * X]))
        np.testing.assert_allclose(many[0], wanted, rtol=1e-5)
        np.testing.assert_allclose(many[1], eager(function, 2 * X), rtol=1e-5)
        np.testing.assert_allclose(jax.jacfwd(total)(X), wanted, rtol=1e-5)
        np.testing.assert_allclose(jax.grad(jax.checkpoint(total))(X), wanted, rtol=1e-5)
        rows = jax.jit(jax.jacrev(lambda x: f(params, x)[0]))(X)
        np.testing.assert_allclose(rows.reshape(-1, 2, 3).sum(0), wanted, rtol=1e-5)
        curved = np.tensordot(jax.hessian(total)(X), np.ones_like(X), 2)
    np.testing.assert_allclose(curved, along(function, X, np.ones_like(X)), rtol=1e-3, atol=1e-3)
