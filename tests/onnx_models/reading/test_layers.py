"""What `onnx.load` gives: a Layer with the names of the initialisers, that trains, saves, and takes any batch."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are read with the package onnx: pip install '.[onnx]'")

import onnx
from onnx_models.reading.small import model
from support.other_process import environment

import dy2st

RANDOM = np.random.default_rng(0)
W1, B1 = RANDOM.normal(size=(4, 8)).astype("float32"), RANDOM.normal(size=8).astype("float32")
W2, B2 = RANDOM.normal(size=(3, 8)).astype("float32"), np.zeros(3, "float32")


def mlp():
    """Two layers; the second has its weight the other way round, as exporters write it."""
    body = "a = MatMul(x, fc1.weight) b = Add(a, fc1.bias) c = Relu(b) y = Gemm <transB = 1> (c, fc2.weight, fc2.bias)"
    for name in ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"):
        body = body.replace(name, name.replace(".", "__"))
    made = model("(float[N, 4] x) => (float[N, 3] y)", body, fc1__weight=W1, fc1__bias=B1, fc2__weight=W2, fc2__bias=B2)
    for node in made.graph.node:
        for at, name in enumerate(node.input):
            node.input[at] = name.replace("__", ".")
    return made


def plain(x, w1=W1, b1=B1, w2=W2, b2=B2):
    hidden = np.maximum(x @ w1 + b1, 0)
    return hidden, hidden @ w2.T + b2


@pytest.mark.parametrize("batch", [0, 1, 5])
def test_an_open_batch_takes_any_number(batch):
    x = RANDOM.normal(size=(batch, 4)).astype("float32")
    net = dy2st.onnx.load(mlp())
    np.testing.assert_allclose(net(dy2st.to_tensor(x)).numpy(), plain(x)[1], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(net(x).numpy(), plain(x)[1], rtol=1e-5, atol=1e-5)


def test_initialisers_keep_their_names_and_are_parameters():
    net = dy2st.onnx.load(mlp())
    assert list(net.state_dict()) == ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]
    assert all(not parameter.stop_gradient for parameter in net.parameters())
    assert net.input_spec[0].name == "x" and net.input_spec[0].shape == (-1, 4)


def test_a_loaded_model_is_fine_tuned():
    x, target = RANDOM.normal(size=(6, 4)).astype("float32"), RANDOM.normal(size=(6, 3)).astype("float32")
    net = dy2st.onnx.load(mlp())
    optimizer = dy2st.optimizer.SGD(0.1, parameters=net.parameters())
    weights = [w.copy() for w in (W1, B1, W2, B2)]
    for _ in range(5):
        loss = ((net(dy2st.to_tensor(x)) - dy2st.to_tensor(target)) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        hidden, found = plain(x, *weights)
        slope = 2 * (found - target) / found.size
        back = (slope @ weights[2]) * (hidden > 0)
        steps = [x.T @ back, back.sum(0), slope.T @ hidden, slope.sum(0)]
        weights = [w - np.float32(0.1) * step for w, step in zip(weights, steps)]
    for parameter, expected in zip(net.parameters(), weights):
        np.testing.assert_allclose(parameter.numpy(), expected, rtol=1e-4, atol=1e-5)


def test_running_statistics_are_buffers():
    statistics = {name: np.ones(2, "float32") for name in ("scale", "bias", "mean", "variance")}
    made = model(
        "(float[N, 2, 3] x) => (float[N, 2, 3] y)", "y = BatchNormalization(x, scale, bias, mean, variance)", **statistics
    )
    net = dy2st.onnx.load(made)
    assert [name for name, _ in net.named_parameters()] == ["scale", "bias"]
    assert [name for name, _ in net.named_buffers()] == ["mean", "variance"]


def test_what_is_saved_runs_where_there_is_no_onnx(tmp_path):
    x = RANDOM.normal(size=(5, 4)).astype("float32")
    dy2st.jit.save(dy2st.onnx.load(mlp()), tmp_path / "net")
    np.save(tmp_path / "x.npy", x)
    source = (
        "import sys; sys.modules['onnx'] = None\n"
        "import numpy, dy2st\n"
        "net = dy2st.jit.load('net')\n"
        "numpy.save('y.npy', net(numpy.load('x.npy')).numpy())\n"
    )
    subprocess.run([sys.executable, "-c", source], cwd=tmp_path, env=environment(), check=True)
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), plain(x)[1], rtol=1e-5, atol=1e-5)


def test_the_code_and_the_program_can_be_read():
    net = dy2st.onnx.load(mlp())
    assert "dy2st.matmul(x, fc1_weight)" in net.code
    assert "relu" in str(net.program())
    places = {str(op.loc): op.loc.function for op in net.program().walk()}
    assert places["small:3"] == "Relu c"  # a node that bears no name is called after its output


def test_several_outputs_are_a_tuple():
    net = dy2st.onnx.load(model("(float[2] x) => (float[2] y, float[2] z)", "y = Neg(x) z = Abs(x)"))
    y, z = net(np.array([1, -2], "float32"))
    assert y.tolist() == [-1, 2] and z.tolist() == [1, 2]


def test_a_constant_output_is_the_callers_own():
    net = dy2st.onnx.load(model("(float[1] x) => (float[2] y)", "y = Identity(w)", w=np.ones(2, "float32")))
    first = net(np.zeros(1, "float32"))
    first.add_(dy2st.ones([2]))
    assert net(np.zeros(1, "float32")).tolist() == [1, 1]


def test_paths_bytes_and_protos_are_read(tmp_path):
    path = tmp_path / "net.onnx"
    onnx.save(mlp(), path)
    x = np.ones((2, 4), "float32")
    expected = dy2st.onnx.load(mlp())(x).numpy()
    for source in (path, str(path), path.read_bytes(), bytearray(path.read_bytes())):
        assert (dy2st.onnx.load(source)(x).numpy() == expected).all()
    with pytest.raises(TypeError, match="a path, bytes or an onnx.ModelProto, not int"):
        dy2st.onnx.load(3)


def test_onnx_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[onnx\]'"):
        dy2st.onnx.load(b"")
