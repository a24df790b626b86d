"""A model whose weights are too many for one file has them beside it, without being asked."""

from __future__ import annotations

import os

import numpy as np
import pytest

import dy2st as paddle
import dy2st.onnx
from dy2st.errors import ConversionError
from dy2st.onnx.lowering import protos
from dy2st.static import InputSpec

ort = pytest.importorskip("onnxruntime")
SPECS = [InputSpec([None, 4], "float32", "x")]


@pytest.fixture
def small_files(monkeypatch):
    monkeypatch.setattr(protos, "LARGEST", 64)


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = paddle.nn.Linear(4, 8), paddle.nn.Linear(8, 4)

    def forward(self, x):
        y = self.second(self.first(x))
        while y.abs().max() > 1:
            y = self.second(self.first(y)) / 2
        return y


def test_it_runs_with_its_weights_beside_it(tmp_path, small_files):
    net, x = Net(), np.random.default_rng(0).normal(size=(3, 4)).astype("float32") * 9
    path = dy2st.onnx.export(net, tmp_path / "net", SPECS)
    assert sorted(os.listdir(tmp_path)) == ["net.onnx", "net.params.safetensors"]
    expected = net(paddle.to_tensor(x)).numpy()
    names = [port.name for port in ort.InferenceSession(path).get_outputs()]
    found = dict(zip(names, ort.InferenceSession(path).run(None, {"x": x})))
    assert any(array.shape == expected.shape and np.allclose(array, expected, atol=1e-5) for array in found.values())
    assert np.allclose(dy2st.onnx.Session(path)(paddle.to_tensor(x)).numpy(), expected, atol=1e-5)
    assert np.allclose(dy2st.onnx.load(path)(paddle.to_tensor(x)).numpy(), expected, atol=1e-5)


def test_e_09_one_tensor_of_more_than_a_file_holds(tmp_path, small_files):
    """Its bytes never go into the model's protocol buffer, which can't hold them, whether `external_weights` asks for that."""
    net, x = paddle.nn.Linear(4, 8), paddle.ones([2, 4])
    for name, options in (("asked", {"external_weights": True}), ("unasked", {})):
        path = dy2st.onnx.export(net, tmp_path / name, SPECS, **options)
        assert (tmp_path / f"{name}.params.safetensors").exists()
        assert np.allclose(dy2st.onnx.Session(path)(x).numpy(), net(x).numpy(), atol=1e-5)


class Filled(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", paddle.zeros([8, 4]))

    def forward(self, x):
        self.cache[0] = x[0]
        return self.cache.sum()


def test_e_09_what_a_call_changes_has_no_place_beside_the_model(tmp_path, small_files):
    with pytest.raises(ConversionError, match="holds at most 2 GiB, and cache stays in it"):
        dy2st.onnx.export(Filled(), tmp_path / "net", SPECS)
    assert os.listdir(tmp_path) == []


def test_it_is_verified_once_it_is_written(tmp_path, small_files):
    with pytest.raises(ValueError, match="dy2st verify"):
        dy2st.onnx.export(Net(), tmp_path / "net", SPECS, verify=(paddle.ones([2, 4]),))
    assert os.listdir(tmp_path) == []
