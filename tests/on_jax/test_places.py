"""Places in int32, which JAX's callers have without 64 bits: results and gradients are those of eager code, without a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.nn import functional as F  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X, PLACES = np.random.default_rng(0).normal(size=(5, 4)).astype("float32"), np.asarray([1, 0, 3], "int32")


def put(x, i):
    y = x * 1
    y[i] = y[i] * 2
    return y


def one_element(x, i):
    y = x * 1
    y[i[0], i[1]] = 7.0
    return y * x


def one_added(x, i):
    y = x * 1
    y[i[2], i[1]] += x[0, 0]
    return y


def of_a_list(x, i):
    rows = [x[k] for k in range(5) if x[k].sum() > -100]
    return paddle.stack(rows)[i]


FUNCTIONS = {
    "rows": lambda x, i: x[i],
    "elements": lambda x, i: x[i, i],
    "gather": lambda x, i: paddle.gather(x, i, axis=1),
    "index_select": lambda x, i: paddle.index_select(x, i, axis=0),
    "embedding": lambda x, i: F.embedding(i, x),
    "take_along_axis": lambda x, i: paddle.take_along_axis(x, i.reshape([1, 3]), 1),
    "gather_nd": lambda x, i: paddle.gather_nd(x, i.reshape([3, 1])),
    "scatter_nd_add": lambda x, i: paddle.scatter_nd_add(x, i.reshape([3, 1]), x[:3] * 2),
    "cross_entropy": lambda x, i: F.cross_entropy(x[:3], i),
    "max_pool2d": lambda x, i: F.max_pool2d(x.reshape([1, 1, 5, 4]), 2),
    "a number": lambda x, i: x[int(i[0])] * x[: int(i[2])].sum(),
    "put": put,
    "one_element": one_element,
    "one_added": one_added,
    "of_a_list": of_a_list,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_and_gradients(name):
    function, x = FUNCTIONS[name], paddle.to_tensor(X, stop_gradient=False)
    wanted = function(x, paddle.to_tensor(PLACES))
    wanted.sum().backward()
    f, params = dy2st.jax.function(function, [InputSpec([5, 4], "float32", "x"), InputSpec([3], "int32", "i")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = jax.jit(f)(params, X, PLACES)[0]
        slopes = jax.jit(jax.grad(lambda x, i: total(f(params, x, i)[0])))(X, PLACES)
    np.testing.assert_allclose(whole(found), wanted.numpy(), rtol=1e-5)
    np.testing.assert_allclose(slopes, x.grad.numpy(), rtol=1e-4, atol=1e-5)


def whole(found):
    return found if not isinstance(found, tuple) else found[0][: int(found[1])]


def total(found):
    return (found[0] if isinstance(found, tuple) else found).sum()


@pytest.mark.parametrize("name", ["rows", "elements", "one_element"])
def test_a_place_that_is_not_there(name):
    f, params = dy2st.jax.function(FUNCTIONS[name], [InputSpec([5, 4], "float32", "x"), InputSpec([3], "int32", "i")])
    with pytest.raises(IndexError):
        jax.jit(f)(params, X, np.asarray([1, 5, 0], "int32"))[2].throw()
