"""`export(..., external_weights=True)` to a path where a model is: of an earlier export, or of `jit.save`."""

from __future__ import annotations

import os

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import ModelFileError
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

import dy2st.onnx  # noqa: E402
from dy2st.onnx import exporting, external_weights  # noqa: E402

X = InputSpec([None, 3], "float32", "x")
ROWS = np.arange(6, dtype="float32").reshape(2, 3)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        return self.linear(x)


def trained(net):
    net.linear.weight.set_value(net.linear.weight + 1)
    return net


def results(path):
    return [load(str(path))(ROWS).numpy() for load in (dy2st.onnx.Session, dy2st.onnx.load)]


def check(path, net):
    for found in results(path):
        np.testing.assert_allclose(found, net(paddle.to_tensor(ROWS)).numpy(), rtol=1e-5)


def export(net, path):
    return dy2st.onnx.export(net, path, [X], external_weights=True)


def test_l_06_export_train_export_to_the_same_path(tmp_path):
    net = Net()
    path = export(net, tmp_path / "net")
    before = dy2st.onnx.Session(path)
    first = before(ROWS).numpy()
    for _ in range(2):
        export(trained(net), tmp_path / "net")
        check(path, net)
    np.testing.assert_array_equal(before(ROWS).numpy(), first)
    assert sorted(os.listdir(tmp_path)) == ["net.onnx", "net.params.safetensors"]


def test_l_06_export_of_a_loaded_model_to_the_path_that_it_is_mapped_from(tmp_path):
    jit.save(Net(), str(tmp_path / "net"), input_spec=[X])
    loaded = jit.load(str(tmp_path / "net"))
    path = dy2st.onnx.export(loaded, tmp_path / "net", external_weights=True)
    assert sorted(os.listdir(tmp_path)) == ["net.info.json", "net.model.json", "net.onnx", "net.params.safetensors"]
    other = jit.load(str(tmp_path / "net"))
    untrained = other(ROWS).numpy()
    loaded.linear.weight.set_value(loaded.linear.weight + 1)
    dy2st.onnx.export(loaded, tmp_path / "net", external_weights=True)
    assert "net.onnx.params.safetensors" in os.listdir(tmp_path), "the saved model needs the other file"
    check(path, loaded)
    np.testing.assert_array_equal(jit.load(str(tmp_path / "net"))(ROWS).numpy(), untrained)
    np.testing.assert_array_equal(other(ROWS).numpy(), untrained)
    jit.save(loaded, str(tmp_path / "net"))
    dy2st.onnx.export(loaded, tmp_path / "net", external_weights=True)
    assert "net.onnx.params.safetensors" not in os.listdir(tmp_path), "both share one again"
    check(path, loaded)


def test_l_06_weights_that_nobody_needs_stay(tmp_path):
    (tmp_path / "net.params.safetensors").write_bytes(b"mine")
    with pytest.raises(ModelFileError, match="holds other weights, and no model beside it needs them"):
        export(Net(), tmp_path / "net")
    assert os.listdir(tmp_path) == ["net.params.safetensors"]


@pytest.mark.parametrize("where", ["weights", "model", "end"])
def test_l_06_an_export_that_fails_leaves_the_old_files(where, tmp_path, monkeypatch):
    net = Net()
    path = export(net, tmp_path / "net")
    first = results(path)
    files = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)}

    def fail(*args):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        if where == "weights":
            patch.setattr(external_weights.ParamsFile, "__iter__", failing(external_weights.ParamsFile.__iter__))
        elif where == "model":
            patch.setattr(exporting.os, "fsync", fail)
        else:
            patch.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="No space left"):
            export(trained(net), tmp_path / "net")
    assert {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path)} == files
    np.testing.assert_array_equal(results(path), first)


def failing(iterate):
    """Pieces of a file, the second of which can't be written once both of the comparisons before are over."""
    times = iter(range(100))

    def pieces(self):
        is_written = next(times) >= 3
        for i, piece in enumerate(iterate(self)):
            if is_written and i == 1:
                raise OSError(28, "No space left on device")
            yield piece

    return pieces
