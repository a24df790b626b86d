"""Gradients of what takes symmetric matrices apart: against finite differences that keep the matrix symmetric."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st.ops import factors, solving, spectra

START = np.random.default_rng(0).normal(size=(2, 3, 3))
FUNCTIONS = {
    "cholesky": lambda x: (solving.cholesky(x) * dy2st.to_tensor(WEIGHTS)).sum(),
    "eigenvalues": lambda x: (factors.eigh(x)[0] * dy2st.to_tensor(WEIGHTS[0])).sum(),
    "eigenvalues alone": lambda x: (spectra.eigvalsh(x, upper=True) * dy2st.to_tensor(WEIGHTS[0])).sum(),
    "eigenvectors": lambda x: (factors.eigh(x, upper=True)[1] ** 2 * dy2st.to_tensor(WEIGHTS)).sum(),
}
WEIGHTS = np.random.default_rng(1).uniform(0.5, 1.5, (3, 3))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient(name):
    def value(start):
        return FUNCTIONS[name](start @ start.transpose([0, 2, 1]))

    x = dy2st.to_tensor(START, stop_gradient=False)
    value(x).backward()
    for place in np.ndindex(START.shape):
        step = np.zeros(START.shape)
        step[place] = 1e-6
        slope = (value(dy2st.to_tensor(START + step)) - value(dy2st.to_tensor(START - step))).item() / 2e-6
        np.testing.assert_allclose(x.grad.numpy()[place], slope, rtol=1e-5, atol=1e-6)
