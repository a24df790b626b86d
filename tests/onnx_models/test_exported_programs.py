"""The programs and models of `tests/programs`, exported: a Session gives what plain Python gives, or the export is refused.

`python tests/onnx_models/programs_table.py` runs them all and writes into docs/onnx.md which are refused, and why.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from onnx_models.batches import batches, outcome, same_outcome, snapshot
from onnx_models.program_cases import agreeing_tests
from programs.conftest import same
from programs.test_models import NAMES, built, for_inference

import dy2st as paddle
import dy2st.onnx
from dy2st.errors import ConversionError, EngineError

FUSED = ("test_model[yolo]",)  # a convolution has failed that onnxruntime has fused with what follows, under a name of its own
ROUNDING = {"rtol": 1e-4, "atol": 1e-4}


def answers(function, calls):
    return [snapshot(function(*map(paddle.to_tensor, arrays))) for arrays in calls]


def same_at_each_size(make, session, specs, call, test):
    """At other batch sizes a Session gives what plain Python gives, each time from the start, or raises the same class."""
    for resized in batches(specs, call, test):
        session.reset()
        given, where = outcome(session, resized), f"shapes {[np.shape(x) for x in resized]}"
        if not (isinstance(given, EngineError) and test in FUSED):
            same_outcome(outcome(make(), resized), given, where)


def exported(target, path, specs):
    """A Session of the exported model; a refusal skips the test."""
    try:
        return dy2st.onnx.Session(dy2st.onnx.export(target, path, specs))
    except ConversionError as error:
        assert not any(path.parent.iterdir()), "a refused export has written something"
        pytest.skip(f"refused: {error}")


@pytest.fixture
def agree(tmp_path, request):
    """As that of `tests/programs`, for the exported model."""

    def check(make, specs, *calls):
        expected = answers(make(), calls)
        folder = tmp_path / "exported"
        folder.mkdir()
        session = exported(make(), folder / "model", specs)
        same(expected, answers(session, calls), "exported", **ROUNDING)
        same_at_each_size(make, session, specs, calls[0], request.node.name)

    return check


globals().update(agreeing_tests())


@pytest.mark.parametrize("name", NAMES)
def test_model(name, tmp_path, request):
    module = importlib.import_module(f"programs.models.{name}")
    specs = getattr(module, "DEPLOYED_SPECS", module.SPECS)

    def make():
        return for_inference(module, built(module))

    session = exported(make(), tmp_path / "model", specs)
    calls = module.calls(np.random.default_rng(1))
    same(answers(make(), calls), answers(session, calls), "exported", **ROUNDING)
    same_at_each_size(make, session, specs, calls[0], request.node.name)
