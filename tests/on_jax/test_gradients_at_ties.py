"""Gradients of jax.grad between equal elements, at 0, at borders and of NaN: those of eager code, also behind control flow."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

from api.test_gradients_at_ties import CASES, SOURCES, weighed  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st.jax  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "source"), sampled([(name, source) for name in CASES for source in SOURCES[:3]], 30))
def test_gradients_of_jax_are_those_of_the_formulas(name, source):
    x, y = (np.asarray(each, "float64") for each in CASES[name][1:3])
    specs = [InputSpec(list(each.shape), "float64", key) for key, each in (("x", x), ("y", y))]
    with jax.enable_x64(True):
        f, params = dy2st.jax.function(weighed(name, source), specs)
        found = jax.grad(lambda x: f(params, x, y)[0])(x)
    np.testing.assert_allclose(found, CASES[name][3], rtol=1e-9)
