"""What is written at one place twice: the last one stays, and each has the slope that eager code and PyTorch give it."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X, V = np.asarray([[1, 2, 3], [4, 5, 6]], "float32"), np.asarray([10, 20, 30], "float32")
ROWS, COLUMNS = np.asarray([0, 1, 1], "int32"), np.asarray([2, 0, 0], "int32")


def put(x, v, rows, columns):
    y = x * 2
    y[rows, columns] = v
    return y


def added(x, v, rows, columns):
    y = x * 2
    y[rows, columns] += v
    return y


def put_along(x, v, rows, columns):
    return paddle.put_along_axis(x * 2, columns.reshape([1, 3]), v.reshape([1, 3]), 1, broadcast=False)


def scattered(x, v, rows, columns):
    return paddle.scatter(x * 2, rows, v.reshape([3, 1]) * paddle.ones([3, 3]))


def in_64_bits(x, v, rows, columns):
    return put(x.astype("float64"), v.astype("float64"), rows, columns).astype("float32")


SLOPES = {  # by hand: in eager code, as in PyTorch, a value has the slope of the place that it is written at
    put: ([[2, 2, 0], [0, 2, 2]], [1, 1, 1]),
    added: ([[2, 2, 2], [4, 2, 2]], [1, 1, 1]),
    put_along: ([[0, 2, 0], [2, 2, 2]], [1, 1, 1]),
    scattered: ([[0, 0, 0], [0, 0, 0]], [3, 3, 3]),
    in_64_bits: ([[2, 2, 0], [0, 2, 2]], [1, 1, 1]),
}


@pytest.mark.parametrize("x32", [False, True])
@pytest.mark.parametrize("function", SLOPES)
def test_slopes(function, x32):
    specs = [InputSpec(a.shape, a.dtype.name) for a in (X, V, ROWS, COLUMNS)]
    f, params = dy2st.jax.function(function, specs, x32=x32)
    with jax.enable_x64(False):
        found = jax.jit(jax.grad(lambda x, v: f(params, x, v, ROWS, COLUMNS)[0].sum(), (0, 1)))(X, V)
    for slope, wanted in zip(found, SLOPES[function], strict=True):
        np.testing.assert_array_equal(slope, wanted)
    np.testing.assert_array_equal(f(params, X, V, ROWS, COLUMNS)[0], function(*map(paddle.to_tensor, (X, V, ROWS, COLUMNS))))
