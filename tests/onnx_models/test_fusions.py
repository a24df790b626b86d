"""Random chains of operators: no optimisation of ONNX Runtime's changes what they compute."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from onnx_models import fusions  # noqa: E402
from support.sampling import sampled  # noqa: E402


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(2000), 40))
def test_chains_that_are_fused(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert fusions.differs(seed) == ""
