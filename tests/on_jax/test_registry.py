"""Every operator's lowering in JAX against its kernel: on the samples, in each dtype, of nothing."""

from __future__ import annotations

import pytest

pytest.importorskip("jax", reason="lowerings run in JAX: pip install '.[jax]'")

from on_jax.running import run
from onnx_models.cases import DTYPE_NAMES, FIXED, accepts, emptied, expected, recast, rounding
from onnx_models.running import assert_same, of_one_operator
from support.sampling import case_in_failure, sampled

from dy2st.errors import EngineError


def check(name, case):
    """Hold the kernel's result against JAX's; "" or the text of a refusal. Where the kernel raises, that fails too."""
    program, values = of_one_operator(name, case.operands, case.attrs)
    wanted = expected(name, case)
    try:
        given = run(program, values)
    except EngineError as refusal:
        return str(refusal)
    except Exception:
        if isinstance(wanted, Exception):
            return ""
        raise
    assert not isinstance(wanted, Exception), f"{name} gives {given!r} in JAX; the kernel raises {wanted!r}"
    assert_same(wanted, given, name, *rounding(case))
    return ""


def accepted(cases):
    """The cases that the kernel takes."""
    return [(name, case) for name, case in cases if case is not None and accepts(name, case)]


DTYPES = [(name, dtype, k) for name in FIXED for k in range(len(FIXED[name])) for dtype in DTYPE_NAMES]
EMPTY = [(name, k) for name in FIXED for k in range(len(FIXED[name]))]


@pytest.mark.long
@pytest.mark.parametrize(("name", "dtype", "k"), sampled(DTYPES, 60))
def test_dtypes(name, dtype, k):
    for _, case in accepted([(name, recast(FIXED[name][k], dtype))]):
        check(name, case)


@pytest.mark.long
@pytest.mark.parametrize(("name", "k"), sampled(EMPTY, 60))
def test_of_nothing(name, k):
    for _, case in accepted((name, case) for case in emptied(FIXED[name][k])):
        check(name, case)


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(FIXED, 120))
def test_samples(name):
    refused = []
    for k, case in enumerate(FIXED[name]):
        with case_in_failure(f"sample {k}"):
            refused.append(check(name, case))
    if all(refused):
        pytest.skip(refused[0])
