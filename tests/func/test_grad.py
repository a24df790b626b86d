"""`func.grad`: gradients as functions, which compose with `functionalize`, `make_program` and each other."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st.func import functionalize, grad, make_program

X = paddle.to_tensor([0.5, -1.0, 2.0])


def cubed(x, factor=2):
    y = x * 1.0
    y.multiply_(x)
    return (y * x).sum() * factor


def branches(x):
    if x.sum() > 0:
        return (x**2).sum()
    return x.sum()


def weighted(a, rows, b):
    return (a * b).sum() + sum(rows).sum()


def test_a_gradient():
    np.testing.assert_allclose(grad(cubed)(X).numpy(), 6 * X.numpy() ** 2, rtol=1e-6)
    np.testing.assert_allclose(grad(cubed)(X, factor=1).numpy(), 3 * X.numpy() ** 2, rtol=1e-6)


def test_both_paths():
    for x in (X, -X):
        np.testing.assert_allclose(grad(branches)(x).numpy(), 2 * x.numpy() if float(x.sum()) > 0 else np.ones(3))


def test_a_gradient_of_a_gradient():
    slopes = grad_of_sum(grad(cubed))
    np.testing.assert_allclose(slopes(X).numpy(), 12 * X.numpy(), rtol=1e-6)


def grad_of_sum(function):
    """The gradient of the sum of a gradient, through the tape."""

    def slopes(x):
        x = paddle.to_tensor(x.numpy(), stop_gradient=False)
        function(x).sum().backward()
        return x.grad

    return slopes


def test_several_arguments():
    a, b = grad(weighted, argnums=(0, 2))(X, [X, X * 2], X * 3)
    np.testing.assert_allclose(a.numpy(), 3 * X.numpy())
    np.testing.assert_allclose(b.numpy(), X.numpy())


def test_FN_17_functionalize_of_a_gradient():
    made = functionalize(grad(cubed))
    np.testing.assert_allclose(made(X).numpy(), 6 * X.numpy() ** 2, rtol=1e-6)
    code = make_program(made)(X).code
    assert "_(" not in code.replace("copy_(", "")
    np.testing.assert_allclose(grad(functionalize(cubed))(X).numpy(), 6 * X.numpy() ** 2, rtol=1e-6)
    np.testing.assert_allclose(make_program(grad(cubed))(X)(X * 2).numpy(), 24 * X.numpy() ** 2, rtol=1e-6)


def test_what_has_no_gradient():
    with pytest.raises(TypeError, match="one floating-point number"):
        grad(lambda x: x * 2)(X)
    with pytest.raises(TypeError, match="argument 1"):
        grad(cubed, argnums=1)(X, 2)
    with pytest.raises(TypeError, match="argnums"):
        grad(cubed, argnums="x")
