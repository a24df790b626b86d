"""Operators inside a caller's `jax.jit` that has no 64 bits: JAX writes some out after the trace, and narrows what is known."""

from __future__ import annotations

import warnings

import pytest

jax = pytest.importorskip("jax", reason="lowerings run in JAX: pip install '.[jax]'")

from on_jax import running, test_registry  # noqa: E402
from onnx_models.cases import FIXED, LOWERED, expected  # noqa: E402
from onnx_models.running import of_one_operator  # noqa: E402
from support.sampling import sampled  # noqa: E402

from dy2st.jax.engine import Compiled  # noqa: E402


class InCallersJit(Compiled):
    """What is traced with 64 bits, and compiled without."""

    def __init__(self, *given):
        super().__init__(*given)
        self._run = self._compiled_without

    def _compiled_without(self, parameters, inputs, key):
        def traced(*given):
            with jax.enable_x64(True):
                return self._traced(*given)

        given = jax.tree.map(jax.numpy.array, (dict(parameters), inputs, key))
        with jax.enable_x64(False), warnings.catch_warnings():
            warnings.filterwarnings("error", "Explicitly requested dtype")
            return jax.jit(traced)(*given)


ALWAYS = ["argmax", "argmin", "shape", "numel", "max_pool2d_indices", "cumsum", "full", "sort"]


@pytest.mark.long
@pytest.mark.parametrize("name", [*ALWAYS, *sampled([name for name in FIXED if name not in ALWAYS], 12)])
def test_samples(name, monkeypatch):
    monkeypatch.setattr(running, "Compiled", InCallersJit)
    test_registry.test_samples(name)


@pytest.mark.parametrize("name", ["normal", "randint", "dropout_mask", "multinomial"])
def test_draws(name, monkeypatch):
    monkeypatch.setattr(running, "Compiled", InCallersJit)
    case = LOWERED[name][0]
    given, wanted = running.run(*of_one_operator(name, case.operands, case.attrs)), expected(name, case)
    assert (given.shape, given.dtype) == (wanted.shape, wanted.dtype)
