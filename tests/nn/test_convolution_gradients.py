"""Input gradients of convolutions: the adjoint of the convolution itself, in the memory that the convolution takes."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest

import dy2st
from dy2st.nn import functional as F
from dy2st.ops import conv

GEOMETRY = list(itertools.product((1, 2, 3), (0, 1, 2), (1, 2), (1, 2, 4)))  # stride, padding, dilation, groups
SIZES = {1: (13,), 2: (11, 8), 3: (6, 7, 5)}
KERNELS = {1: (4,), 2: (3, 2), 3: (2, 3, 1)}


def numbers(rng: np.random.Generator, shape) -> dy2st.Tensor:
    return dy2st.to_tensor(rng.integers(-3, 4, shape).astype("float64"), stop_gradient=False)


@pytest.mark.parametrize("name", ["conv1d", "conv2d", "conv3d", "conv1d_transpose", "conv2d_transpose"])
def test_p_01_the_input_gradient_is_the_adjoint_of_the_convolution(name):
    """A convolution C is linear: <C(x), g> is <x, gradient of g>, exactly for whole numbers. So for the weight."""
    rank, transposed = int(name[4]), name.endswith("transpose")
    rng = np.random.default_rng(rank)
    for stride, padding, dilation, groups in GEOMETRY:
        x = numbers(rng, (2, 4, *SIZES[rank]))
        w = numbers(rng, ((4, 8 // groups) if transposed else (8, 4 // groups)) + KERNELS[rank])
        y = getattr(F, name)(x, w, stride=stride, padding=padding, dilation=dilation, groups=groups)
        g = numbers(rng, y.shape)
        dx, dw = dy2st.grad([y], [x, w], [g])
        assert float((y * g).sum()) == float((x * dx).sum()) == float((w * dw).sum()), (stride, padding, dilation, groups)


@pytest.mark.parametrize("seed", range(5))
def test_p_01_a_convolution_of_the_gradient_and_its_columns_spread_back_are_the_same(seed):
    """To the last bit, for whole numbers in float64; the product of float32 is as near as the forward's."""
    rng, mirrored = np.random.default_rng(seed), 0
    for _ in range(60):
        groups, dilation, padding = int(rng.integers(1, 3)), rng.integers(1, 3, 2).tolist(), rng.integers(0, 4, 4).tolist()
        shapes = (2, 4, *rng.integers(5, 9, 2)), (int(rng.choice([2, 4, 8])), 4 // groups, *rng.integers(1, 4, 2))
        x, weight = (rng.integers(-4, 5, shape).astype("float64") for shape in shapes)
        geometry = ([1, 1], padding, dilation, groups)
        g = rng.integers(-4, 5, conv._conv2d(x, weight, *geometry).shape).astype("float64")
        expected = conv._scattered(g, weight, x.shape[2:], *geometry)
        np.testing.assert_array_equal(conv._input_grad(g, weight, x.shape[2:], *geometry), expected)
        small = conv._input_grad(g.astype("float32"), weight.astype("float32"), x.shape[2:], *geometry)
        np.testing.assert_allclose(small, expected, rtol=1e-5)
        mirrored += len(weight) * x[0, 0].size <= g[0, 0].size * 4
    assert 10 < mirrored < 50


def peak(work) -> tuple[int, object]:
    tracemalloc.start()
    try:
        result = work()
        return tracemalloc.get_traced_memory()[1], result
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("x", "weight", "options"),
    [
        ((4, 1, 50, 128), (128, 1, 3, 128), {"padding": [1, 1]}),
        ((16, 8, 28, 28), (8, 8, 3, 3), {"padding": 1}),
        ((8, 2, 40, 40), (64, 2, 7, 7), {"padding": 3}),
        ((8, 32, 20, 20), (32, 1, 5, 5), {"padding": 2, "groups": 32}),
    ],
)
def test_p_01_the_input_gradient_takes_the_memory_of_the_forward(x, weight, options):
    x, weight = (dy2st.rand(shape).detach() for shape in (x, weight))
    x.stop_gradient = False
    forward, y = peak(lambda: F.conv2d(x, weight, **options))
    backward, _ = peak(lambda: dy2st.grad([y], [x]))
    assert backward <= 3 * forward
