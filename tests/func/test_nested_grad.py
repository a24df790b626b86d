"""`func.grad` in a function that is itself staged, or differentiated: the gradient is a part of that Program."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.func import grad, make_program

X = paddle.to_tensor(np.array([2.0, 3.0]))
x = X.numpy()


def cubes(y):
    return (y**3).sum()


def of_the_argument(y):
    return (grad(cubes)(y) * y).sum()


def of_what_is_computed(y):
    return (grad(cubes)(paddle.sin(y)) * y).sum()


def with_captured_tensors(y):
    z = paddle.sin(y)
    return grad(lambda a: (a**2 * z * y).sum())(y).sum()


def on_one_path(y):
    return grad(cubes)(y).sum() if y.sum() > 0 else (y**2).sum()


def in_a_loop(y):
    z, k = y, 0
    while k < 3:
        z = z - 0.1 * grad(lambda a: (a**2 * y).sum())(z)
        k += 1
    return z.sum()


def of_a_function_with_control_flow(y):
    def powers(a):
        for _ in range(2):
            a = a * y if a.sum() > 100 else a * a
        return a.sum()

    return grad(powers)(y).sum()


VALUES = {
    of_the_argument: (3 * x**3).sum(),
    of_what_is_computed: (3 * np.sin(x) ** 2 * x).sum(),
    with_captured_tensors: (2 * x**2 * np.sin(x)).sum(),
    on_one_path: (3 * x**2).sum(),
    in_a_loop: (x * (1 - 0.2 * x) ** 3).sum(),
    of_a_function_with_control_flow: (4 * x**3).sum(),
}


def slopes(function, at: np.ndarray) -> np.ndarray:
    """The gradient by finite differences."""
    steps = 1e-5 * np.eye(len(at))
    value = lambda y: float(function(paddle.to_tensor(y)))  # noqa: E731
    return np.array([(value(at + step) - value(at - step)) / 2e-5 for step in steps])


@pytest.mark.parametrize("function", VALUES, ids=lambda function: function.__name__)
def test_in_a_static_function_and_in_plain_python(function):
    static = paddle.jit.to_static(function)
    for call in (function, static):
        np.testing.assert_allclose(float(call(X)), VALUES[function], rtol=1e-12)
    y = paddle.to_tensor(x, stop_gradient=False)
    static(y).backward()
    np.testing.assert_allclose(y.grad.numpy(), slopes(function, x), rtol=1e-6)


@pytest.mark.parametrize("function", VALUES, ids=lambda function: function.__name__)
def test_in_a_function_that_is_differentiated(function):
    np.testing.assert_allclose(grad(function)(X).numpy(), slopes(function, x), rtol=1e-6)
    made = make_program(grad(function))(X)
    np.testing.assert_allclose(made(X * 1.5).numpy(), slopes(function, 1.5 * x), rtol=1e-6)


def fourth(y):
    return y**4


def test_a_gradient_of_a_gradient_in_a_static_function():
    def outer(y):
        return grad(grad(fourth))(y) + grad(grad(grad(fourth)))(y)

    at = paddle.to_tensor(np.array(2.0))
    assert float(paddle.jit.to_static(outer)(at)) == 48 + 48
    assert float(grad(outer)(at)) == 48 + 24
    paddle.jit.enable_to_static(False)
    try:
        assert float(outer(at)) == 48 + 48
        assert float(grad(outer)(at)) == 48 + 24
    finally:
        paddle.jit.enable_to_static(True)


class Field(paddle.nn.Layer):
    """The gradient of a network, whose weights are trained."""

    def __init__(self):
        super().__init__()
        self.net = paddle.nn.Linear(2, 3)

    def forward(self, y):
        return grad(lambda a: paddle.tanh(self.net(a)).sum())(y)


def test_weights_are_trained_through_a_gradient(tmp_path):
    layer = Field()
    layer.to(dtype="float64")
    weight, bias = (p.numpy() for p in layer.parameters())
    static = paddle.jit.to_static(layer, input_spec=[paddle.static.InputSpec([2], "float64")])
    found = static(X)
    expected = weight @ (1 - np.tanh(x @ weight + bias) ** 2)
    np.testing.assert_allclose(found.numpy(), expected)
    found.sum().backward()
    t = np.tanh(x @ weight + bias)
    np.testing.assert_allclose(layer.net.bias.grad.numpy(), weight.sum(0) * (-2 * t * (1 - t**2)))
    paddle.jit.save(static, str(tmp_path / "field"))
    np.testing.assert_allclose(paddle.jit.load(str(tmp_path / "field"))(X).numpy(), expected)


def test_without_gradients_around_it():
    @paddle.jit.to_static
    def without(y):
        with paddle.no_grad():
            return grad(cubes)(y)

    y = paddle.to_tensor(x, stop_gradient=False)
    assert without(y).stop_gradient
    np.testing.assert_allclose(without(y).numpy(), 3 * x**2)


def test_an_argument_that_the_number_does_not_depend_on():
    @paddle.jit.to_static
    def both(y, z):
        chosen = lambda a, b: (a**2).sum() if a.sum() > 0 else (b**2).sum()  # noqa: E731
        return grad(chosen, argnums=(0, 1))(y, z)

    for sign in (1.0, -1.0):
        found = both(X * sign, X)
        expected = (2 * x, 0 * x) if sign > 0 else (0 * x, 2 * x)
        np.testing.assert_allclose([g.numpy() for g in found], expected)


def test_what_has_no_gradient_in_a_static_function():
    with pytest.raises(TypeError, match="one floating-point number, not of float64"):
        paddle.jit.to_static(lambda y: grad(lambda a: a * 2)(y))(X)
    with pytest.raises(TypeError, match="argument 1 is no tensor"):
        paddle.jit.to_static(lambda y: grad(lambda a, b: (a * b).sum(), argnums=1)(y, 2.0))(X)
