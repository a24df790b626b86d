"""What `onnx.export` writes comes in again, and gives what the model gave."""

from __future__ import annotations

import importlib
import io

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are written and read with the package onnx: pip install 'dy2st[onnx]'")

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
    path = tmp_path / f"{name}.onnx"
    dy2st.onnx.export(net, str(path), input_spec=getattr(module, "DEPLOYED_SPECS", None) or module.SPECS)
    loaded = dy2st.onnx.load(path)
    for arrays in module.calls(np.random.default_rng(1)):
        for found, expected in zip(arrays_of(loaded(*arrays)), arrays_of(net(*map(dy2st.to_tensor, arrays))), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    file = io.BytesIO()
    dy2st.jit.save(loaded, file)
    file.seek(0)
    for found, expected in zip(arrays_of(dy2st.jit.load(file)(*arrays)), arrays_of(loaded(*arrays)), strict=True):
        np.testing.assert_array_equal(found, expected)
