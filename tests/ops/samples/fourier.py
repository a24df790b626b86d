"""Samples of the Fourier transforms."""

from __future__ import annotations

import numpy as np

from .sample import sample

_RNG = np.random.default_rng(12)
REAL = _RNG.normal(size=(2, 5))
WHOLE = REAL + 1j * _RNG.normal(size=(2, 5))
EVEN = _RNG.normal(size=(3, 4))

SAMPLES = {
    "fft_c2c": [
        sample(WHOLE, axes=[1], norm="backward", forward=True),
        sample(WHOLE, axes=[0, 1], norm="forward", forward=False),
    ],
    "fft_r2c": [
        sample(REAL, axes=[1], norm="backward"),
        sample(EVEN, axes=[0, 1], norm="ortho"),
    ],
    "fft_c2r": [
        sample(WHOLE, axes=[1], norm="backward", length=None),
        sample(WHOLE, axes=[0, 1], norm="forward", length=7),
        sample(WHOLE, axes=[1], norm="ortho", length=4),
    ],
    "fit_length": [sample(REAL, axis=1, length=7), sample(EVEN, axis=0, length=2)],
    "spectrum_like": [sample(REAL, np.zeros((1, 3)), axis=1), sample(EVEN, np.zeros((5, 1)), axis=0)],
    "mirror_weights": [
        sample(WHOLE, np.zeros((2, 8)), axis=1),
        sample(WHOLE, np.zeros((3, 5)), axis=0),
    ],
}
