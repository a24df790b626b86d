"""`backend="onnxruntime"` where gradients are wanted: results and gradients are those of plain Python, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import EngineError

pytest.importorskip("onnxruntime", reason="the engine needs the extra 'onnx'")
pytest.importorskip("onnx", reason="the engine needs the extra 'onnx'")

RESULTS = {
    "a tensor": lambda net, given, x, xs: x,
    "a tuple": lambda net, given, x, xs: (x, xs[0]),
    "a tensor twice": lambda net, given, x, xs: (x, x),
    "a list": lambda net, given, x, xs: xs,
    "a tuple with a list": lambda net, given, x, xs: (x, xs, net.count),
    "a list in a list": lambda net, given, x, xs: [x, [xs[0], x]],
    "a dict": lambda net, given, x, xs: {"x": x, "xs": xs},
    "a tuple twice": lambda net, given, x, xs: ((x, xs[0]),) * 2,
    "a list twice": lambda net, given, x, xs: (xs, xs),
    "tuples in tuples": lambda net, given, x, xs: ((x, (xs, x)), (net.count, (xs[-1],))),
    "the argument": lambda net, given, x, xs: (given, x),
    "a parameter": lambda net, given, x, xs: (net.fc.weight, x),
}
REFUSED = {"a list in a list", "a dict", "a list twice", "a tuple with a list", "tuples in tuples"}  # numpy takes these


def known(net, x, n):
    return [x := net.fc(x).tanh() for _ in range(3)]


def counted(net, x, n):
    xs = [x]
    i = 0
    while i < n:
        x = net.fc(x).tanh()
        xs.append(x)
        i += 1
    return xs


def left(net, x, n):
    xs = []
    for _ in range(4):
        x = net.fc(x).tanh()
        xs.append(x)
        if x.abs().max() < 0.3:
            break
    return xs


def chosen(net, x, n):
    xs = [net.fc(x)]
    if xs[0].sum() > 0:
        xs.append(xs[0].tanh())
    else:
        xs.append(xs[0] * 2)
        xs.append(x)
    return xs


class Net(nn.Layer):
    def __init__(self, body, result):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        draw = np.random.default_rng(5)
        self.fc.weight.set_value(draw.standard_normal((3, 3)).astype("float32"))
        self.register_buffer("count", paddle.zeros([1], "int64"))
        self.body, self.result = body, result

    def forward(self, x, n):
        xs = self.body(self, x, n)
        return self.result(self, x, xs[-1], xs)


def floats(tree):
    """The tensors of floats in a result."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (list, tuple)):
        return [x for part in tree for x in floats(part)]
    return [tree] if tree.dtype == paddle.float32 else []


def arrays(tree):
    if isinstance(tree, dict):
        return {key: arrays(value) for key, value in tree.items()}
    return type(tree)(map(arrays, tree)) if isinstance(tree, (list, tuple)) else tree.numpy()


def stepped(net, call):
    """Results and gradients of two calls."""
    found = []
    for k in (1, 2):
        x = paddle.to_tensor(np.linspace(-k, k, 6, dtype="float32").reshape(2, 3), stop_gradient=False)
        result = call(x, paddle.to_tensor(k))
        sum(part.sum() for part in floats(result)).backward()
        found.append((arrays(result), *(None if t.grad is None else t.grad.numpy().copy() for t in (x, *net.parameters()))))
    return found


def assert_same(a, b):
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        a, b = list(a.values()), list(b.values())
    if isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            assert_same(x, y)
    elif a is not None:
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("backend", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("body", [known, counted, left, chosen], ids=lambda body: body.__name__)
@pytest.mark.parametrize("result", RESULTS)
def test_results_and_gradients(body, result, backend):
    plain, staged = Net(body, RESULTS[result]), Net(body, RESULTS[result])
    static = jit.to_static(staged, backend=backend)
    if backend == "numpy" or result not in REFUSED:
        return assert_same(stepped(staged, static), stepped(plain, plain))
    with pytest.raises(EngineError, match=r"no gradients of this call .* call it under no_grad\(\), or train without backend"):
        stepped(staged, static)
    x = paddle.to_tensor(np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3))
    with paddle.no_grad():
        assert_same(arrays(static(x, paddle.to_tensor(2))), arrays(plain(x, paddle.to_tensor(2))))
