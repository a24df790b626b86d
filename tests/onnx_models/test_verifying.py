"""`verify=` and `dy2st verify`: the first value that differs is named; numbers, lists and state are compared, too."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.cli import main
from dy2st.ops.registry import lookup
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from dy2st.onnx import Session, export  # noqa: E402
from dy2st.onnx.lowering.fusions import Fusions  # noqa: E402
from dy2st.onnx.verifying import DifferenceError  # noqa: E402

SPECS = [InputSpec([None, 3], "float32", "x")]
X = (paddle.to_tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]]),)


class Everything(nn.Layer):
    def __init__(self):
        super().__init__()
        self.seen = []
        self.held = {"count": 0, "last": None}

    def forward(self, x):
        rows = []
        for row in x:
            rows.append(row[:2].sum())
        self.seen.append(x.sum())
        self.held["count"] += 1
        self.held["last"] = x
        return rows, float(x.max()) / 3, x.shape[0] * 7, [x[:k] for k in range(x.shape[0])], self.held["count"]


def untouched(x):
    return x


def only_numbers(x):
    return x.shape[0] * 3, float(x.sum())


@pytest.mark.parametrize("make", [Everything, lambda: untouched, lambda: only_numbers])
def test_what_agrees(make, tmp_path):
    path = export(make(), tmp_path / "model", SPECS, verify=X)
    assert os.path.isfile(path)


@pytest.mark.parametrize("size", [0, 1, 5])
@pytest.mark.parametrize("function", [untouched, only_numbers, lambda x: [row * 2 for row in x]])
def test_each_batch_size(function, size, tmp_path):
    assert os.path.isfile(export(function, tmp_path / "model", SPECS, verify=(paddle.ones([size, 3]),)))


def test_what_a_call_raises_is_raised_and_nothing_is_written(tmp_path):
    with pytest.raises(ValueError, match="zero-size array"):
        export(Everything(), tmp_path / "model", SPECS, verify=(paddle.ones([0, 3]),))
    assert not os.listdir(tmp_path)


def product(x):
    y = x + 1
    return y * 2 if x.sum() > 0 else y


def counted(x):
    return x.shape[0] * 7


def gathered(x):
    return [x[:k] * 2 for k in range(x.shape[0] + 1)]


@pytest.mark.parametrize("function, name, wrong, line", [
    (product, "add", lambda g, x, y: g.Sub(x, y), 1),
    (counted, "py.mul", lambda g, x, y: g.Add(x.as_tensor(), g.value(y)), 1),
    (gathered, "multiply", lambda g, x, y: g.Add(x, y), 1),
])  # fmt: skip
def test_what_differs_is_named_and_nothing_is_written(function, name, wrong, line, tmp_path, monkeypatch):
    monkeypatch.setattr(lookup(name), "onnx", wrong)
    with pytest.raises(DifferenceError, match=rf"test_verifying.py:{function.__code__.co_firstlineno + line}: .* differs: "):
        export(function, tmp_path / "model", SPECS, verify=X)
    assert not os.listdir(tmp_path)


def test_random_numbers(tmp_path):
    with pytest.raises(ValueError, match="draws random numbers can't be verified"):
        export(lambda x: x + paddle.rand([3]), tmp_path / "model", SPECS, verify=X)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A saved model, two exported ones of it, and one of other weights."""
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", X[0].numpy())
    net = nn.Linear(3, 2)
    paddle.jit.save(net, "saved", SPECS)
    export("saved", "first")
    export("saved", "second", opset_version=21, external_weights=True)
    export(nn.Linear(3, 2), "other", SPECS)


@pytest.mark.parametrize("a, b", [("saved", "first.onnx"), ("first.onnx", "second.onnx"), ("second.onnx", "saved")])
def test_the_command(files, capsys, a, b):
    assert main(["verify", a, b, "--input", "x.npy"]) == 0
    assert "tensors agree" in capsys.readouterr().out


def test_the_command_on_what_is_no_model(files, capsys):
    with open("first.onnx", "rb") as whole, open("cut.onnx", "wb") as cut:
        cut.write(whole.read(50))
    assert main(["verify", "saved", "cut.onnx", "--input", "x.npy"]) != 0
    assert "cut.onnx is no ONNX model, or is cut off" in capsys.readouterr().err


@pytest.mark.parametrize("a", ["saved", "first.onnx"])
def test_the_command_where_weights_differ(files, capsys, a):
    assert main(["verify", a, "other.onnx", "--input", "x.npy"]) == 1
    assert "linear.py" in (told := capsys.readouterr().out) and "differs: " in told


class Turned(nn.Layer):
    def forward(self, x, v):
        y = x + 1.0
        z = y.T @ v
        return (z * 2).sum(), y


TURNED = [InputSpec([2, 3], "float32", "x"), InputSpec([2], "float32", "v")]
GIVEN = paddle.to_tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]), paddle.to_tensor([20.0, 0.0])
LINE = Turned.forward.__code__.co_firstlineno + 2
WRONG = rf"test_verifying.py:{LINE}: .*differs: .*; . of 3 elements differ"
CAUSE = "An optimisation of ONNX Runtime at the level ORT_ENABLE_EXTENDED causes it: .* Set `graph_optimization_level = .*_BASIC`"


def fused(g, x, y):
    """The node that onnxruntime 1.22 to 1.32 fuses wrongly with the Transpose in front of it."""
    return g.node("MatMul", x, y)


def test_s_25_verify_runs_the_session_that_a_user_gets(tmp_path, monkeypatch):
    monkeypatch.setattr(Fusions, "MatMul", fused)
    path = export(Turned(), tmp_path / "model", TURNED)
    right, wrong = Turned()(*GIVEN)[0], Session(path)(*GIVEN)[0]
    assert float(right) != float(wrong), "this onnxruntime fuses rightly: another of its faults is needed here"
    with pytest.raises(DifferenceError, match=f"{WRONG}.*{CAUSE}"):
        export(Turned(), tmp_path / "again", TURNED, verify=GIVEN)
    assert not (tmp_path / "again.onnx").exists()


def unfolded(path):
    """Write the file with a product of the matrix and the vector itself, as other exporters do."""
    import onnx

    model = onnx.load(path)
    (product,) = (node for node in model.graph.node if node.op_type == "MatMul")
    (column,) = (node for node in model.graph.node if node.output[0] == product.input[1])
    (squeezed,) = (node for node in model.graph.node if node.input[0] == product.output[0])
    product.input[1], product.output[0] = column.input[0], squeezed.output[0]
    model.graph.node.remove(column)
    model.graph.node.remove(squeezed)
    onnx.save(model, path)


@pytest.mark.parametrize("first", ["saved", "plain.onnx"])
def test_s_25_the_command_runs_the_session_that_a_user_gets(first, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, tensor in zip("xv", GIVEN):
        np.save(f"{name}.npy", tensor.numpy())
    paddle.jit.save(Turned(), "saved", TURNED)
    export("saved", "plain")
    unfolded(export("saved", "fused"))
    inputs = ["--input", "x.npy", "--input", "v.npy"]
    assert main(["verify", "saved", "plain.onnx", *inputs]) == 0
    assert main(["verify", first, "fused.onnx", *inputs]) == 1
    told = capsys.readouterr().out.replace("\n", " ")
    assert re.search(f"{WRONG}.*{CAUSE}", told) and "below that level, fused.onnx gives another value" in told, told
