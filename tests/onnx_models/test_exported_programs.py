"""The programs and models of `tests/programs`, exported: a Session gives what plain Python gives, or the export is refused.

`python tests/onnx_models/programs_table.py` runs them all and writes into docs/onnx.md which are refused, and why.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install 'dy2st[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install 'dy2st[onnx]'")

from onnx_models.program_cases import agreeing_tests
from programs.conftest import same
from programs.test_models import NAMES, built, for_inference

import dy2st as paddle
import dy2st.onnx
from dy2st.errors import ConversionError

ROUNDING = {"rtol": 1e-4, "atol": 1e-4}


def snapshot(value):
    """A result with copies of its arrays: later calls change buffers that plain Python has returned."""
    if isinstance(value, paddle.Tensor):
        return value.numpy().copy()
    if isinstance(value, dict):
        return {key: snapshot(part) for key, part in value.items()}
    return type(value)(map(snapshot, value)) if type(value) in (list, tuple) else value


def answers(function, calls):
    return [snapshot(function(*map(paddle.to_tensor, arrays))) for arrays in calls]


def exported(target, path, specs):
    """A Session of the exported model; a refusal skips the test."""
    try:
        return dy2st.onnx.Session(dy2st.onnx.export(target, path, specs))
    except ConversionError as error:
        assert not any(path.parent.iterdir()), "a refused export has written something"
        pytest.skip(f"refused: {error}")


@pytest.fixture
def agree(tmp_path):
    """As that of `tests/programs`, for the exported model."""

    def check(make, specs, *calls):
        expected = answers(make(), calls)
        folder = tmp_path / "exported"
        folder.mkdir()
        same(expected, answers(exported(make(), folder / "model", specs), calls), "exported", **ROUNDING)

    return check


globals().update(agreeing_tests())


@pytest.mark.parametrize("name", NAMES)
def test_model(name, tmp_path):
    module = importlib.import_module(f"programs.models.{name}")
    plain, net = (for_inference(module, built(module)) for _ in range(2))
    specs = getattr(module, "DEPLOYED_SPECS", module.SPECS)
    session = exported(net, tmp_path / "model", specs)
    calls = module.calls(np.random.default_rng(1))
    same(answers(plain, calls), answers(session, calls), "exported", **ROUNDING)
