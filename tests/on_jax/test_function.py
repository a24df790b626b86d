"""`dy2st.jax.function`: values, state, status and lists, alone and under JAX's transformations, against plain Python."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError, EngineError
from dy2st.static import InputSpec

jax = pytest.importorskip("jax", reason="functions run in JAX: pip install '.[jax]'")

import dy2st.jax  # noqa: E402

X = np.linspace(-1, 1, 15, dtype="float32").reshape(5, 3)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.register_buffer("count", paddle.zeros([1]))
        self.calls = 0

    def forward(self, x):
        self.count += 1
        self.calls += 1
        h, outs = x[0], []
        for t in range(x.shape[0]):
            h = (self.fc(h) * 0.5 + x[t]).tanh()
            outs.append(h)
        if h.sum() > 100:
            raise ValueError(f"too large: {int(h.sum())}")
        return paddle.stack(outs), h


def grown(x, n):
    outs = []
    for _ in range(n):
        if x.sum() > 20:
            break
        x = x * 1.5
        outs.append(x)
    return outs


@pytest.fixture
def net():
    return Net()


@pytest.fixture
def pure(net):
    return dy2st.jax.function(net, [InputSpec([None, 3], "float32", "x")])


def close(given, wanted):
    np.testing.assert_allclose(np.asarray(given), np.asarray(wanted), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("transform", [lambda f: f, jax.jit, jax.checkpoint], ids=["alone", "jit", "checkpoint"])
def test_values_and_state_are_those_of_plain_python(net, pure, transform):
    f, params = pure
    assert sorted(params) == ["count", "fc.bias", "fc.weight", "self.calls"]
    call = transform(f)
    for rows in (5, 2, 5):
        (outs, h), state, status = call(params, X[:rows])
        status.throw()
        wanted = net(paddle.to_tensor(X[:rows]))
        close(outs, wanted[0].numpy())
        close(h, wanted[1].numpy())
        params = params | state
        close(params["count"], net.count.numpy())
        assert int(params["self.calls"]) == net.calls


def test_gradients_are_those_of_plain_python(net, pure):
    f, params = pure
    floats = {name: x for name, x in params.items() if name.startswith("fc.")}
    slopes = jax.jit(jax.grad(lambda p, x: (f(params | p, x)[0][0] ** 2).sum()))(floats, X)
    (net(paddle.to_tensor(X))[0] ** 2).sum().backward()
    close(slopes["fc.weight"], net.fc.weight.grad.numpy())
    close(slopes["fc.bias"], net.fc.bias.grad.numpy())


def test_a_batch_of_calls(net, pure):
    f, params = pure
    (outs, _), _, status = jax.vmap(f, (None, 0))(params, np.stack([X, X * 2]))
    status.throw()
    for given, x in zip(outs, (X, X * 2)):
        close(given, net(paddle.to_tensor(x))[0].numpy())


def test_the_users_exception_is_told():
    g, nothing = dy2st.jax.function(raising, [InputSpec([2], "float32", "x")])
    *_, status = jax.jit(g)(nothing, np.asarray([1, 2], "float32"))
    with pytest.raises(KeyError, match="sum 3"):
        status.throw()
    *_, status = jax.vmap(g, (None, 0))(nothing, np.asarray([[1, 1], [1, 2]], "float32"))
    with pytest.raises(KeyError, match="sum 3"):
        status.throw()


def raising(x):
    if x.sum() == 3:
        raise KeyError(f"sum {int(x.sum())}")
    return x


def test_a_list_is_its_rows_and_their_number():
    f, params = dy2st.jax.function(grown, [InputSpec([3], "float32", "x"), InputSpec([], "int64", "n")], list_capacity=4)
    ones = np.ones(3, "float32")
    (rows, count), _, status = f(params, ones, np.asarray(3))
    status.throw()
    wanted = grown(paddle.to_tensor(ones), 3)
    assert int(count) == len(wanted) == 3
    close(rows[:3], np.stack([x.numpy() for x in wanted]))
    *_, status = f(params, ones * 0.01, np.asarray(9))
    with pytest.raises(EngineError, match="more than 4 items; give a larger list_capacity"):
        status.throw()


def test_what_is_no_input_is_refused(pure):
    f, params = pure
    with pytest.raises(TypeError, match="takes params and 1 inputs"):
        f(params)
    with pytest.raises(TypeError, match="x is a float32"):
        f(params, X.astype("float64"))
    with pytest.raises(ValueError, match="list_capacity"):
        dy2st.jax.function(grown, [InputSpec([3]), InputSpec([], "int64")], list_capacity=0)


def test_a_length_of_data_is_refused_at_the_users_line():
    f, params = dy2st.jax.function(lambda x: paddle.unique(x), [InputSpec([None], "float32", "x")])
    with pytest.raises(ConversionError, match=r"test_function.py:\d+.*known lengths; pad to a known length, and mask"):
        jax.jit(f)(params, np.asarray([1, -1], "float32"))


def test_nothing_imports_jax_before_it_is_used():
    script = "import sys, dy2st, dy2st.jax; assert not {'jax', 'onnx', 'onnxruntime'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_many_sets_of_shapes_are_told():
    static = paddle.jit.to_static(lambda x: x * 2, input_spec=[InputSpec([None], "float32")], backend="jax")
    with paddle.no_grad(), pytest.warns(UserWarning, match="compiled for 9 sets of shapes"):
        for n in range(10):
            static(paddle.ones([n]))


def test_a_list_gets_more_room():
    def count(n):
        xs = []
        while len(xs) < n:
            xs.append(len(xs) * 2)
        return xs

    static = paddle.jit.to_static(count, backend="jax")
    for n in (3, 300):
        assert [int(x) for x in static(paddle.to_tensor(n))] == [2 * k for k in range(n)]


def test_a_captured_constant_is_known_until_it_changes():
    one, limit = paddle.to_tensor(1), paddle.to_tensor([2.0])

    def first(x):
        return (x[:2] if (paddle.arange(3) == one).sum() == 1 else x) * limit  # of two lengths, were `one` not known

    f, params = dy2st.jax.function(first, [InputSpec([3], "float32")])
    static = paddle.jit.to_static(first, input_spec=[InputSpec([3], "float32")], backend="jax")
    x = paddle.to_tensor(X[0])
    with paddle.no_grad():
        close(f(params, X[0])[0], first(x).numpy())
        for number in (2.0, 3.0, 2.0):
            limit[0] = number
            close(static(x).numpy(), first(x).numpy())
