"""Gradients between equal elements, at 0, at borders and of NaN: those of Paddle's kernels, also behind control flow."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dy2st as paddle
from dy2st.nn import functional as F

NAN, INF = math.nan, math.inf
# name -> (function of x and y, x, y, the gradient by x of the sum of the results)
CASES = {
    "maximum": (paddle.maximum, [1, 2, 3, NAN], [1, 3, 2, 1], [0.5, 0, 1, 0]),
    "minimum": (paddle.minimum, [1, 2, 3, NAN], [1, 3, 2, 1], [0.5, 1, 0, 0]),
    "fmax": (paddle.fmax, [1, 2, NAN, 1, NAN], [1, 3, 1, NAN, NAN], [1, 0, 0, 1, 1]),
    "fmin": (paddle.fmin, [1, 2, NAN, 1, NAN], [1, 3, 1, NAN, NAN], [1, 1, 0, 1, 1]),
    "amax": (lambda x, y: paddle.amax(x), [2, 2, 1], [0], [0.5, 0.5, 0]),
    "amin": (lambda x, y: paddle.amin(x), [2, 1, 1], [0], [0, 0.5, 0.5]),
    "max": (lambda x, y: paddle.max(x), [2, 2, 1], [0], [0.5, 0.5, 0]),
    "min": (lambda x, y: x.min(0, keepdim=True), [2, 1, 1], [0], [0, 0.5, 0.5]),
    "max over an axis": (lambda x, y: x.reshape([2, 2]).max(1) * y, [2, 2, 1, 3], [1, 5], [0.5, 0.5, 0, 5]),
    "min over axes": (lambda x, y: x.reshape([1, 2, 2]).min([0, 2]) * y, [2, 2, 1, 3], [1, 5], [0.5, 0.5, 5, 0]),
    "max of signed zeros": (lambda x, y: x.max(), [-0.0, 0.0, -1], [0], [0.5, 0.5, 0]),
    "max of -inf": (lambda x, y: x.max(), [-INF, -INF], [0], [0.5, 0.5]),
    "max of nan": (lambda x, y: x.max(), [1, NAN], [0], [NAN, NAN]),
    "clip": (lambda x, y: paddle.clip(x, 0, 1), [0, 1, -1, 2, NAN], [0], [1, 1, 0, 0, 0]),
    "abs": (lambda x, y: paddle.abs(x), [0, 1, -1], [0], [0, 1, -1]),
    "sign": (lambda x, y: paddle.sign(x), [0, 1], [0], [0, 0]),
    "norm 1": (lambda x, y: paddle.norm(x, p=1), [0, 1, -2], [0], [0, 1, -1]),
    "norm 2": (lambda x, y: paddle.norm(x), [0, 0], [0], [0, 0]),
    "norm 3": (lambda x, y: paddle.norm(x, p=3), [0, 0], [0], [0, 0]),
    "norm inf": (lambda x, y: paddle.norm(x, p=INF), [0, -2, 2], [0], [0, -1, 1]),
    "norm -inf": (lambda x, y: paddle.norm(x, p=-INF), [1, -1, 2], [0], [1, -1, 0]),
    "norm inf of rows": (lambda x, y: paddle.norm(x.reshape([2, 2]), p=INF, axis=1), [2, -2, 3, 1], [0], [1, -1, 1, 0]),
    "norm inf over axes": (
        lambda x, y: 3 * paddle.linalg.vector_norm(x.reshape([2, 2]), INF, axis=[0, 1]), [2, -2, 2, 1], [0], [1, -1, 1, 0]
    ),
    "norm -inf over axes": (
        lambda x, y: 3 * paddle.linalg.vector_norm(x.reshape([2, 2]), -INF, axis=[0, 1]), [1, -1, 2, 1], [0], [1, -1, 0, 1]
    ),
    "dist": (paddle.dist, [1, 2], [1, 2], [0, 0]),
    "cdist": (lambda x, y: paddle.cdist(x[None], y[None]), [1, 2], [1, 2], [0, 0]),
    "sort": (lambda x, y: paddle.sort(x) * y, [2, 2, 1], [1, 2, 3], [2, 3, 1]),
    "topk": (lambda x, y: paddle.topk(x, 1)[0], [2, 2, 1], [0], [1, 0, 0]),
    "median": (lambda x, y: paddle.median(x), [1, 2, 2, 3], [0], [0, 0.5, 0.5, 0]),
    "nanmedian": (lambda x, y: paddle.nanmedian(x), [1, 2, 2, 3, NAN], [0], [0, 0.5, 0.5, 0, 0]),
    "quantile": (lambda x, y: paddle.quantile(x, 0.5), [1, 2, 2, 3], [0], [0, 0.5, 0.5, 0]),
    "sqrt": (lambda x, y: paddle.sqrt(x), [0, 4], [0], [INF, 0.25]),
    "rsqrt": (lambda x, y: paddle.rsqrt(x), [0, 4], [0], [-INF, -0.0625]),
    "pow": (paddle.pow, [0, 0, 0, 2], [0, 1, 2, 0], [0, 1, 0, 0]),
    "pow of 0": (lambda x, y: 0.0**x, [1, 2], [0], [0, 0]),
    "atan2": (paddle.atan2, [0, 0, 1], [0, -1, 0], [NAN, -1, 0]),
    "logaddexp": (paddle.logaddexp, [1, INF, 1], [-INF, 1, 1], [1, 1, 0.5]),
    "cummax": (lambda x, y: paddle.cummax(x)[0], [1, 2, 2, 1, 2], [0], [1, 1, 2, 0, 1]),
    "prod": (lambda x, y: paddle.prod(x), [0, 2, 3], [0], [6, 0, 0]),
    "cumprod": (lambda x, y: paddle.cumprod(x, 0), [1, 0, 3], [0], [1, 4, 0]),
    "where": (lambda x, y: paddle.where(x > 0, x, y), [0, 1], [0, 0], [0, 1]),
    "relu": (lambda x, y: F.relu(x), [0, NAN, 1], [0], [0, 1, 1]),
    "relu6": (lambda x, y: F.relu6(x), [0, 6, NAN, 3], [0], [0, 0, 1, 1]),
    "elu": (lambda x, y: F.elu(x), [0, NAN, 1], [0], [1, 1, 1]),
    "celu": (lambda x, y: F.celu(x), [0, NAN, 1], [0], [1, 1, 1]),
    "hardtanh": (lambda x, y: F.hardtanh(x), [-1, 1, NAN, 0.5], [0], [0, 0, 1, 1]),
    "softshrink": (lambda x, y: F.softshrink(x), [0.5, -0.5, NAN, 1], [0], [0, 0, 1, 1]),
    "hardswish": (lambda x, y: F.hardswish(x), [-3, 3, 4], [0], [0, 1, 1]),
    "leaky_relu": (lambda x, y: F.leaky_relu(x), [0, 1], [0], [0.01, 1]),
    "thresholded_relu": (lambda x, y: F.thresholded_relu(x), [1, 2], [0], [0, 1]),
    "maxout": (lambda x, y: F.maxout(x.reshape([1, 2, 1, 1]), 2), [1, 1], [0], [1, 0]),
    "max_pool": (lambda x, y: F.max_pool1d(x.reshape([1, 1, 4]), 2, 2), [2, 2, 1, 1], [0], [1, 0, 1, 0]),
    "smooth_l1_loss": (lambda x, y: F.smooth_l1_loss(x, y, reduction="sum"), [0, 1, -1], [0, 0, 0], [0, 1, -1]),
}  # fmt: skip


def as_it_is(x):
    return x


def from_a_branch(x):
    if (x == x).any():
        h = x * 1
    else:
        h = x - 1
    return h


def from_a_loop(x):
    turns = 0
    while turns < 2 and (x == x).any():
        x, turns = x + 0, turns + 1
    return x


def from_a_list(x):
    items = []
    for i in range(x.shape[0]):
        if x[i] != 1e9:
            items.append(x[i])
    return paddle.stack(items)


SOURCES = (as_it_is, from_a_branch, from_a_loop, from_a_list)


def weighed(name, source):
    """The sum of the results of a case, a function of its two operands."""
    function = CASES[name][0]
    return lambda x, y: function(source(x), y).sum()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_gradients_are_those_of_the_formulas(name, source):
    call = weighed(name, source)
    for function in (call, paddle.jit.to_static(call)):
        x, y = (paddle.to_tensor(np.asarray(each, "float64"), stop_gradient=False) for each in CASES[name][1:3])
        (found,) = paddle.grad(function(x, y), [x])
        np.testing.assert_allclose(found.numpy(), CASES[name][3], rtol=1e-9)
