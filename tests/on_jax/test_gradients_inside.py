"""Programs that ask for gradients themselves, as pure functions of JAX: values, and `jax.grad` through their gradients (R-02)."""

from __future__ import annotations

import numpy as np
import pytest
from programs.models_that_differentiate import PROGRAMS

import dy2st as paddle
from dy2st.static import InputSpec

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import jax.numpy as jnp  # noqa: E402

import dy2st.jax  # noqa: E402


@pytest.mark.parametrize("program", PROGRAMS)
def test_r_02_values_and_gradients(program):
    paddle.seed(0)
    net = program()
    arrays = [np.random.RandomState(0).rand(*shape).astype("float32") for shape in program.arguments]
    plain = net(*map(paddle.to_tensor, arrays))
    results = plain if isinstance(plain, tuple) else (plain,)
    sum((x * x).sum() for x in results if not x.stop_gradient).backward()
    f, params = dy2st.jax.function(net, [InputSpec(list(shape)) for shape in program.arguments])

    def loss(params):
        made = f(params, *arrays)[0]
        made = made if isinstance(made, tuple) else (made,)
        return sum((x * x).sum() for x, y in zip(made, results) if not y.stop_gradient), made

    (_, made), gradients = jax.jit(jax.value_and_grad(loss, has_aux=True))(params)
    for x, y in zip(made, results, strict=True):
        np.testing.assert_allclose(x, y.numpy(), rtol=1e-3, atol=1e-4)
    for name, p in net.named_parameters():
        wanted = np.zeros(p.shape) if p.grad is None else p.grad.numpy()
        np.testing.assert_allclose(jnp.asarray(gradients[name]), wanted, rtol=1e-3, atol=1e-3, err_msg=name)
