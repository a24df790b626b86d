"""Gradients against finite differences, where Paddle's own aren't the derivative of what it computes."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import nn

X = np.random.default_rng(0).standard_normal((2, 4, 3))
WEIGHTS = np.random.default_rng(1).standard_normal((2, 4, 3))


def spectral():
    dy2st.seed(0)
    layer = nn.SpectralNorm([2, 4, 3], 1, 40, dtype="float64")  # so many steps that u and v are the singular vectors
    return layer


@pytest.mark.parametrize(
    "function",
    [lambda x: nn.functional.group_norm(x, 2), lambda x: nn.functional.rms_norm(x, [4, 3]), spectral()],
    ids=["group_norm", "rms_norm", "spectral_norm"],
)
def test_gradient(function):
    def value(array):
        return (function(array) * dy2st.to_tensor(WEIGHTS)).sum()

    x = dy2st.to_tensor(X, stop_gradient=False)
    value(x).backward()
    step = 1e-6
    for at in np.ndindex(X.shape):
        change = np.zeros_like(X)
        change[at] = step
        slope = (value(dy2st.to_tensor(X + change)) - value(dy2st.to_tensor(X - change))).item() / (2 * step)
        assert abs(slope - x.grad.numpy()[at]) < 1e-6


def test_rms_norm_by_its_formula():
    weight = np.arange(3.0)
    found = nn.functional.rms_norm(dy2st.to_tensor(X), 3, dy2st.to_tensor(weight), 1e-3)
    expected = X / np.sqrt((X * X).mean(-1, keepdims=True) + 1e-3) * weight
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)
