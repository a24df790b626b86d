"""Gradients of max, min, amax and amin where elements are equal, against the formula of Paddle: g * mask / count."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

FUNCTIONS = {
    "max": (paddle.max, np.max),
    "min": (paddle.min, np.min),
    "amax": (paddle.amax, np.max),
    "amin": (paddle.amin, np.min),
    "x.max": (paddle.Tensor.max, np.max),
    "x.min": (paddle.Tensor.min, np.min),
}
AXES = (None, 0, -1, [0, 2], [1])


def example(seed):
    """A tensor of many equal elements, and one of weights."""
    rng = np.random.default_rng(seed)
    return rng.integers(1, 4, (3, 2, 4)).astype("float64"), rng.normal(size=(3, 2, 4))


def shares(reduce, x, axis):
    """The greatest or smallest elements over axes, and the part of their gradients that each element has."""
    axis = tuple(axis) if isinstance(axis, list) else axis
    mask = x == reduce(x, axis=axis, keepdims=True)
    return reduce(x, axis=axis, keepdims=True), mask / mask.sum(axis, keepdims=True)


class Extreme(paddle.nn.Layer):
    """The greatest or smallest elements times a weight of each, in a loop or a branch."""

    def __init__(self, reduce, axis, keepdim):
        super().__init__()
        self.reduce, self.axis, self.keepdim = reduce, axis, keepdim

    def forward(self, x, where):
        if where > 1:
            found = self.reduce(x * 1, self.axis, self.keepdim) * 2
        elif where > 0:
            found, turns = self.reduce(x, self.axis, self.keepdim), 1
            while turns < where + 1:
                found, turns = found + self.reduce(x, self.axis, self.keepdim), turns + 1
        else:
            found = self.reduce(x, self.axis, self.keepdim) * 2
        return found


def forms(layer, folder):
    specs = [InputSpec([3, None, 4], "float64", "x"), InputSpec([], "int64", "where")]
    paddle.jit.save(layer, str(folder / "extreme"), specs)
    return layer, paddle.jit.to_static(Extreme(layer.reduce, layer.axis, layer.keepdim)), paddle.jit.load(str(folder / "extreme"))


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_equal_elements_share_the_gradient(name, axis, keepdim, tmp_path):
    reduce, truth = FUNCTIONS[name]
    data, weights = example(len(name))
    _, part = shares(truth, data, axis)
    for form in forms(Extreme(reduce, axis, keepdim), tmp_path):
        for where in range(3):
            x = paddle.to_tensor(data, stop_gradient=False)
            found = form(x, paddle.to_tensor(where))
            g = np.resize(weights, found.shape)
            (found * paddle.to_tensor(g)).sum().backward()
            np.testing.assert_allclose(x.grad.numpy(), 2 * part * g.reshape(truth_shape(data, axis)), rtol=1e-9)


def truth_shape(data, axis):
    return np.sum(data, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=True).shape


@pytest.mark.parametrize("axis", AXES, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_gradients_keep_the_shares(name, axis):
    """Of the sum of cubes, by the formula: the shares themselves have no gradient."""
    reduce, truth = FUNCTIONS[name]
    data, weights = example(3 + len(name))
    extreme, part = shares(truth, data, axis)
    along = tuple(axis) if isinstance(axis, list) else axis
    wanted = part * 6 * extreme * (weights * part).sum(along, keepdims=True)

    def second(x, weights):
        (first,) = paddle.grad((reduce(x, axis) ** 3).sum(), [x], create_graph=True)
        return paddle.grad((first * weights).sum(), [x])[0]

    for function in (second, paddle.jit.to_static(second)):
        found = function(paddle.to_tensor(data, stop_gradient=False), paddle.to_tensor(weights))
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-9)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_gradients_are_differences_where_no_elements_are_equal(name):
    reduce = FUNCTIONS[name][0]
    data = np.random.default_rng(5).permutation(24).reshape(3, 2, 4) / 4.0

    def first(array):
        x = paddle.to_tensor(array, stop_gradient=False)
        return x, paddle.grad((reduce(x * x, 1) * reduce(x, 1)).sum(), [x], create_graph=True)[0]

    x, slope = first(data)
    step = 1e-6 * np.random.default_rng(6).normal(size=data.shape)
    (found,) = paddle.grad((slope * paddle.to_tensor(step)).sum(), [x])
    apart = (first(data + step)[1] - first(data - step)[1]) / 2
    np.testing.assert_allclose(found.numpy(), apart.numpy(), rtol=1e-5, atol=1e-12)
