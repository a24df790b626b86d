"""Gradients of activations where their pieces meet, in each dtype: they are those of eager code."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.nn import functional as F  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

BORDERS = np.asarray([-20, -6, -3, -2, -1, -0.5, -0.0, 0.0, 0.5, 1, 2, 3, 6, 20])
ACTIVATIONS = """
    celu elu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu log_sigmoid mish relu relu6 selu sigmoid silu softplus
    softshrink softsign swish tanhshrink thresholded_relu
""".split()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_gradients(name, dtype):
    function, values = getattr(F, name), BORDERS.astype(dtype)
    x = paddle.to_tensor(values, stop_gradient=False)
    function(x).sum().backward()
    f, params = dy2st.jax.function(function, [InputSpec(values.shape, dtype, "x")])
    with jax.enable_x64(True):
        slopes = jax.jit(jax.grad(lambda x: f(params, x)[0].sum()))(values)
    np.testing.assert_allclose(slopes, x.grad.numpy(), rtol=1e-4, atol=1e-6)
