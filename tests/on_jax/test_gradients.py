"""Where JAX differentiates a function, gradients end where plain Python's end, and what has none says so."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.ops.slopes import with_slope  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.asarray([0.5, -2.0, 3.0], "float32")


def detached(x):
    return x.detach() * x


def without_gradients(x):
    with paddle.no_grad():
        y = x * 2
    return y * x


def by_number(x):
    return x * float(x.sum()) + x.max().item()


def by_drawn(x):
    return x * paddle.bernoulli(paddle.nn.functional.sigmoid(x) * 0 + 1) + paddle.poisson(x * x * 0)


def in_a_loop(x):
    total = x
    for _ in range(3):
        total = total * x.detach() + x
    return total


def by_place(x):
    return x * x.argmax().astype("float32") + (x * x)[(-x).argmax()]


def sloped(x):
    return with_slope(x * 2, x, x.detach() + 7) * x


@pytest.mark.parametrize("function", [detached, without_gradients, by_number, by_drawn, in_a_loop, by_place, sloped])
def test_gradients_end_as_in_plain_python(function):
    x = paddle.to_tensor(X, stop_gradient=False)
    function(x).sum().backward()
    f, params = dy2st.jax.function(function, [InputSpec([3], "float32", "x")])
    given = jax.jit(jax.grad(lambda x: f(params, x)[0].sum()))(X)
    np.testing.assert_allclose(given, x.grad.numpy(), rtol=1e-6)


class Clipped(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, weight):
        return weight * 7


def hooked(x):
    y = x * 2
    y.register_hook(lambda weight: weight * 7)
    return y * 3


@pytest.mark.parametrize("function", [lambda x: Clipped.apply(x) * 3, hooked], ids=["PyLayer", "hook"])
def test_gradients_in_python_are_refused(function):
    f, params = dy2st.jax.function(function, [InputSpec([3], "float32", "x")])
    np.testing.assert_allclose(f(params, X)[0], X * 6)
    with pytest.raises(ConversionError, match=r"test_gradients.py:\d+.*Python code, which a graph doesn't hold"):
        jax.grad(lambda x: f(params, x)[0].sum())(X)
