"""What a mask picks, and where elements are not zero: only the run knows how many there are. Values and slopes are eager ones."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.errors import ConversionError, ShapeError  # noqa: E402
from dy2st.nn import functional as F  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.asarray([[1, -2, 3], [-4, 5, -6]], "float32")
INPUTS = [X, -X, X + 10, np.where(X > 2, X, 0)]
NOTHING = np.zeros([2, 3], "float32")


def summed(x):
    return (x[x > 0] ** 2).sum() + x[x > 1].mean() + F.relu(x[x < 4]).sum() + paddle.log(x[x > 0]).sum() + x[x > 0].abs().sum()


def extreme(x):
    kept = x[x > 0]
    return kept.max() * 2 + kept.min() + kept.norm() + kept.prod() / 100


def rows(x):
    kept = x[x[:, 0] > 0]
    return (F.softmax(kept, 0) * kept).sum() + (kept @ x.t()).sum() + kept.flip(0).cumsum(0).sum() + kept.max(1).sum()


def put(x):
    y = x * 1
    y[x > 0] = x[x > 0] * x[x > 0].sum()
    y[x < -1] *= 2
    y[x[:, 1] > 0] = x[:1] * 3
    return y.sum()


def in_loops(x):
    total = x.sum() * 0
    for row in x[x[:, 0] > 0]:
        for _ in range(2):
            total = total + row[row > 0].sum() * row[1]
    return total


def by_places(x):
    places = paddle.nonzero(x > 0)
    return (paddle.gather_nd(x, places) * x[places[:, 0], places[:, 1]] * places[:, 1].astype("float32")).sum()


def eager(function, x):
    x = paddle.to_tensor(x, stop_gradient=False)
    y = function(x)
    y.backward()
    return y.numpy(), x.grad.numpy()


def made(function):
    return dy2st.jax.function(function, [InputSpec([2, 3], "float32", "x")])


@pytest.mark.parametrize("x32", [False, True])
@pytest.mark.parametrize("function", [summed, extreme, rows, put, by_places])
def test_values_and_gradients(function, x32):
    f, params = dy2st.jax.function(function, [InputSpec([2, 3], "float32", "x")], x32=x32)
    run = jax.jit(jax.value_and_grad(lambda x: f(params, x)[0]))
    with jax.enable_x64(False):
        for x in INPUTS:
            for found, wanted in zip(run(x), eager(function, x), strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
        each = jax.vmap(jax.grad(lambda x: f(params, x)[0]))(np.stack(INPUTS))
        np.testing.assert_allclose(each, [eager(function, x)[1] for x in INPUTS], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", [rows, put, by_places, lambda x: (x[x > 0] / x[x > 0]).sum() + paddle.sqrt(x[x != 0]).sum()])
def test_nothing_is_picked(function):
    f, params = made(function)
    value, slope = jax.jit(jax.value_and_grad(lambda x: f(params, x)[0]))(NOTHING)
    for found, wanted in zip((value, slope), eager(function, NOTHING), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_loops_over_what_is_picked():
    f, params = made(in_loops)
    for x in (*INPUTS, NOTHING):
        np.testing.assert_allclose(jax.jit(f)(params, x)[0], in_loops(paddle.to_tensor(x)).numpy(), rtol=1e-5)


def test_a_result_has_its_number():
    f, params = made(lambda x: (x[x > 0], paddle.nonzero(x > 0), paddle.topk(x[x > 0], 1)[0], x[x[:, 0] > 0][:, ::-1]))
    ((picked, n), (places, m), top, (turned, k)), _, status = jax.jit(f)(params, X)
    status.throw()
    assert (picked[: int(n)].tolist(), places[: int(m)].tolist()) == ([1, 3, 5], [[0, 0], [0, 2], [1, 1]])
    assert (top.tolist(), turned[: int(k)].tolist()) == ([5], [[3, -2, 1]])


@pytest.mark.parametrize(
    ("dtype", "values"),
    [("float32", [np.nan, 1, -np.inf, np.inf, 0]), ("int32", [-(2**31), 5, 0, -1, 2**31 - 1]), ("uint8", [0, 255, 7, 0, 7])],
)
def test_order_of_what_is_picked(dtype, values):
    x = np.asarray(values, dtype)

    def order(x):
        kept = x[x != 0]
        return paddle.sort(kept), paddle.sort(kept, descending=True), paddle.argsort(kept, descending=True)

    f, params = dy2st.jax.function(order, [InputSpec([5], x.dtype.name, "x")])
    for (found, count), wanted in zip(jax.jit(f)(params, x)[0], order(paddle.to_tensor(x)), strict=True):
        np.testing.assert_array_equal(found[: int(count)], wanted.numpy())


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda x: x[x > 0].max(), ValueError),
        (lambda x: x[x > 0][0], IndexError),
        (lambda x: paddle.topk(x[x > 0], 2)[0], ShapeError),
        (lambda x: x[x > 0] + x[x < 9][:3], ShapeError),
    ],
)
def test_too_few_are_picked(function, error):
    f, params = made(function)
    jax.jit(f)(params, X)[2].throw()
    with pytest.raises(error):
        function(paddle.to_tensor(NOTHING))
    with pytest.raises(error, match=r"\w+:\d+: "):
        jax.jit(f)(params, NOTHING)[2].throw()


def test_values_that_are_no_match_for_the_places():
    def three(x):
        y = x.clone()
        y[x > 0] = x[0]
        return y

    f, params = made(three)
    outputs, _, status = jax.jit(f)(params, X)
    status.throw()
    np.testing.assert_array_equal(outputs, three(paddle.to_tensor(X)))
    for error in (lambda: three(paddle.to_tensor(X + 10)), lambda: f(params, X + 10)[2].throw()):
        with pytest.raises(ShapeError):
            error()


def test_a_slope_that_no_rule_gives_is_refused():
    f, params = made(lambda x: paddle.maximum(x[x > 0], x[0][x[0] > -9]).sum())  # with room for six and for three
    np.testing.assert_allclose(f(params, X)[0], 1 + 3 + 5)
    with pytest.raises(ConversionError, match="no gradient.*the number of items depends on elements"):
        jax.grad(lambda x: f(params, x)[0])(X)
