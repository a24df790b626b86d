"""The guide, sections 3 and 4: NumPy in the middle of a forward, and `to_tensor` inside one."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
from safetensors.numpy import load_file

import dy2st as paddle
from dy2st.errors import Dy2stError, Dy2stWarning
from dy2st.jit import to_static
from dy2st.static import InputSpec

X = np.random.default_rng(0).standard_normal((10, 3), dtype=np.float32)


class NumpyInTheMiddle(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)

    def forward(self, x):
        out = self.linear(x)
        x_data = x.numpy().astype("float32")
        weight = np.random.randn(10, 3)
        mask = paddle.to_tensor(x_data * weight)
        out = out * mask
        return out


class NumpyFunction(paddle.nn.Layer):
    def forward(self, x):
        return x + np.tanh(x)


class NoNumpy(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)

    def forward(self, x):
        out = self.linear(x)
        weight = paddle.randn([10, 3], "float32")
        mask = x * weight
        out = out * mask
        return out


def line_of(function, text):
    lines, first = inspect.getsourcelines(function)
    return first + next(k for k, line in enumerate(lines) if text in line)


def test_section_3_numpy_in_the_middle_names_line_call_and_cure():
    """3. Embedded NumPy operations? They can't be part of a Program: the error says where, what, and what instead."""
    static = to_static(NumpyInTheMiddle(), input_spec=[InputSpec([10, 3], "float32", "x")])
    with pytest.raises(Dy2stError) as caught:
        static.forward.concrete_program  # noqa: B018
    message = str(caught.value)
    assert f"test_guide_numpy.py:{line_of(NumpyInTheMiddle.forward, 'x.numpy()')}" in message
    assert "x.numpy()" in message
    assert "dy2st." in message


def test_section_3_a_numpy_function_of_a_tensor_names_its_counterpart():
    """3. `np.tanh(x)` of a staged tensor: the error names dy2st.tanh."""
    static = to_static(NumpyFunction(), input_spec=[InputSpec([10, 3], "float32", "x")])
    with pytest.raises(Dy2stError) as caught:
        static.forward.concrete_program  # noqa: B018
    message = str(caught.value)
    assert f"test_guide_numpy.py:{line_of(NumpyFunction.forward, 'np.tanh')}" in message
    assert "tanh" in message and "dy2st.tanh" in message


def test_section_3_a_failed_conversion_saves_nothing(tmp_path):
    """3. Nothing half-written is left behind."""
    static = to_static(NumpyInTheMiddle(), input_spec=[InputSpec([10, 3], "float32", "x")])
    with pytest.raises(Dy2stError):
        paddle.jit.save(static, str(tmp_path / "net"))
    assert list(tmp_path.iterdir()) == []


def test_section_3_the_same_model_in_tensor_functions(tmp_path, same):
    """3. The rewrite that the guide recommends; one seed gives one answer, eager, staged and loaded."""
    net = NoNumpy()
    x = paddle.to_tensor(X)
    paddle.seed(3)
    expected = net(x).numpy()
    to_static(net, input_spec=[InputSpec([10, 3], "float32", "x")])
    paddle.seed(3)
    same(expected, net(x))
    paddle.jit.save(net, str(tmp_path / "net"))
    paddle.seed(3)
    same(expected, paddle.jit.load(str(tmp_path / "net"))(x))


class MaskInForward(paddle.nn.Layer):
    def __init__(self, mask):
        super().__init__()
        self.linear = paddle.nn.Linear(10, 3)
        self.mask = np.array(mask)

    def forward(self, x, y):
        out = self.linear(x)
        out = out + y
        mask = paddle.to_tensor(self.mask)
        out = out * mask
        return out


class MaskInInit(paddle.nn.Layer):
    def __init__(self, mask):
        super().__init__()
        self.linear = paddle.nn.Linear(10, 3)
        self.mask = paddle.to_tensor(mask)

    def forward(self, x, y):
        out = self.linear(x)
        out = out + y
        out = out * self.mask
        return out


SPECS = [InputSpec([None, 10], "float32", "x"), InputSpec([3], "float32", "y")]


def masked(net):
    x = np.arange(20, dtype=np.float32).reshape(2, 10)
    y = np.array([1.0, 2.0, 3.0], np.float32)
    expected = (x @ net.linear.weight.numpy() + net.linear.bias.numpy() + y) * np.array([0, 1, 1])
    return x, y, expected.astype(np.float32)


def test_section_4_to_tensor_in_forward_becomes_an_assign_with_a_hint(tmp_path, fresh, same):
    """4. Using to_tensor(): a constant made inside forward becomes an assign, and a warning says to move it to __init__."""
    net = MaskInForward([0, 1, 1])
    x, y, expected = masked(net)
    to_static(net, input_spec=SPECS)
    with pytest.warns(Dy2stWarning, match="__init__") as caught:
        same(expected, net(paddle.to_tensor(x), paddle.to_tensor(y)))
    line = line_of(MaskInForward.forward, "to_tensor")
    assert any(f"{line}" in str(w.message) or w.lineno == line for w in caught)
    assert "assign" in str(net.forward.concrete_program.main_program)
    paddle.jit.save(net, str(tmp_path / "net"))
    same([expected], fresh(str(tmp_path / "net"), [x, y]))


def test_section_4_to_tensor_in_init_is_a_saved_buffer(tmp_path, fresh, same):
    """4. The recommended form: self.mask is a buffer; no hint, no assign, and the mask is in the parameter file."""
    net = MaskInInit([0, 1, 1])
    x, y, expected = masked(net)
    to_static(net, input_spec=SPECS)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Dy2stWarning)
        same(expected, net(paddle.to_tensor(x), paddle.to_tensor(y)))
    assert "assign" not in str(net.forward.concrete_program.main_program)
    paddle.jit.save(net, str(tmp_path / "net"))
    saved = load_file(tmp_path / "net.params.safetensors")
    assert set(saved) == {"linear.weight", "linear.bias", "mask"}
    np.testing.assert_array_equal(saved["mask"], [0, 1, 1])
    same([expected], fresh(str(tmp_path / "net"), [x, y]))


def test_section_4_assign_of_an_array(agree):
    """4. paddle.assign(np.array([2, 3, 4])) is what to_tensor stands for."""

    def add(x):
        return x + paddle.assign(np.array([2, 3, 4]))

    agree(lambda: add, [InputSpec([None, 3], "float32", "x")], [X], [X[:1]])
