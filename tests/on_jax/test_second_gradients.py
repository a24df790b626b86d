"""Gradients of gradients, and forward ones, of operators with rules of their own: against differences of eager gradients."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

from on_jax.test_borders import ACTIVATIONS  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.nn import functional as F  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = np.asarray([[0.3, -1.2, 2.1], [0.7, 4.0, -0.4]])
OTHERS = {
    "abs": lambda x: x.abs(),
    "acosh": lambda x: paddle.acosh(x * x + 1.5),
    "amax": lambda x: paddle.amax(x, 1) + paddle.amin(x, 1),
    "asin": lambda x: paddle.asin(x / 5) + paddle.acos(x / 6) + paddle.atanh(x / 7) + paddle.asinh(x),
    "atan2": lambda x: paddle.atan2(x, x[::-1]),
    "cholesky": lambda x: paddle.linalg.cholesky(x @ x.t()),
    "clip": lambda x: x.clip(-1, 2),
    "cummax": lambda x: paddle.cummax(x, 1)[0] * paddle.cummin(x, 1)[0] + paddle.cummax(x[0], 0)[0],
    "expm1": lambda x: paddle.expm1(x) + paddle.log1p(x.abs()) + paddle.log2(x.abs()) + paddle.log10(x.abs()),
    "fmax": lambda x: paddle.fmax(x, x[::-1]) * paddle.fmin(x, x[::-1]) + paddle.hypot(x, x[::-1]),
    "lgamma": lambda x: paddle.lgamma(x.abs()),
    "logcumsumexp": lambda x: paddle.logcumsumexp(x, 1),
    "max": lambda x: x.max(1) * x.min(1) + paddle.maximum(x, x[::-1]).sum(1) * paddle.minimum(x, x[::-1]).sum(1),
    "norm": lambda x: paddle.norm(x) + paddle.norm(x, p=1),
    "pow": lambda x: x**3 + x.abs() ** 1.5 + 2.0**x,
    "prod": lambda x: x.prod(1),
    "put_along_axis": lambda x: paddle.put_along_axis(x, paddle.to_tensor([[1], [2]]), x[:, :1], 1, reduce="multiply"),
    "remainder": lambda x: x % 0.9,
    "sinh": lambda x: paddle.sinh(x),
}
FUNCTIONS = {name: getattr(F, name) for name in ACTIVATIONS} | OTHERS


def cubed(operator):
    """A number that an operator has a part in, whose slope depends on its result."""
    return lambda x: (operator(x) ** 3 / 3 + operator(x) * x.sum()).sum()


def eager(function, x):
    x = paddle.to_tensor(x, stop_gradient=False)
    function(x).backward()
    return x.grad.numpy()


@pytest.mark.long
@pytest.mark.parametrize("name", sampled([*FUNCTIONS], 16))
def test_second_and_forward_gradients(name):
    function = cubed(FUNCTIONS[name])
    direction, step = np.asarray([[0.5, 1.0, -0.7], [0.2, -0.4, 0.9]]), 1e-6
    slopes, apart = eager(function, X), eager(function, X + step * direction) - eager(function, X - step * direction)
    wanted = apart / (2 * step)
    with jax.enable_x64(True):
        f, params = dy2st.jax.function(function, [InputSpec([2, 3], "float64", "x")])
        total = jax.jit(lambda x: f(params, x)[0])
        backward = jax.grad(lambda x: (jax.grad(total)(x) * direction).sum())(X)
        slope, curved = jax.jvp(jax.grad(total), [X], [direction])
        ahead = jax.jvp(total, [X], [direction])[1]
    np.testing.assert_allclose(slope, slopes, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ahead, (slopes * direction).sum(), rtol=1e-6)
    np.testing.assert_allclose(backward, wanted, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(curved, wanted, rtol=1e-4, atol=1e-6)
