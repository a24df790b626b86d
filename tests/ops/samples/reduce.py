"""Reductions, scans, sorting, products of matrices, and the operators gradients are made of."""

from __future__ import annotations

import numpy as np

from .sample import flags, integers, sample, values

X, CUBE, ONE = values(2, 3), values(2, 3, 2, seed=1), np.array(1.5)
POSITIVE = values(2, 3, low=0.5, high=3.0)
N, FLAGS = integers(2, 3, low=-5, high=5, dtype="int32"), flags(2, 3)
WITH_ZEROS = np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]])


def _axes(x=X, cube=CUBE, **parts) -> list:
    return [
        sample(x, axis=None, keepdim=False, **parts),
        sample(x, axis=1, keepdim=True, **parts),
        sample(x, axis=-2, keepdim=False, **parts),
        sample(cube, axis=(0, 2), keepdim=False, **parts),
        sample(cube, axis=None, keepdim=True, **parts),
    ]


def _positions(x=X) -> list:
    return [sample(x, axis=None), sample(x, axis=1, keepdim=True), sample(x, axis=0, dtype="int32")]


SAMPLES = {
    "sum": [*_axes(), sample(N, axis=0), sample(FLAGS), sample(ONE)],
    "mean": [*_axes(), sample(ONE)],
    **{
        name: [*_axes(), sample(N, axis=1), sample(ONE)]
        for name in ("max", "min", "amax", "amin", "max_unshared", "min_unshared")
    },
    "prod": [*_axes(), sample(N, axis=0), sample(WITH_ZEROS, axis=1, twice=False)],
    "product_of_others": [sample(POSITIVE), sample(POSITIVE, axis=1)],
    "all": [sample(FLAGS), sample(N, axis=1, keepdim=True)],
    "any": [sample(FLAGS), sample(N, axis=1, keepdim=True)],
    "argmax": [*_positions(), *_positions(N)],
    "argmin": [*_positions(), *_positions(N)],
    "logsumexp": [*_axes(), sample(values(2, 3, low=900.0, high=1000.0), axis=1, grad=False)],
    "l2_norm": _axes(),
    "l1_norm": _axes(),
    "reduced_count": [sample(X), sample(CUBE, axis=(0, 2))],
    "cumsum": [sample(X, axis=1), sample(X, axis=-2, reverse=True), sample(N, axis=0)],
    "cumprod": [sample(POSITIVE, axis=1), sample(POSITIVE, axis=0, reverse=True), sample(N, axis=0)],
    "sort": [sample(X), sample(X, axis=0, descending=True), sample(N, axis=1, descending=True)],
    "topk": [sample(X, k=2), sample(X, k=1, axis=0, largest=False), sample(N, k=3, axis=1)],
    "matmul": [
        sample(X, values(3, 4, seed=2)),
        sample(X, values(2, 4, seed=2), transpose_x=True),
        sample(X, values(4, 3, seed=2), transpose_y=True),
        sample(X, values(4, 2, seed=2), transpose_x=True, transpose_y=True),
        sample(CUBE, values(2, 3, seed=3)),
        sample(CUBE, values(2, 2, 3, seed=3)),
        sample(values(2, 3, 2), values(2, 0)),
        sample(CUBE, values(3, 2, seed=3), transpose_y=True),
        sample(values(4, 1, 2, 3), values(3, 3, 2, seed=3)),
        sample(values(3), values(3, seed=1)),
        sample(values(3), values(3, 4, seed=1)),
        sample(values(3), values(2, 3, 4, seed=1)),
        sample(X, values(3, seed=1)),
        sample(CUBE, values(2, seed=1)),
        sample(integers(2, 3), integers(3, 2)),
    ],
    "linear": [
        sample(X, values(3, 4, seed=2), values(4, seed=3)),
        sample(CUBE, values(2, 3, seed=3), values(3, seed=1)),
        sample(values(3), values(3, 4, seed=1), values(4, seed=3)),
        sample(integers(2, 3), integers(3, 2), integers(2)),
        sample(X, values(4, 3, seed=2), values(4, seed=3), transpose_y=True),
        sample(X, values(2, 4, seed=2), values(4, seed=3), transpose_x=True),
        sample(CUBE, values(3, 2, seed=3), values(3, seed=1), transpose_y=True),
    ],
    "sum_to": [sample(X, shape=(3,)), sample(CUBE, shape=(3, 1)), sample(X, shape=(2, 3))],
    "sum_like": [sample(X, values(3)), sample(CUBE, values(3, 1)), sample(X, X)],
    "broadcast_like": [sample(values(3), X), sample(values(3, 1), CUBE), sample(ONE, X)],
    "spread": [
        sample(values(2), X, axis=1, keepdim=False),
        sample(values(2, 1), X, axis=1, keepdim=True, mean=True),
        sample(ONE, X, axis=None, keepdim=False, mean=True),
        sample(values(3), CUBE, axis=(0, 2), keepdim=False),
    ],
}
