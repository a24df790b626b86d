"""ONNX files that the campaign changes, exported by dy2st and foreign, and what is done with a changed one."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
from onnx_models.reading.cases import all_cases, as_input
from onnx_models.reading.mutation import mutated
from onnx_models.reading.small import model

import dy2st
from dy2st import nn
from dy2st.errors import ConversionError, ModelFileError
from dy2st.onnx.file_checks import checked, told_by
from dy2st.onnx.metadata import KEY, Metadata
from dy2st.static import InputSpec

from .attempt import attempt

Tried = Callable[[Any], str]
X = np.array([[1.0, -2.0, 3.0], [0.5, 2.0, -1.0]], "float32")
CASES = (
    "test_loop11 test_loop13_seq test_loop16_seq_none test_scan9_sum test_if_seq test_if_opt test_lstm_with_peepholes "
    "test_gru_seq_length test_resize_upsample_sizes_cubic test_resize_downsample_scales_linear_antialias "
    "test_roialign_aligned_true "
    "test_gridsample_bicubic test_convtranspose_pads test_maxpool_2d_ceil test_einsum_batch_matmul test_dft test_stft "
    "test_nonmaxsuppression_two_batches test_one_hot_with_axis test_split_to_sequence_1 test_sequence_map_add_2_sequences "
    "test_scatternd_add test_top_k test_attention_4d test_group_normalization_example_expanded test_slice_neg_steps "
    "test_expand_dim_changed test_reshape_allowzero_reordered test_range_float_type_positive_delta_expanded test_col2im_pads"
)
FOREIGN = """
    s = Shape(x) n = Gather(s, zero) one_more = Add(n, one) d = Unsqueeze(one_more, axis) e = Concat <axis = 0> (d, three)
    z = ConstantOfShape <value = float[1] {2}> (e) w3 = own.scaled <by = 2.0> (w) r = MatMul(z, w3)
    y = Loop(turns, , r) <body = turn (int64 i, bool go, float[M, 2] a) => (bool on, float[M, 2] b) {
        b = Tanh(a) on = Identity(go)
    }>"""
FUNCTIONS = """<domain: "own", opset_import: ["": 18]> scaled <by> (a) => (b) {
    f = Constant <value_float: float = @by> () b = Mul(a, f)
}"""


class Perceptron(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = nn.Linear(3, 4), nn.BatchNorm1D(4), nn.Linear(4, 2)

    def forward(self, x):
        return nn.functional.softmax(self.last(self.norm(self.first(x)).tanh()))


class Convolution(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv, self.pool = nn.Conv2D(1, 2, 3, padding=1), nn.MaxPool2D(2)

    def forward(self, x):
        return self.pool(self.conv(x.reshape([1, 1, -1, 3]))).flatten(1)


class Counting(nn.Layer):
    def __init__(self):
        super().__init__()
        self.calls, self.total = 0, dy2st.zeros([3])

    def forward(self, x):
        self.calls += 1
        self.total = self.total + x[0]
        if self.calls > 3:
            raise ValueError(f"called {self.calls} times")
        return self.total.sum()


def decoding(x):
    found, at = [], x[0]
    while at.sum() < 20 and len(found) < 8:
        at = at + 1 if at.max() > 2 else at * 2 + 1
        found.append(at)
    return dy2st.stack(found), {"count": len(found)}


def sampling(x):
    return dy2st.uniform([2, 3]) + x, dy2st.argsort(x, axis=1)


@cache
def files() -> list[tuple[str, onnx.ModelProto, list[Any]]]:
    """Name, model, and the inputs of a call."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exported = []
        for function in (Perceptron().eval(), Convolution().eval(), Counting(), decoding, sampling):
            name = getattr(function, "__name__", type(function).__name__)
            path = dy2st.onnx.export(function, Path(folder) / name, [InputSpec([None, 3], "float32", "x")])
            exported.append((name, onnx.load(path), [X]))
    weights = {"w": np.ones((3, 2), "float32"), "three": [3], "zero": 0, "one": 1, "axis": [0], "turns": 5}
    foreign = model("(float[N, 3] x) => (float[M, 2] y)", FOREIGN, functions=FUNCTIONS, **weights)
    cases = {case.name: case for case in all_cases()}
    known = [cases[name] for name in CASES.split() if name in cases]
    of_cases = [(case.name, case.model, [as_input(value) for value in case.data_sets[0][0]]) for case in known]
    return [*exported, ("foreign", foreign, [X]), *of_cases]


def sources() -> list[tuple[str, Tried]]:
    """The kinds by name. Each is used once as it is, unwatched, so that what its use imports and converts is there."""
    for name, proto, inputs in files():
        answered = _call(dy2st.onnx.load(proto), inputs) if not name.startswith("test_") else "answered"
        assert answered == "answered", name
        if any(prop.key == KEY for prop in proto.metadata_props):
            assert _checked(proto.SerializeToString()) is not None
    return [(name, partial(_tried, proto, inputs)) for name, proto, inputs in files()]


def _tried(proto: onnx.ModelProto, inputs: list[Any], chance: random.Random) -> str:
    """Load a changed file; of an exported one, also check it as a Session does before onnxruntime sees it."""
    data = _changed(proto, chance)
    is_checked = chance.random() < 0.3 and bool(proto.metadata_props)
    if is_checked:
        return attempt(lambda: _checked(data), lambda _: "loaded")
    return attempt(lambda: dy2st.onnx.load(data), lambda net: _call(net, inputs), (ModelFileError, ConversionError))


def _checked(data: bytes) -> Metadata:
    """What a Session finds out about a file by itself."""
    text = told_by(checked(data))
    if text is None:
        raise ModelFileError("no metadata")
    return Metadata.of_json(text)


def _call(net: Any, inputs: list[Any]) -> str:
    net(*inputs)
    return "answered"


def _changed(proto: onnx.ModelProto, chance: random.Random) -> bytes:
    """A file with up to three fields, bytes, or characters of its metadata changed."""
    kind = chance.random()
    if kind < 0.6:
        return mutated(proto, chance).SerializeToString()
    if kind < 0.7 and proto.metadata_props:
        changed = onnx.ModelProto()
        changed.CopyFrom(proto)
        prop = chance.choice(changed.metadata_props)
        at = chance.randrange(len(prop.value) or 1)
        prop.value = prop.value[:at] + chance.choice('{}[]",:0-9ex') + prop.value[at + chance.randint(0, 9) :]
        return changed.SerializeToString()
    data = bytearray(proto.SerializeToString())
    for _ in range(chance.randint(1, 3)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[: chance.randrange(len(data))]) if kind > 0.97 else bytes(data)
