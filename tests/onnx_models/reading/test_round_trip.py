"""What `onnx.export` writes comes in again, and gives what the model gave."""

from __future__ import annotations

import importlib
import io

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are written and read with the package onnx: pip install 'dy2st[onnx]'")

from onnx_models.batches import batches, outcome, same_outcome
from onnx_models.web.models import MODELS

import dy2st


def arrays_of(result):
    return [x.numpy() for x in (result if isinstance(result, tuple) else (result,))]


@pytest.mark.parametrize("name", ["lenet", "resnet", "mobilenet"])
def test_a_model_that_was_exported(name, tmp_path):
    module = importlib.import_module(f"programs.models.{name}")
    dy2st.seed(3)
    net = module.build()
    net = module.deployed(net) if hasattr(module, "deployed") else net
    net.eval()
    specs, path = getattr(module, "DEPLOYED_SPECS", None) or module.SPECS, tmp_path / f"{name}.onnx"
    dy2st.onnx.export(net, str(path), input_spec=specs)
    loaded = dy2st.onnx.load(path)
    for call in batches(specs, module.calls(np.random.default_rng(1))[0]):
        same_outcome(outcome(net, call), outcome(loaded, call), f"{len(call[0])} items")
    for arrays in module.calls(np.random.default_rng(1)):
        for found, expected in zip(arrays_of(loaded(*arrays)), arrays_of(net(*map(dy2st.to_tensor, arrays))), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    file = io.BytesIO()
    dy2st.jit.save(loaded, file)
    file.seek(0)
    for found, expected in zip(arrays_of(dy2st.jit.load(file)(*arrays)), arrays_of(loaded(*arrays)), strict=True):
        np.testing.assert_array_equal(found, expected)


def as_graph_gives(result):
    """A result as the outputs of a graph: a list of tensors of one shape is one tensor, of no items too."""
    parts = result if isinstance(result, tuple) else (result,)
    return [np.stack(x) if isinstance(x, list) and x else np.asarray(x) for x in parts]


@pytest.mark.parametrize("name", sorted({*MODELS} - {"middle"}))  # whose message is a text that it computes
def test_a_model_with_control_flow_at_each_batch_size(name, tmp_path):
    model = MODELS[name]
    loaded = dy2st.onnx.load(dy2st.onnx.export(model.made(), tmp_path / name, [*model.specs]))
    for arrays in model.batches():
        expected, found = (as_graph_gives(outcome(form, arrays)) for form in (model.made(), loaded))
        for a, b in zip(expected, found):  # behind them is the number of an error
            assert a.size == b.size
            np.testing.assert_allclose(b.reshape(a.shape), a, rtol=1e-4, atol=1e-4)
