"""Gradients of complex numbers: by the real and by the imaginary part, against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st

Z = np.array([1.0 + 2.0j, -0.5 + 0.3j])
FUNCTIONS = {
    "parts": lambda z: (z.real() * z.imag()).sum(),
    "products": lambda z: (z * z * (2.0 + 1.0j)).real().sum(),
    "conjugate": lambda z: (z.conj() * z * z).imag().sum(),
    "size": lambda z: z.abs().sum(),
    "direction": lambda z: z.angle().sum(),
    "as_real": lambda z: (dy2st.as_real(z) ** 2).sum(),
    "as_complex": lambda z: (dy2st.as_complex(dy2st.as_real(z) ** 2) * z).real().sum(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient(name):
    z = dy2st.to_tensor(Z, stop_gradient=False)
    FUNCTIONS[name](z).backward()

    def value(at, step):
        moved = Z.copy()
        moved[at] += step
        return FUNCTIONS[name](dy2st.to_tensor(moved)).item()

    for at in range(len(Z)):
        slopes = [(value(at, step) - value(at, -step)) / 2e-6 for step in (1e-6, 1e-6j)]
        np.testing.assert_allclose(z.grad.numpy()[at], complex(*slopes), rtol=1e-6)


def test_a_rule_for_real_numbers_only_says_so():
    z = dy2st.to_tensor(Z, stop_gradient=False)
    with pytest.raises(NotImplementedError, match="divide has no gradient for complex numbers"):
        (1.0 / z).real().sum().backward()
