"""Every operator's ONNX lowering in onnxruntime against its kernel, on the samples: lengths known and open, other opsets."""

from __future__ import annotations

import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.cases import FIXED, SAME, check
from onnx_models.running import opened
from support.sampling import case_in_failure, sampled

from dy2st.graphs.lowering.primitives import NEWEST
from dy2st.ops.registry import OPERATORS


def test_every_operator_has_a_form_or_a_reason():
    """But for those that a pass removes: what writes in place, and what calls a function that this process knows alone."""
    removed = {name for name, op in OPERATORS.items() if op.functional or op.calls_python}
    without = {name for name, op in OPERATORS.items() if op.onnx is None and name not in removed}
    assert not without, f"give {sorted(without)} a lowering, or a text that says why there is none"


def test_a_reason_says_what_to_write_instead():
    for name, definition in OPERATORS.items():
        if isinstance(definition.onnx, str):
            assert "; " in definition.onnx, f"{name}: {definition.onnx}"


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("blur", [SAME, opened], ids=["known lengths", "open lengths"])
def test_samples(name, blur):
    refused = []
    for k, case in enumerate(FIXED[name]):
        with case_in_failure(f"sample {k}"):
            refused.append(check(name, case, blur))
    if all(refused):
        pytest.skip(refused[0])


OPSETS = [(name, opset) for name in FIXED for opset in (17, 21, NEWEST)]


@pytest.mark.long
@pytest.mark.parametrize(("name", "opset"), sampled(OPSETS, 150))
def test_opsets(name, opset):
    for k, case in enumerate(FIXED[name]):
        with case_in_failure(f"sample {k}, opset {opset}"):
            check(name, case, opset=opset)
