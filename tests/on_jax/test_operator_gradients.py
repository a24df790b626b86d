"""Gradients in JAX of every operator against those of eager code: of the samples, of equal numbers, zeros and large ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax", reason="lowerings run in JAX: pip install '.[jax]'")

import jax
import jax.numpy as jnp
from onnx_models.cases import FIXED
from onnx_models.running import of_one_operator
from ops.test_registry import gradients, is_real
from support.sampling import case_in_failure, sampled

from dy2st.errors import ConversionError
from dy2st.graphs.ports import plain
from dy2st.graphs.preparing import Prepared
from dy2st.ir.types import TensorType, TupleType
from dy2st.jax.computation import Computation
from dy2st.ops.registry import lookup


def everywhere(number: float):
    return lambda x: np.full_like(x, number)


def with_zeros(x: np.ndarray) -> np.ndarray:
    return np.where(np.arange(x.size).reshape(x.shape) % 2, x, 0).astype(x.dtype)


CHANGES = {
    "as it is": lambda x: x,
    "zeros": everywhere(0),
    "ones": everywhere(1),
    "some zeros": with_zeros,
    "equal": lambda x: np.full_like(x, x.flat[0] if x.size else 0),
    "100": everywhere(100),
    "-100": everywhere(-100),
}
SINGULAR = ("det", "inverse", "lstsq", "qr", "slogdet", "solve", "svd")  # whose slopes of equal rows are noise divided by noise


def slopes(name: str, case: Any, operands: list) -> list[np.ndarray]:
    """The gradients by the real operands of the results, weighed as `gradients` of eager code weighs them."""
    program, values = of_one_operator(name, tuple(operands), case.attrs)
    computation = Computation(Prepared(program, plain(program), {}))
    asked = [k for k, x in enumerate(values) if is_real(x)]

    def weighed(*reals: Any) -> Any:
        given = dict(zip(asked, reals))
        found = computation({}, [[given.get(k, x)] for k, x in enumerate(values)], 64)
        (port,) = [port for port in found.ports if port.role == "value"]
        types = port.type.elems if isinstance(port.type, TupleType) else (port.type,)
        assert len(types) <= len(found.arrays)
        total = jnp.zeros((), "float64")
        for k, (type_, (x, _)) in enumerate(zip(types, found.arrays)):
            if isinstance(type_, TensorType) and type_.dtype.startswith("float"):
                weights = np.asarray(np.random.default_rng(7 + k).uniform(0.5, 1.5, x.shape), x.dtype)
                total += (x * weights).sum().astype("float64")
        return total

    with jax.enable_x64(True):
        return [np.asarray(x) for x in jax.grad(weighed, tuple(range(len(asked))))(*(jnp.asarray(values[k]) for k in asked))]


def is_asked(name: str, case: Any) -> bool:
    """Whether the operator has a rule, and the case takes floats and gives no complex numbers."""
    definition = lookup(name)
    if definition.grad is None or definition.mutates or definition.random:
        return False
    block = of_one_operator(name, case.operands, case.attrs)[0].entry.block
    is_complex = any("complex" in str(x.type) for x in (*block.args, *block.ops[-1].operands))
    return not is_complex and any(is_real(x) and x.dtype in (np.float32, np.float64) for x in case.operands)


ASKED = [(name, k) for name in FIXED for k, case in enumerate(FIXED[name]) if case and is_asked(name, case)]
CASES = [(name, k, change) for name, k in ASKED for change in CHANGES]


@pytest.mark.long
@pytest.mark.parametrize(("name", "k", "change"), sampled(CASES, 30))
def test_a_gradient_is_that_of_eager_code(name, k, change):
    case = FIXED[name][k]
    operands = [CHANGES[change](x) if is_real(x) else x for x in case.operands]
    if name in SINGULAR and change != "as it is":
        pytest.skip("of equal rows, slopes are noise")
    try:
        with np.errstate(all="ignore"):
            expected = gradients(name, case, operands)
    except Exception as error:  # a kernel that refuses these numbers
        pytest.skip(f"eager code raises {error!r}")
    try:
        found = slopes(name, case, operands)
    except ConversionError as refusal:
        pytest.skip(str(refusal))
    for a, b in zip(expected, found, strict=True):
        with case_in_failure(f"{case.attrs}"):
            np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-5)
