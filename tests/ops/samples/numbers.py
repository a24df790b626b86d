"""How numbers are written, special functions, running extremes, counts."""

from __future__ import annotations

import numpy as np

from .sample import integers, sample, values

X, Y, ROW = values(2, 3, low=-2.1, high=2.2), values(2, 3, low=-1.8, high=2.4, seed=1), values(3, seed=2)
POSITIVE, NEAR = values(2, 3, low=0.5, high=3.0), values(2, 3, low=-0.9, high=0.9)
N, M = integers(2, 3, low=1, high=9), integers(2, 3, low=1, high=5, seed=1)
HOLES = np.array([[np.nan, 1.0, 2.0], [0.5, np.nan, np.nan]])
ORDERED = np.array([0.0, 1.0, 1.0, 3.0])

SAMPLES = {
    "asinh": [sample(X)],
    "acosh": [sample(POSITIVE + 1)],
    "atanh": [sample(NEAR)],
    "erfinv": [sample(NEAR), sample(np.array([0.0, 1.0, -1.0, 0.95]), grad=False)],
    "lgamma": [sample(POSITIVE), sample(X), sample(np.array([0.0, -1.0, 1.0, 2.0, 300.0]), grad=False)],
    "polygamma": [sample(POSITIVE, n=0), sample(X, n=0), sample(POSITIVE, n=1), sample(POSITIVE, n=3)],
    "fmax": [sample(X, Y), sample(X, ROW), sample(HOLES, X, grad=False), sample(N, M)],
    "fmin": [sample(X, Y), sample(X, ROW), sample(HOLES, X, grad=False), sample(N, M)],
    "hypot": [sample(X, Y), sample(X, ROW)],
    "logaddexp": [sample(X, Y), sample(X, ROW)],
    "nextafter": [sample(X, Y), sample(X.astype("float32"), ROW.astype("float32"))],
    "signbit": [sample(np.array([-0.0, 0.0, -1.5])), sample(N)],
    "frexp": [sample(X), sample(np.array([0.0, 1.0, 1024.0], "float32"))],
    **{name: [sample(N, M), sample(N, M[0])] for name in ("gcd", "lcm", "left_shift", "right_shift")},
    "demand": [sample(X, X < 99, says="it is too much"), sample(N, N < 99, says="it is too much", exception="ValueError")],
    "divisor": [sample(M, M), sample(np.array(3, "int32"), M)],
    "cummax": [sample(X, axis=1), sample(N, axis=0), sample(HOLES, axis=1, grad=False)],
    "cummin": [sample(X, axis=-1), sample(N, axis=0)],
    "logcumsumexp": [sample(X, axis=1), sample(X, axis=-2, reverse=True), sample(values(5) * 200, axis=0, grad=False)],
    "unique": [sample(N), sample(X), sample(N, axis=0), sample(N, axis=1)],
    "bincount": [sample(N.reshape(-1)), sample(N.reshape(-1), X.reshape(-1), minlength=20)],
    "searchsorted": [sample(ORDERED, X), sample(ORDERED, X, right=True), sample(np.sort(X, -1), Y)],
    "histogram": [sample(X, bins=4), sample(X, Y, bins=3, low=-1, high=2), sample(N, bins=5, low=1, high=9)],
}
