"""Matrices taken apart and solved; sums of products."""

from __future__ import annotations

import numpy as np

from .sample import sample, values

X, Y = values(3, 3) + 4 * np.eye(3), values(2, 3, 3) + 3 * np.eye(3)
TALL, WIDE = values(4, 3), values(2, 3)
SYMMETRIC = X @ X.T
Z = X + 1j * values(3, 3, seed=1)
HERMITIAN = Z @ Z.conj().T
HIGH = TALL + 1j * values(4, 3, seed=1)

SAMPLES = {
    "inverse": [sample(X), sample(Y), sample(Z)],
    "solve": [sample(X, values(3, 2)), sample(Y, values(3, 1, seed=1)), sample(X, values(2, 3, 2, seed=1)), sample(Z, HIGH.T)],
    "det": [sample(X), sample(Y), sample(Z)],
    "slogdet": [sample(X), sample(Y), sample(Z)],
    # Their gradients are those for symmetric matrices, which no single element can leave: tests/ops/test_symmetric.py.
    "cholesky": [sample(SYMMETRIC, grad=False), sample(HERMITIAN)],
    "eigh": [sample(SYMMETRIC, grad=False), sample(SYMMETRIC, upper=True, grad=False), sample(HERMITIAN)],
    "eig": [sample(X, grad=False), sample(Z)],
    "geqrf": [sample(TALL), sample(WIDE), sample(Y), sample(HIGH)],
    "qr": [sample(TALL), sample(Y), sample(WIDE, grad=False), sample(TALL, complete=True, grad=False), sample(HIGH)],
    "lu": [sample(X), sample(Y), sample(WIDE, grad=False), sample(TALL, grad=False), sample(HIGH)],
    "permutation_of": [sample(X, np.array([3, 2, 3], "int32")), sample(TALL, np.array([4, 2, 4], "int32"))],
    "unit_diagonal": [sample(X), sample(TALL)],
    "eigvalsh": [sample(SYMMETRIC, grad=False), sample(SYMMETRIC, upper=True, grad=False), sample(HERMITIAN)],
    "svdvals": [sample(TALL), sample(WIDE), sample(TALL.astype("float32"), grad=False), sample(HIGH)],
    "svd": [sample(TALL), sample(WIDE), sample(TALL, full=True, grad=False), sample(HIGH)],
    "einsum": [
        sample(WIDE, values(3, 4), equation="ij,jk->ik"),
        sample(WIDE, WIDE, values(2, seed=1), equation="ij,ij,i->j"),
        sample(values(2, 3, 4), equation="abc->ca"),
        sample(WIDE, values(1, 4, seed=1), equation="ij,ik->i"),
    ],
}
