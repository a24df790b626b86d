"""Random functions, exported: onnxruntime and the engine on NumPy give what plain Python gives."""

from __future__ import annotations

import pytest

pytest.importorskip("onnxruntime", reason="exported functions run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from onnx_models.random_functions import compare, written
from property.shrink import explain
from support.rates import fewest, most
from support.sampling import random_functions, seed_in_failure

# Shares of all random functions.
REFUSED = 0.1
ANSWER = 0.8  # give values in some call


@pytest.mark.long
@random_functions(10_000, 500)
def test_random_functions_exported(seeds):
    refused = answer = 0
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            text = written(seed)
            report = compare(text)
            assert not report.difference, explain(text, compare)
            refused += bool(report.refusal)
            answer += report.answers
    print(f"{len(seeds)} functions, {refused} refused, {answer} answer")
    assert refused <= most(REFUSED, len(seeds))
    assert answer >= fewest(ANSWER, len(seeds))
