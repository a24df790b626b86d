"""Every operator's lowering in JAX against its kernel, on the samples: dtypes, nothing, special numbers."""

from __future__ import annotations

import pytest

pytest.importorskip("jax", reason="lowerings run in JAX: pip install 'dy2st[jax]'")

from on_jax.running import run
from onnx_models.cases import FIXED, expected, rounding
from onnx_models.running import assert_same, of_one_operator
from support.sampling import case_in_failure

from dy2st.errors import EngineError


def check(name, case):
    """Hold the kernel's result against JAX's; "" or the text of a refusal. Where the kernel raises, that fails too."""
    program, values = of_one_operator(name, case.operands, case.attrs)
    wanted = expected(name, case)
    try:
        given = run(program, values)
    except EngineError as refusal:
        return str(refusal)
    except Exception as failure:
        if isinstance(wanted, Exception):
            return ""
        raise
    assert not isinstance(wanted, Exception), f"{name} gives {given!r} in JAX; the kernel raises {wanted!r}"
    assert_same(wanted, given, name, *rounding(case))
    return ""


@pytest.mark.parametrize("name", FIXED)
def test_samples(name):
    refused = []
    for k, case in enumerate(FIXED[name]):
        with case_in_failure(f"sample {k}"):
            refused.append(check(name, case))
    if all(refused):
        pytest.skip(refused[0])
