"""One more call of a compiled function gives what the first one gave: after changes of modes, weights, dtypes and arguments."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st.jit.interface.written_call import NoCall


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.dropout = nn.Dropout(0.999)

    def forward(self, x: dy2st.Tensor) -> dy2st.Tensor:
        return self.dropout(self.linear(x))


def scaled(x: dy2st.Tensor, y: dy2st.Tensor) -> dy2st.Tensor:
    return x * 2 + y


def counted(x: dy2st.Tensor, n: int) -> dy2st.Tensor:
    return x * n


X = np.arange(6, dtype="float32").reshape(2, 3)


def plain(net, x=X):
    return x @ net.linear.weight.numpy() + net.linear.bias.numpy()


@pytest.fixture
def called():
    net = Net()
    net.eval()
    script = jit.script(net)
    for _ in range(3):
        np.testing.assert_allclose(script(dy2st.to_tensor(X)).numpy(), plain(net), rtol=1e-6)
    assert not isinstance(script._methods["forward"].again, NoCall)
    return net, script


def test_new_weights_count(called):
    net, script = called
    net.linear.weight.set_value(np.ones([3, 2], "float32"))
    np.testing.assert_allclose(script(dy2st.to_tensor(X)).numpy(), plain(net), rtol=1e-6)


def test_the_mode_counts(called):
    net, script = called
    script.train()
    assert (script(dy2st.to_tensor(np.ones((100, 3), "float32"))).numpy() == 0).mean() > 0.9
    script.eval()
    np.testing.assert_allclose(script(dy2st.to_tensor(X)).numpy(), plain(net), rtol=1e-6)


def test_gradients_flow(called):
    net, script = called
    x = dy2st.to_tensor(X, stop_gradient=False)
    script(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.tile(net.linear.weight.numpy().sum(1), (2, 1)), rtol=1e-6)
    with dy2st.no_grad():
        assert script(x).stop_gradient


def test_other_shapes_dtypes_and_arguments():
    script = jit.script(scaled)
    for dtype in ("float32", "float32", "int64", "float64", "float32"):
        for shape in ((3,), (2, 3), (3,)):
            x, y = np.ones(shape, dtype), np.full(shape, 3, dtype)
            result = script(dy2st.to_tensor(x), dy2st.to_tensor(y))
            np.testing.assert_array_equal(result.numpy(), x * 2 + y)
            assert result.numpy().dtype == x.dtype
    result = script(y=dy2st.to_tensor(X), x=dy2st.to_tensor(2 * X))
    np.testing.assert_array_equal(result.numpy(), 5 * X)
    with pytest.raises(TypeError):
        script(dy2st.to_tensor(X))
    with pytest.raises(TypeError):
        script(X, "text")


def test_numbers_among_the_arguments():
    script = jit.script(counted)
    for n in (1, 2, 3):
        np.testing.assert_array_equal(script(dy2st.to_tensor(X), n).numpy(), X * n)


def test_a_failure_names_the_users_line():
    script = jit.script(scaled)
    x = dy2st.to_tensor(X)
    script(x, x), script(x, x)
    with pytest.raises(ValueError) as found:
        script(x, dy2st.to_tensor(np.ones((5, 7), "float32")))
    assert any("test_called_again.py" in str(entry.path) and "x * 2 + y" in str(entry.statement) for entry in found.traceback)
