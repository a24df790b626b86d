"""Of numbers near 0, functions keep their digits: XLA takes x + 1 - 1 for x, so formulas that round on purpose fail in `jit`."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st as paddle  # noqa: E402
import dy2st.jax  # noqa: E402
from dy2st.nn import functional as F  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

TINY = np.asarray([1e-2, 1e-3, 1e-5, -1e-5, 1e-8, -1e-8, 1e-12, 1e-30, 0.0, -0.0])
FUNCTIONS = {
    "log1p": (paddle.log1p, np.log1p),
    "expm1": (paddle.expm1, np.expm1),
    "sinh": (paddle.sinh, np.sinh),
    "asinh": (paddle.asinh, np.arcsinh),
    "atanh": (paddle.atanh, np.arctanh),
    "atan": (paddle.atan, np.arctan),
    "asin": (paddle.asin, np.arcsin),
    "tan": (paddle.tan, np.tan),
    "elu": (F.elu, lambda x: np.where(x > 0, x, np.expm1(x))),
    "logaddexp": (lambda x: paddle.logaddexp(x - 20, x * 0), lambda x: np.logaddexp(x - 20, x * 0)),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_numbers_near_0(name, dtype):
    function, by_numpy = FUNCTIONS[name]
    f, params = dy2st.jax.function(function, [InputSpec(TINY.shape, dtype)])
    x = TINY.astype(dtype)
    with jax.enable_x64(True):
        found = np.asarray(jax.jit(f)(params, x)[0])
    np.testing.assert_allclose(found, by_numpy(x), rtol=1e-6 if dtype == "float32" else 1e-14, atol=0)


@pytest.mark.parametrize("name", ["log1p", "expm1", "asinh"])
def test_in_32_bits(name):
    function, by_numpy = FUNCTIONS[name]
    f, params = dy2st.jax.function(function, [InputSpec(TINY.shape, "float64")], x32=True)
    x = TINY.astype("float32")
    np.testing.assert_allclose(jax.jit(f)(params, x)[0], by_numpy(x), rtol=1e-6, atol=0)
