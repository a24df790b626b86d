"""The guide, section 9: jit.save of a whole model."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
import dy2st.nn as nn
from dy2st.static import InputSpec

IMAGE_SIZE = 784
CLASS_NUM = 10


class LinearNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self._linear = nn.Linear(IMAGE_SIZE, CLASS_NUM)

    def forward(self, x):
        return self._linear(x)


class CannotBeConverted(nn.Layer):
    def forward(self, x):
        return paddle.to_tensor(x.numpy())


def test_section_9_save_and_load(tmp_path, fresh, same, monkeypatch):
    """9. jit.save and default parameters: to_static with a spec, then save; missing folders are made."""
    monkeypatch.chdir(tmp_path)
    layer = LinearNet()
    layer = paddle.jit.to_static(layer, input_spec=[InputSpec(shape=[None, IMAGE_SIZE], dtype="float32")])
    path = "example.model/linear"
    paddle.jit.save(layer, path)
    assert sorted(p.name for p in (tmp_path / "example.model").iterdir()) == [
        "linear.info.json",
        "linear.model.json",
        "linear.params.safetensors",
    ]
    x = np.random.default_rng(9).random((2, IMAGE_SIZE), np.float32)
    expected = x @ layer._linear.weight.numpy() + layer._linear.bias.numpy()
    same(expected, paddle.jit.load(path)(paddle.to_tensor(x)))
    same([expected], fresh(tmp_path / path, [x]))


def test_section_9_conversion_is_lazy(tmp_path):
    """9. "Lazy mode, the conversion starts here": to_static alone reads nothing, save converts."""
    layer = paddle.jit.to_static(CannotBeConverted(), input_spec=[InputSpec([None, 3], "float32")])
    with pytest.raises(paddle.errors.Dy2stError, match="numpy"):
        paddle.jit.save(layer, str(tmp_path / "net"))
