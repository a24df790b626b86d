"""The guide, sections 1 and 2: where `to_static` goes, and when an InputSpec is given."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.jit import to_static
from dy2st.static import InputSpec

X = np.random.default_rng(0).standard_normal((4, 10), dtype=np.float32)
Y = np.array([1.0, -2.0, 0.5], np.float32)


class SimpleNet(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(10, 3)

    def forward(self, x, y):
        out = self.linear(x)
        if paddle.mean(out) > 0:
            out = out + y
        else:
            out = out - y
        return out


class DecoratedNet(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(10, 3)

    @to_static
    def forward(self, x, y):
        out = self.linear(x)
        out = out + y
        return out


def by_hand(net, x, y):
    out = x @ net.linear.weight.numpy() + net.linear.bias.numpy()
    return out + y if out.mean() > 0 else out - y


@pytest.mark.parametrize("sign", [1, -1])
def test_section_1_way_one_a_call_on_the_model(sign, tmp_path, fresh, same):
    """1. Where does @to_static go? Way one: model = to_static(model, input_spec=...)."""
    model = SimpleNet()
    x_spec, y_spec = InputSpec([None, 10], "float32", "x"), InputSpec([3], "float32", "y")
    static = to_static(model, input_spec=[x_spec, y_spec])
    assert static is model, "to_static returns the same layer, with forward as its entry"
    same(by_hand(model, sign * X, Y), static(paddle.to_tensor(sign * X), paddle.to_tensor(Y)))
    path = str(tmp_path / "simple_net")
    paddle.jit.save(static, path)
    same([by_hand(model, sign * X, Y)], fresh(path, [sign * X, Y]))


def test_section_1_way_two_a_decorator_on_forward(same):
    """1. Way two: @to_static on forward."""
    model = DecoratedNet()
    expected = X @ model.linear.weight.numpy() + model.linear.bias.numpy() + Y
    same(expected, model(paddle.to_tensor(X), paddle.to_tensor(Y)))
    assert "def forward(self, x, y):" in model.forward.code


def test_section_2_way_one_input_spec_with_unknown_and_known_dims(agree):
    """2. When is an InputSpec given? Way one: x has a dynamic batch, y a fixed shape."""
    paddle.seed(7)
    state = SimpleNet().state_dict()

    def make():
        net = SimpleNet()
        net.set_state_dict(state)
        return net

    specs = [InputSpec(shape=[None, 10], dtype="float32", name="x"), InputSpec(shape=[3], dtype="float32", name="y")]
    agree(make, specs, [X, Y], [X[:1], Y], [-X[:2], Y])


def test_section_2_a_tensor_that_does_not_fit_the_spec_is_refused():
    """2. The spec is a promise: [None, 10] takes no [4, 11]."""
    static = to_static(SimpleNet(), input_spec=[InputSpec([None, 10], "float32", "x"), InputSpec([3], "float32", "y")])
    with pytest.raises(ValueError, match="x.*10"):
        static(paddle.ones([4, 11]), paddle.ones([3]))


def test_section_2_way_two_one_forward_on_real_tensors(tmp_path, fresh, same):
    """2. Way two: shapes and dtypes come from the tensors of one call, then jit.save needs no spec."""
    model = DecoratedNet()
    x, y = paddle.randn([4, 10], "float32"), paddle.randn([3], "float32")
    out = model(x, y)
    path = str(tmp_path / "simple_net")
    paddle.jit.save(model, path)
    same([out], fresh(path, [x.numpy(), y.numpy()]))
