"""Activations, softmax, normalisation, losses, embedding."""

from __future__ import annotations

import numpy as np

from .sample import integers, sample, values

X, WIDE, IMAGE = values(2, 3), values(3, 4, low=-5.0, high=5.0), values(2, 3, 4)
LABELS = np.array([[0, 2], [1, -100], [2, 2]])
STATISTICS = (values(3, seed=1), values(3, low=0.5, high=2.0, seed=2))
SCALE = (values(3, seed=3), values(3, seed=4))



def no_gradients(kept, weights):
    """The gradients of the two inputs of the samples, on which the kernel's results don't depend."""
    return [weights[0] * 0.0, None]


SAMPLES = {
    "custom_gradient": [
        sample(X, X * 2, X[0], gradients=no_gradients, results=1, inputs=2),
        sample(X, WIDE, X * 2, X[0], 2.5, gradients=no_gradients, results=2, inputs=2),
    ],
    "gradient_check": [sample(X, X[0], message="a view is written")],
    "gradient_hook": [sample(X, hook="doubled")],
    "relu": [sample(X), sample(integers(2, 3, low=-3, high=3))],
    "relu_": [sample(X)],
    "relu6": [sample(WIDE * 2)],
    "leaky_relu": [sample(X, negative_slope=0.1)],
    "elu": [sample(X, alpha=1.3)],
    "silu": [sample(WIDE)],
    "gelu": [sample(WIDE, approximate=False), sample(WIDE, approximate=True)],
    "hardsigmoid": [sample(WIDE, slope=0.2, offset=0.5)],
    "hardswish": [sample(WIDE)],
    "softplus": [sample(WIDE, beta=1.5, threshold=20.0), sample(X, beta=1.0, threshold=0.1)],
    "erf": [sample(WIDE), sample(values(3, low=-0.4, high=0.4))],
    "softmax": [sample(X, axis=-1), sample(IMAGE, axis=1)],
    "log_softmax": [sample(X, axis=-1), sample(IMAGE, axis=1)],
    "normalize": [sample(IMAGE, axis=[0, 2], epsilon=0.01), sample(X, axis=[-1], epsilon=0.01)],
    "batch_norm": [
        sample(IMAGE, *STATISTICS, *SCALE, axis=1, epsilon=0.01),
        sample(IMAGE, *STATISTICS, None, None, axis=1, epsilon=0.01),
        sample(values(4, 3), *STATISTICS, *SCALE, axis=-1, epsilon=0.01),
    ],
    "nll": [
        sample(values(3, 4, 2), LABELS, axis=1, ignore_index=-100),
        sample(values(3, 4), np.array([0, 3, 1]), axis=-1, ignore_index=-100),
    ],
    "nll_spread": [sample(values(3, 2), LABELS, classes=4, axis=1, ignore_index=-100)],
    "embedding": [sample(np.array([[0, 1], [3, 1]]), values(4, 3)), sample(np.array([0, 3, 1]), values(4, 3), padding_idx=3)],
    "embedding_spread": [sample(np.array([0, 1, 3, 1]), values(4, 3), rows=4, padding_idx=3)],
}
