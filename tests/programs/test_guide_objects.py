"""The guide, section 5: sublayers that do and don't derive from nn.Layer."""

from __future__ import annotations

import numpy as np
from safetensors.numpy import load_file

import dy2st as paddle
from dy2st.jit import to_static
from dy2st.static import InputSpec

X = np.random.default_rng(5).standard_normal((4, 10), dtype=np.float32)
Y = np.array([1.0, -2.0, 0.5], np.float32)
SPECS = [InputSpec([None, 10], "float32", "x"), InputSpec([3], "float32", "y")]


class PlainNet:
    """Derives from object, as in the guide: its tensors must be captured and saved all the same."""

    def __init__(self, mask):
        super().__init__()
        self.linear = paddle.nn.Linear(10, 3)
        self.mask = paddle.to_tensor(mask)

    def forward(self, x, y):
        out = self.linear(x)
        out = out + y
        out = out * self.mask
        return out

    def by_hand(self, x, y):
        return (x @ self.linear.weight.numpy() + self.linear.bias.numpy() + y) * self.mask.numpy()


class Holder(paddle.nn.Layer):
    def __init__(self, mask):
        super().__init__()
        self.inner = PlainNet(mask)

    def forward(self, x, y):
        return self.inner.forward(x, y)


class Doubler(paddle.nn.Layer):
    def forward(self, x):
        return x * 2.0


class Hooked(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.doubler = Doubler()
        self.doubler.register_forward_pre_hook(lambda layer, inputs: (inputs[0] + 1.0,))
        self.doubler.register_forward_post_hook(lambda layer, inputs, output: output - 3.0)

    def forward(self, x):
        return self.doubler(x)


class Helpers(paddle.nn.Layer):
    """Reaches a sublayer through a method other than forward."""

    def __init__(self):
        super().__init__()
        self.doubler = Doubler()

    def scaled(self, x):
        if x.sum() > 0:
            return self.doubler(x)
        return x

    def forward(self, x):
        return self.scaled(x) + 1.0


def test_section_5_tensors_of_a_plain_object_are_captured_and_saved(tmp_path, fresh, same):
    """5. Derive everything from nn.Layer (advice): a mask on a plain object is saved too, and used after loading."""
    net = Holder([0.0, 1.0, 1.0])
    expected = net.inner.by_hand(X, Y)
    to_static(net, input_spec=SPECS)
    same(expected, net(paddle.to_tensor(X), paddle.to_tensor(Y)))
    path = str(tmp_path / "net")
    paddle.jit.save(net, path)
    shapes = sorted(a.shape for a in load_file(path + ".params.safetensors").values())
    assert shapes == [(3,), (3,), (10, 3)]
    same([expected], fresh(path, [X, Y]))


def test_section_5_a_method_of_a_plain_object_is_an_entry(tmp_path, fresh, same):
    """5. The guide's own example: a class that derives from object, its forward converted directly."""
    net = PlainNet([0.0, 1.0, 1.0])
    expected = net.by_hand(X, Y)
    static = to_static(net.forward, input_spec=SPECS)
    same(expected, static(paddle.to_tensor(X), paddle.to_tensor(Y)))
    paddle.jit.save(static, str(tmp_path / "plain"))
    same([expected], fresh(str(tmp_path / "plain"), [X, Y]))


def test_section_5_a_parameter_of_a_plain_object_follows_its_updates(same):
    """5. "The parameters are never updated" does not hold here: a new value is seen by the next call."""
    net = Holder([1.0, 1.0, 1.0])
    to_static(net, input_spec=SPECS)
    net(paddle.to_tensor(X), paddle.to_tensor(Y))
    net.inner.linear.weight.set_value(np.zeros((10, 3), np.float32))
    same(net.inner.by_hand(X, Y), net(paddle.to_tensor(X), paddle.to_tensor(Y)))


def test_section_5_hooks_of_sublayers_run(agree):
    """5. Override forward, not __call__: __call__ carries the pre and post hooks, which are staged and saved."""
    agree(Hooked, [InputSpec([None, 2], "float32", "x")], [np.array([[1.0, 2.0]], np.float32)])


def test_section_5_other_functions_of_sublayers_are_converted(agree):
    """5. Functions of sublayers other than forward are rewritten as well."""
    x = np.array([[1.0, 2.0]], np.float32)
    agree(Helpers, [InputSpec([None, 2], "float32", "x")], [x], [-x])
