"""What Python raises is what a Session does, though the run ends at a later node, or at one that onnxruntime has fused."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

import dy2st as paddle
import dy2st.onnx
from dy2st import nn
from dy2st.errors import ShapeError
from dy2st.nn import functional as F
from dy2st.static import InputSpec


def division(x, n, k):
    return x[int(n) // int(k)]


def modulo_in_a_window(x, n, k):
    i = int(n) % int(k)
    return x[i], x[i + 1]


def list_index(x, n, k):
    sizes = [10, 20, 30]
    return x.reshape([sizes[int(n)], -1])


def search(x, n, k):
    found = [int(v) for v in range(int(n))].index(int(k))
    return x[found]


def of_floats(x, n, k):
    y = 1 / (float(n) - float(k))
    return x[int(y)]


def root(x, n, k):
    return x[int(math.sqrt(float(n)))]


def shift(x, n, k):
    return x[int(n) << int(k)]


def key(x, n, k):
    places = {0: 1, 1: 2}
    return x[places[int(n)]]


def check_behind(x, n, k):
    y = x[int(n) // int(k)]
    return 10 // int(y)


def node_before(x, n, k):
    y = x[int(n)]
    return y, int(n) // int(k)


def in_a_loop(x, n, k):
    total = x.sum()
    for i in range(3):
        total = total + (int(n) // int(k)) * x[i]
    return total


def in_a_branch(x, n, k):
    j = int(n) // int(k)
    if x.sum() > 1:
        return x[j]
    return x[j + 1]


FUNCTIONS = [value for value in list(vars().values()) if getattr(value, "__module__", "") == __name__]
SPECS = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n"), InputSpec([], "int64", "k")]


@pytest.mark.parametrize("form", ["path", "bytes"])
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_python_raises_first(f, form, tmp_path):
    path = dy2st.onnx.export(f, tmp_path / "model", SPECS)
    session = dy2st.onnx.Session(path if form == "path" else (tmp_path / "model.onnx").read_bytes())
    seen = set()
    for count, n, k in itertools.product((0, 1, 5), (-7, -1, 0, 1, 3), (-7, 0, 1, 3)):
        call = [paddle.to_tensor(x) for x in (np.arange(count, dtype="float32"), np.int64(n), np.int64(k))]
        told = outcome(f, call)
        assert outcome(session, call) == told, (count, n, k)
        seen |= {told} if isinstance(told, str) else set()
    assert len(seen) > 1  # of two kinds, or one has nothing to hide


def outcome(f, call):
    try:
        found = f(*call)
        parts = found if isinstance(found, tuple) else (found,)
        return [paddle.to_tensor(part).tolist() for part in parts]
    except Exception as error:
        return type(error).__name__


class Divided(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.calls = 0

    def forward(self, x, n):
        self.calls += 1
        return self.linear(x)[6 // int(n)], self.calls


def test_with_state_and_weights_outside(tmp_path):
    specs = [InputSpec([None, 2], "float32"), InputSpec([], "int64")]
    session = dy2st.onnx.Session(dy2st.onnx.export(Divided(), tmp_path / "model", specs, external_weights=True))
    x = paddle.ones([3, 2])
    assert int(session(x, paddle.to_tensor(3))[1]) == 1
    with pytest.raises(ZeroDivisionError, match="integer division or modulo by zero"):
        session(x, paddle.to_tensor(0))
    with pytest.raises(IndexError):
        session(x, paddle.to_tensor(1))
    assert int(session(x, paddle.to_tensor(3))[1]) == 2


ACTIVATIONS = {
    "relu": F.relu,
    "hardswish": F.hardswish,
    "clip": lambda y: y.clip(0, 6),
    "sum": lambda y: y + y.mean(),
    "another convolution": lambda y: F.relu(F.conv2d(y, paddle.ones([2, 4, 1, 1]))),
}


class Image(nn.Layer):
    def __init__(self, activation, norm):
        super().__init__()
        self.conv, self.activation = nn.Conv2D(3, 4, 3), activation
        self.norm = nn.BatchNorm2D(4) if norm else None

    def forward(self, x):
        y = self.conv(x)
        return self.activation(y if self.norm is None else self.norm(y))


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_node_that_is_fused(name, norm, tmp_path):
    net = Image(ACTIVATIONS[name], norm)
    net.eval()
    session = dy2st.onnx.Session(dy2st.onnx.export(net, tmp_path / "net", [InputSpec([None] * 4, "float32")]))
    for shape in ([1, 5, 8, 8], [1, 3, 2, 2], [0, 3, 8, 8], [2, 3, 8, 8]):
        x = paddle.ones(shape)
        try:
            np.testing.assert_allclose(session(x).numpy(), net(x).numpy(), rtol=1e-4, atol=1e-5)
        except ShapeError as error:
            line = Image.forward.__code__.co_firstlineno + 1
            assert f"conv2d:{line}" in str(error) and error.__notes__ == [f"at test_inquiry.py:{line}, in forward"]
            with pytest.raises(ShapeError):
                net(x)
