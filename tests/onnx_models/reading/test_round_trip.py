"""What `onnx.export` writes comes in again, and gives what the model gave."""

from __future__ import annotations

import importlib
import io

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are written and read with the package onnx: pip install '.[onnx]'")

import onnx
from onnx_models.batches import batches, outcome, same_outcome
from onnx_models.web.models import MODELS

import dy2st
from dy2st import nn
from dy2st.errors import ModelFileError
from dy2st.static import InputSpec


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


def told(x):
    """Its message is one of two texts, which the model hands on."""
    word = "low" if x.sum() < 0 else "high"
    if x.abs().max() > 9.0:
        raise ValueError(word)
    return x * 2


def test_a_model_that_hands_on_texts(tmp_path):
    loaded = dy2st.onnx.load(dy2st.onnx.export(told, tmp_path / "told", [InputSpec([None], "float32")]))
    for values, text, number in (([1.0, 2.0], None, 0), ([-10.0], "low", 1), ([10.0, 1.0], "high", 1)):
        result, *texts, error = loaded(dy2st.to_tensor(values))
        assert int(error) == number
        assert (text in texts) if number else result.tolist() == [2 * x for x in values]


def test_a_text_is_no_operand(tmp_path):
    model = onnx.parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 18]>
        f (float[2] x) => (float[2] y) { word = Constant<value = string {"a"}>()
            is_a = Equal(word, word)
            y = Where(is_a, x, x) }""")
    with pytest.raises(dy2st.errors.ConversionError, match="input 0 is a text, and texts are only handed on"):
        dy2st.onnx.load(model)


class Scaled(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear, self.norm = nn.Linear(3, 2), nn.BatchNorm1D(2)
        self.scale = self.create_parameter([], default_initializer=nn.initializer.Constant(0.5))
        self.register_buffer("shift", dy2st.to_tensor([0.25, 0.5]))
        self.table = dy2st.to_tensor([[1.0, 2.0], [3.0, 4.0]])

    def forward(self, x):
        y = self.norm(self.linear(x)) * self.scale + self.shift
        while y.abs().max() > 3.0:
            y = y * 0.75
        return y @ self.table + 1.5


def test_what_is_trained_is_what_was(tmp_path):
    """The numbers in the code are none of the parameters."""
    net = Scaled()
    net.eval()
    path = dy2st.onnx.export(net, tmp_path / "scaled", [InputSpec([None, 3], "float32")])
    loaded = dy2st.onnx.load(path)
    assert sorted(name for name, _ in loaded.named_parameters()) == sorted(name for name, _ in net.named_parameters())
    assert {name for name, _ in net.named_buffers()} <= {name for name, _ in loaded.named_buffers()}
    again = dy2st.onnx.load(dy2st.onnx.export(loaded, tmp_path / "again"))
    assert sorted(name for name, _ in again.named_parameters()) == sorted(name for name, _ in net.named_parameters())
    for form in (loaded, again):
        np.testing.assert_allclose(form(dy2st.ones([4, 3])).numpy(), net(dy2st.ones([4, 3])).numpy(), rtol=1e-6)


@pytest.mark.parametrize("kinds", ['{"linear.weight": "zz"}', "[1]", "7"])
def test_kinds_that_are_none(kinds, tmp_path):
    model = onnx.load(dy2st.onnx.export(Scaled(), tmp_path / "scaled", [InputSpec([None, 3], "float32")]))
    model.metadata_props[0].value = f'{{"kinds": {kinds}}}'
    with pytest.raises(ModelFileError, match="metadata isn't what dy2st writes"):
        dy2st.onnx.load(model)

